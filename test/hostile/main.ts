/**
 * `npm run hostile [-- --only NAME]`: the service as a process, and one after the other everything
 * that somebody hostile has tried on it, from outside. Prints what others had to wait meanwhile,
 * what was held and what was answered; exits 1 where a bound is broken.
 */
import { parseArgs } from "node:util";
import { progressOn } from "../../src/cli/progress.ts";
import build from "../support/build-global.ts";
import { plays } from "./plays.ts";
import { perform, type Row } from "./run.ts";
import { problems, table } from "./table.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });

/** Everything else has two cores or so to itself: no request waits for half a second. */
const PATIENCE = { patienceMs: 500, idleMs: 700, pauseMs: 4 };

const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  build();
  const chosen = plays.filter(({ name }) => name.includes(values.only ?? ""));
  if (chosen.length === 0) {
    print(
      `Nothing is called ${values.only}. There is: ${plays.map(({ name }) => name).join(", ")}.`,
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
  print(broken.length === 0 ? "Every bound held." : "BROKEN:");
  for (const problem of broken) print(`  - ${problem}`);
  return broken.length === 0 ? 0 : 1;
}

process.exit(await main());
