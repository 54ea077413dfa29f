import { setTimeout as delay } from "node:timers/promises";
import type { Waits } from "./neighbor.ts";
import { type Bound, must, type Outcome, type Play } from "./play.ts";
import { openStage, type Stage, stranger } from "./stage.ts";

/** What one play came to. */
export interface Row {
  play: Play;
  outcome: Outcome;
  waited: WaitTimes;
  /** Bounds that did not hold. */
  broken: Bound[];
}

/** What others had to wait meanwhile, beside what they wait when nothing happens. */
export interface WaitTimes {
  idleMs: number;
  /** The wait of one in twenty, as a multiple of the idle one. */
  multiple: number;
  longestMs: number;
}

export interface Patience {
  /**
   * The longest that anybody may wait for an answer, in milliseconds: longer means that all stood.
   */
  patienceMs: number;
  /** How long it is looked at while nothing happens. */
  idleMs: number;
  /** How long somebody else waits between two requests. */
  pauseMs: number;
}

/** Plays one piece on a new service; nothing is left of it afterwards. */
export async function perform(play: Play, patience: Patience): Promise<Row> {
  const stage = await openStage(patience, play.env);
  return performOn(stage, play, patience).finally(stage.close);
}

/** The same on a service that is there. */
export async function performOn(stage: Stage, play: Play, patience: Patience): Promise<Row> {
  const { patienceMs, idleMs } = patience;
  const { neighbor } = stage;
  await delay(idleMs);
  await neighbor.waits();
  await delay(idleMs);
  // One write of somebody honest: a slow disk is no attack.
  await stage.key(stranger());
  const idle = await neighbor.waits();
  const met: Waits = { all: [], failed: 0 };
  const note = async () => {
    const { all, failed } = await neighbor.waits();
    met.all.push(...all);
    met.failed += failed;
  };
  // Looking at what is held starts a process of our own: what that costs is not the attack's.
  const merchant: Stage["merchant"] = async (...words) => {
    await note();
    const said = await stage.merchant(...words);
    await neighbor.waits();
    return said;
  };
  const outcome = await play.play({ ...stage, merchant }).catch(brokenOff);
  await note();
  const waited = compare(idle, met);
  const others = play.goesAway
    ? []
    : [
        {
          what: "ms somebody else waited",
          value: waited.longestMs,
          most: bearable(idle, patienceMs),
        },
        { what: "others who were not answered", value: met.failed, most: 0 },
      ];
  const broken = [...outcome.bounds, ...others].filter(({ value, most }) => !(value <= most));
  return { play, outcome, waited, broken };
}

/** What the service did not let be played to its end is no reason to leave out the rest. */
const brokenOff = (error: unknown): Outcome => ({
  answered: "broken off",
  bounds: [must(`it can be played (${error instanceof Error ? error.message : error})`, false)],
});

/** On a machine that is busy with other things, waits are long without anybody being hostile. */
const bearable = (idle: Waits, patienceMs: number): number =>
  Math.round(Math.max(patienceMs, BUSY * Math.max(...idle.all)));

const BUSY = 10;

function compare(idle: Waits, met: Waits): WaitTimes {
  const idleMs = quantile(idle.all, 0.5);
  return {
    idleMs,
    multiple: quantile(met.all, 0.95) / idleMs,
    longestMs: Math.max(...met.all, 0),
  };
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}
