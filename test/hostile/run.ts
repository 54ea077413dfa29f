import { setTimeout as delay } from "node:timers/promises";
import type { Waits } from "./neighbor.ts";
import { atMost, type Bound, must, type Outcome, type Play } from "./play.ts";
import { openStage, type Stage, stranger } from "./stage.ts";

/** Result of one play. */
export interface Row {
  play: Play;
  outcome: Outcome;
  /** Longest wait of others, in milliseconds. */
  waitedMs: number;
  /** Bounds that did not hold. */
  broken: Bound[];
}

export interface Patience {
  /** Longest wait for an answer, in milliseconds. */
  patienceMs: number;
  /** How long the idle service is measured. */
  idleMs: number;
  /** Pause of the neighbor between two requests. */
  pauseMs: number;
}

/** Runs a play on a service of its own and removes everything afterwards. */
export async function perform(play: Play, patience: Patience): Promise<Row> {
  const stage = await openStage(patience, play.env);
  return performOn(stage, play, patience).finally(stage.close);
}

/** Runs a play on a running service. */
export async function performOn(stage: Stage, play: Play, patience: Patience): Promise<Row> {
  const { patienceMs, idleMs } = patience;
  const { neighbor } = stage;
  await delay(idleMs);
  await neighbor.waits();
  await delay(idleMs);
  // One honest write: a slow disk is no attack.
  await stage.key(stranger());
  const idle = await neighbor.waits();
  const during: Waits = { all: [], failed: 0 };
  const note = async () => {
    const { all, failed } = await neighbor.waits();
    during.all.push(...all);
    during.failed += failed;
  };
  // The merchant's command is a process of our own, so its cost is not the attack's.
  const merchant: Stage["merchant"] = async (...words) => {
    await note();
    const said = await stage.merchant(...words);
    await neighbor.waits();
    return said;
  };
  const outcome = await play.play({ ...stage, merchant }).catch(brokenOff);
  await note();
  const waitedMs = Math.round(Math.max(...during.all, 0));
  // On a busy machine waits are long without an attack.
  const bearable = Math.round(Math.max(patienceMs, BUSY * Math.max(...idle.all)));
  const others = [
    atMost("ms somebody else waited", waitedMs, bearable),
    atMost("others who were not answered", during.failed, 0),
  ];
  const bounds = [...outcome.bounds, ...(play.goesAway ? [] : others)];
  const broken = bounds.filter(({ value, most }) => !(value <= most));
  return { play, outcome, waitedMs, broken };
}

const BUSY = 10;

/** A play that the service broke off falls, and the next one runs. */
const brokenOff = (error: unknown): Outcome => ({
  answered: "broken off",
  bounds: [must(`it can be played (${error instanceof Error ? error.message : error})`, false)],
});

const HEAD = ["", "tried", "others waited", "held", "answered"];

/** One line for each play, with columns as wide as their cells, and the longest wait of others. */
export function table(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  const text = lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i]!)).join("  "));
  const waits = rows.map(({ play, waitedMs }) => (play.goesAway ? 0 : waitedMs));
  const worst = `The longest wait of others: ${Math.max(...waits)} ms.`;
  return [...text.map((line) => `  ${line.trimEnd()}`), worst].join("\n");
}

const cells = (row: Row): string[] => [
  row.broken.length === 0 ? "held" : "FELL",
  `${row.play.name}: ${row.play.tried}`,
  `${row.waitedMs} ms`,
  row.outcome.held ?? "nothing",
  row.outcome.answered,
];

/** A line for each bound that did not hold. */
export const problems = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ play, broken }) =>
    broken.map(
      ({ what, value, most }) =>
        `${play.name}: ${what}: ${Math.round(value * 100) / 100}, at most ${most}`,
    ),
  );
