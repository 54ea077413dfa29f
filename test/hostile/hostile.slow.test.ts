/** The plays of `npm run hostile`, with patience for a busy machine. */
import { expect, test } from "vitest";
import { plays } from "./plays.ts";
import { perform } from "./run.ts";

/** The faults that these plays found once cost 6 to 31 s. */
const PATIENCE = { patienceMs: 4000, idleMs: 50, pauseMs: 20 };

test.each(plays)("$name: $tried", async (play) => {
  expect((await perform(play, PATIENCE)).broken).toEqual([]);
});
