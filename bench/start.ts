import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Command } from "commander";
import { refresh } from "../src/build/fresh.mjs";
import { freePort } from "../test/support/process.ts";
import { benchmark } from "./benchmark.ts";
import { atLeast } from "./options.ts";
import { createProgress } from "./progress.ts";
import {
  type Begun,
  end,
  memoryMb,
  ROOT,
  toEnd,
  toReady,
  toTools,
  WAYS,
  type Way,
} from "./start-process.ts";
import { quotesOf } from "./start-quotes.ts";
import { type Starts, writeStarts } from "./start-results.ts";

/**
 * `npm run bench:start`: how long each command takes to its first answer, from the sources and as it is
 * built, in turns, beside a Node that does nothing; what memory it has at rest, and after many quotes.
 */
const { rounds, quotes } = new Command("bench:start")
  .option("--rounds <n>", "how often each is started", atLeast(1), 9)
  .option(
    "--quotes <n>",
    "after how many quotes memory is read again, and after half as many more",
    atLeast(0),
    100_000,
  )
  .parse()
  .opts<{ rounds: number; quotes: number }>();

/** At rest: what the start set off has been done. */
const REST_MS = 8000;

if (!refresh(ROOT)) process.exit(1);
const ways = Object.keys(WAYS) as Way[];
/** What is started with npm around it, as it is typed. */
const NPM = {
  built: ["npm", "start", "--silent"],
  source: ["npm", "run", "--silent", "source", "start"],
};

await benchmark(async ({ folder }) => {
  const env = { DATABASE_URL: `sqlite:${join(folder, "merchant.db")}` };
  const progress = createProgress(rounds * 7 + 6);
  const taken: Record<string, number[]> = {};
  const time = async (name: string, run: () => Promise<number>) => {
    progress.step(name);
    taken[name] = [...(taken[name] ?? []), await run()];
  };
  const stdio = (way: Way) => toTools(way, { ...env, PORT: "0" });
  const start = async (command: readonly string[]) =>
    toReady(command, { ...env, PORT: await freePort() });

  // The first start makes the database, and fills the caches; neither is what is measured.
  for (const way of ways) await timeOf(stdio(way));
  for (let round = 0; round < rounds; round++) {
    await time("node -e 0", () => toEnd(["node", "-e", "0"]));
    for (const way of round % 2 ? ways.toReversed() : ways) {
      await time(`stdio ${way}`, () => timeOf(stdio(way)));
      await time(`start ${way}`, () => timeOf(start(NPM[way])));
      await time(`merchant ${way}`, () => toEnd([...WAYS[way], "merchant", "orders", "list"], env));
    }
  }
  const resting = async (what: string, begin: (way: Way) => Promise<Begun>) => {
    const mb = { source: 0, built: 0 };
    for (const way of ways) {
      progress.step(`memory ${way} ${what}`);
      mb[way] = await restingMb(begin(way));
    }
    return mb;
  };
  const idle = await resting("start", (way) => start([...WAYS[way], "start"]));
  const onStdio = await resting("stdio", stdio);
  progress.step(`${quotes} quotes`);
  const after = quotes > 0 ? await quotesOf({ ...env, PORT: await freePort() }, quotes) : [];
  progress.done();
  const starts: Starts = { rounds, taken, idle, stdio: onStdio, after };
  process.stdout.write(await writeStarts(starts));
});

async function timeOf(beginning: Promise<Begun>): Promise<number> {
  const { child, ms } = await beginning;
  await end(child);
  return ms;
}

async function restingMb(beginning: Promise<Begun>): Promise<number> {
  const { child } = await beginning;
  await delay(REST_MS);
  const memory = memoryMb(child.pid);
  await end(child);
  return memory;
}
