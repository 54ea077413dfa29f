/**
 * `npm run hostile [-- --only NAME]`: runs every abuse scenario against a service of its own, and prints
 * its bounds and the waits of other clients. Exits 1 where a bound fell.
 */
import { parseArgs } from "node:util";
import { progressOn } from "../../src/cli/progress.ts";
import build from "../support/build-global.ts";
import { plays } from "./plays.ts";
import { perform, problems, type Row, table } from "./run.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });

/** With two cores to themselves, no request waits for half a second. */
const PATIENCE = { patienceMs: 500, idleMs: 700, pauseMs: 4 };

const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  build();
  const chosen = plays.filter(({ name }) => name.includes(values.only ?? ""));
  if (chosen.length === 0) {
    print(
      `There is no play ${values.only}. Choose from ${plays.map(({ name }) => name).join(", ")}.`,
    );
    return 1;
  }
  const progress = progressOn(process.stderr);
  const rows: Row[] = [];
  for (const [done, play] of chosen.entries()) {
    progress(done, chosen.length, `${play.name}: ${play.tried}`);
    rows.push(await perform(play, PATIENCE));
  }
  progress(chosen.length, chosen.length, "done");
  print(table(rows));
  const broken = problems(rows);
  print(broken.length === 0 ? "Every bound held." : "These bounds fell:");
  for (const problem of broken) print(`  - ${problem}`);
  return broken.length === 0 ? 0 : 1;
}

process.exit(await main());
