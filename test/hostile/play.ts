import type { Stage } from "./stage.ts";

/** One thing somebody hostile does to the shop from outside, and what must hold meanwhile. */
export interface Play {
  /** What it is called in the table and for --only. */
  name: string;
  /** What is tried, in a few words. */
  tried: string;
  /** Played by the tests too: quick, and sure on a busy machine. */
  short?: true;
  /** The service itself goes away in it, so that others cannot be answered. */
  goesAway?: true;
  /** Environment of the service besides the usual one. */
  env?: Record<string, string>;
  play(stage: Stage): Promise<Outcome>;
}

export interface Outcome {
  answered: string;
  /** Bags, rows, lines or bytes that it still has afterwards. */
  held?: string;
  bounds: Bound[];
}

/** Broken where it is over. */
export interface Bound {
  what: string;
  value: number;
  most: number;
}

export const atMost = (what: string, value: number, most: number): Bound => ({ what, value, most });

/** A thing that must be so, as a bound. */
export const must = (what: string, holds: boolean): Bound => atMost(what, holds ? 0 : 1, 0);

/** "201 ×5, 429 ×3" */
export function statuses(answers: readonly { status: number }[]): string {
  const counted = Map.groupBy(answers, ({ status }) => status);
  return [...counted].map(([status, all]) => `${status} ×${all.length}`).join(", ");
}

export const count = (answers: readonly { status: number }[], ...wanted: number[]): number =>
  answers.filter(({ status }) => wanted.includes(status)).length;
