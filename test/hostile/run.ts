import { setTimeout as delay } from "node:timers/promises";
import { neighbor, type Waits } from "./neighbor.ts";
import { atMost, must, type Outcome, type Play } from "./plays.ts";
import { openStage, stranger } from "./stage.ts";

/** Result of one play. */
export interface Row {
  play: Play;
  outcome: Outcome;
  /** Longest wait of others, in milliseconds. */
  waitedMs: number;
  /** A line for each bound that did not hold. */
  broken: string[];
}

export interface Patience {
  /** Longest wait for an answer, in milliseconds. */
  patienceMs: number;
  /** How long the idle service is measured. */
  idleMs: number;
  /** Pause of the neighbor between two requests. */
  pauseMs: number;
}

/** On a busy machine waits are long without an attack. */
const BUSY = 10;

/** Runs a play on a service of its own, beside another client, and removes everything afterwards. */
export async function perform(play: Play, patience: Patience): Promise<Row> {
  const { patienceMs, idleMs, pauseMs } = patience;
  const stage = await openStage(play.env);
  const beside = neighbor(stage.baseUrl, pauseMs);
  try {
    await delay(idleMs);
    await beside.waits();
    await delay(idleMs);
    // One honest write: a slow disk is no attack.
    await stage.key(stranger());
    const idle = await beside.waits();
    const during: Waits = { all: [], failed: 0 };
    const note = async () => {
      const { all, failed } = await beside.waits();
      during.all.push(...all);
      during.failed += failed;
    };
    // The merchant's command is a process of our own, so its cost is not the attack's.
    const merchant: typeof stage.merchant = async (...words) => {
      await note();
      const said = await stage.merchant(...words);
      await beside.waits();
      return said;
    };
    const outcome = await play.play({ ...stage, merchant }, patience).catch(brokenOff);
    await note();
    const waitedMs = Math.round(Math.max(...during.all, 0));
    const bounds = [
      ...outcome.bounds,
      atMost(
        "ms somebody else waited",
        waitedMs,
        Math.max(patienceMs, BUSY * Math.max(...idle.all)),
      ),
      atMost("others who were not answered", during.failed, 0),
    ];
    const broken = bounds
      .filter(({ value, most }) => !(value <= most))
      .map(
        ({ what, value, most }) => `${play.name}: ${what}: ${value.toFixed(2)}, at most ${most}`,
      );
    return { play, outcome, waitedMs, broken };
  } finally {
    await beside.leave();
    await stage.close();
  }
}

/** A play that the service broke off falls, and the next one runs. */
const brokenOff = (error: unknown): Outcome => ({
  answered: "broken off",
  bounds: [must(`it can be played (${error instanceof Error ? error.message : error})`, false)],
});
