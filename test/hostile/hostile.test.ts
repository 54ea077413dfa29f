/** The short form of `npm run hostile`: what is quick, with patience for a machine that is busy. */
import { expect, test } from "vitest";
import { plays } from "./plays.ts";
import { perform } from "./run.ts";
import { problems } from "./table.ts";

/** A mended fault cost 6 to 31 s; a busy machine costs less than this. */
const PATIENCE = { patienceMs: 4000, idleMs: 50 };

test.each(plays.filter(({ short }) => short))("$name: $tried", async (play) => {
  expect(problems([await perform(play, PATIENCE)])).toEqual([]);
});
