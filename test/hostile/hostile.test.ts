/** The short form of `npm run hostile`: what is quick, with patience for a machine that is busy. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { plays } from "./plays.ts";
import { perform, performOn } from "./run.ts";
import { openStage, type Stage } from "./stage.ts";
import { problems } from "./table.ts";

/** A mended fault cost 6 to 31 s; a busy machine costs less than this. */
const PATIENCE = { patienceMs: 4000, idleMs: 50, pauseMs: 20 };

/**
 * One service for all that need no settings of their own: what one play leaves does not disturb the
 * others.
 */
let stage: Stage;
beforeAll(async () => {
  stage = await openStage(PATIENCE);
});
afterAll(() => stage?.close());

test.each(plays.filter(({ short }) => short))("$name: $tried", async (play) => {
  const row = play.env ? perform(play, PATIENCE) : performOn(stage, play, PATIENCE);
  expect(problems([await row])).toEqual([]);
});
