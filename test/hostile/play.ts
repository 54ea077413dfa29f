import type { Stage, TimedAnswer } from "./stage.ts";

/** One abuse of the shop from outside, and the bounds that must hold meanwhile. */
export interface Play {
  /** Name in the table and for --only: the finding it repeats. */
  name: string;
  /** The abuse in a few words. */
  tried: string;
  /** The tests run it too: it is quick, and certain on a busy machine. */
  short?: true;
  /** The service is killed, so nobody else can be answered. */
  goesAway?: true;
  /** Settings of a service of its own. {} gives it one with the usual settings. */
  env?: Record<string, string>;
  play(stage: Stage): Promise<Outcome>;
}

export interface Outcome {
  answered: string;
  /** Bags, rows, lines or bytes that the attacker still has afterwards. */
  held?: string;
  bounds: Bound[];
}

/** It falls if the value is higher. */
export interface Bound {
  what: string;
  value: number;
  most: number;
}

export const atMost = (what: string, value: number, most: number): Bound => ({ what, value, most });

/** A fact as a bound. */
export const must = (what: string, holds: boolean): Bound => atMost(what, holds ? 0 : 1, 0);

/** No answer takes longer than anybody may wait. */
export const quick = ({ patienceMs }: Stage, answers: readonly TimedAnswer[]): Bound =>
  atMost("ms for the slowest answer", Math.max(...answers.map(({ ms }) => ms)), patienceMs);

export const longest = (answers: readonly TimedAnswer[]): number =>
  Math.max(...answers.map(({ text }) => Buffer.byteLength(text)), 0);

interface Status {
  status: number;
}

/** "201 ×5, 429 ×3" */
export function statuses(answers: readonly Status[]): string {
  const counted = Map.groupBy(answers, ({ status }) => status);
  return [...counted].map(([status, all]) => `${status} ×${all.length}`).join(", ");
}

export const count = (answers: readonly Status[], ...wanted: number[]): number =>
  answers.filter(({ status }) => wanted.includes(status)).length;

export const times = <T>(n: number, make: (i: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i));

/** One after the other. */
export async function inTurn<T>(n: number, act: (i: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let i = 0; i < n; i++) done.push(await act(i));
  return done;
}

/** A short play that is judged by its answers. */
export const asking = <A extends Status>(
  [name, tried]: readonly [name: string, tried: string],
  ask: (stage: Stage) => Promise<A[]>,
  bounds: (answers: A[], stage: Stage) => Bound[],
  more: Partial<Play> = {},
): Play => ({
  ...{ name, tried, short: true, ...more },
  async play(stage) {
    const answers = await ask(stage);
    return { answered: statuses(answers), bounds: bounds(answers, stage) };
  },
});
