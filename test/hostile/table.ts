import type { Row } from "./run.ts";

const HEAD = ["", "tried", "others waited", "held", "answered"];

/** Column by column, as wide as it must be. */
export function table(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  const text = lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i]!)).join("  "));
  return text.map((line) => `  ${line.trimEnd()}`).join("\n");
}

const cells = ({ play, outcome, waited, broken }: Row): string[] => [
  broken.length === 0 ? "held" : "BROKEN",
  `${play.name}: ${play.tried}`,
  `×${waited.multiple.toFixed(1)}, at most ${Math.round(waited.longestMs)} ms`,
  outcome.held ?? "nothing",
  outcome.answered,
];

/** What did not hold, a line each. */
export const problems = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ play, broken }) =>
    broken.map(
      ({ what, value, most }) => `${play.name}: ${what}: ${round(value)}, at most ${most}`,
    ),
  );

const round = (value: number): number => Math.round(value * 100) / 100;
