import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import type { Stretch } from "./messages.ts";

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`;

/** Markdown, so that it can be pasted as it is: names on the left, numbers on the right. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** 1234567 as "1,234,567". */
export const whole = (value: number): string => value.toLocaleString("en-US");

export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** Medians of one subject over all rounds. */
export interface Figure {
  label: string;
  perSecond: number;
  slowestRound: number;
  fastestRound: number;
  p50Ms: number;
  p99Ms: number;
}

export const rate = ({ done, seconds }: Stretch): number => done / seconds;

export function figureOf({ label }: { label: string }, rounds: readonly Stretch[]): Figure {
  const rates = rounds.map(rate);
  return {
    label,
    perSecond: Math.round(median(rates)),
    slowestRound: Math.round(Math.min(...rates)),
    fastestRound: Math.round(Math.max(...rates)),
    p50Ms: rounded(median(rounds.map(({ p50Ms }) => p50Ms))),
    p99Ms: rounded(median(rounds.map(({ p99Ms }) => p99Ms))),
  };
}

export const rangeOf = ({ slowestRound, fastestRound }: Figure): string =>
  `${whole(slowestRound)}–${whole(fastestRound)}`;

/** Keeps the figures and their picture beside this file, under this name. */
export async function keep(name: string, results: object, picture: string): Promise<void> {
  const file = (ending: string) => new URL(`${name}.${ending}`, import.meta.url);
  await writeFile(file("json"), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(file("svg"), picture);
  process.stdout.write(`Drawn in bench/${name}.svg.\n`);
}
