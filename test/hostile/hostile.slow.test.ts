/** The short plays of `npm run hostile`, with patience for a busy machine. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { plays } from "./plays.ts";
import { perform, performOn, problems } from "./run.ts";
import { openStage, type Stage } from "./stage.ts";

/** The faults that these plays found once cost 6 to 31 s. */
const PATIENCE = { patienceMs: 4000, idleMs: 50, pauseMs: 20 };

/** One service for all plays without settings of their own. */
let stage: Stage;
beforeAll(async () => {
  stage = await openStage(PATIENCE);
});
afterAll(() => stage?.close());

test.each(plays.filter(({ short }) => short))("$name: $tried", async (play) => {
  const row = play.env ? perform(play, PATIENCE) : performOn(stage, play, PATIENCE);
  expect(problems([await row])).toEqual([]);
});
