/**
 * `npm run hostile [-- --only NAME]`: runs every abuse scenario against a service of its own, and prints
 * the longest waits of other clients. Exits 1 where a bound fell.
 */
import { parseArgs } from "node:util";
import build from "../support/build-global.ts";
import { plays } from "./plays.ts";
import { perform } from "./run.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });

/** With two cores to themselves, no request waits for half a second. */
const PATIENCE = { patienceMs: 500, idleMs: 700, pauseMs: 4 };

const print = (line: string) => process.stdout.write(`${line}\n`);

build();
const chosen = plays.filter(({ name }) => name.includes(values.only ?? ""));
if (chosen.length === 0) {
  print(
    `There is no play ${values.only}. Choose from ${plays.map(({ name }) => name).join(", ")}.`,
  );
}
let fell = chosen.length === 0;
for (const play of chosen) {
  const { outcome, waitedMs, broken } = await perform(play, PATIENCE);
  print(`${broken.length === 0 ? "held" : "FELL"}  ${play.name}: ${play.tried}`);
  print(`      others waited at most ${waitedMs} ms; ${outcome.answered}`);
  for (const problem of broken) print(`    - ${problem}`);
  fell ||= broken.length > 0;
}
process.exit(fell ? 1 : 0);
