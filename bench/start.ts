import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Command } from "commander";
import { refresh } from "../src/build/fresh.mjs";
import { freePort } from "../test/support/process.ts";
import { atLeast } from "./options.ts";
import { createProgress } from "./progress.ts";
import { end, memoryMb, ROOT, toEnd, toReady, toTools, WAYS, type Way } from "./start-process.ts";
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
const folder = await mkdtemp(join(tmpdir(), "coffee-bench-"));
const env = { DATABASE_URL: `sqlite:${join(folder, "merchant.db")}` };
const progress = createProgress(rounds * 7 + 6);
const taken: Record<string, number[]> = {};
const ways = Object.keys(WAYS) as Way[];

async function time(name: string, run: () => Promise<number>): Promise<void> {
  progress.step(name);
  taken[name] = [...(taken[name] ?? []), await run()];
}

const stdio = async (way: Way) => {
  const { child, ms } = await toTools(way, { ...env, PORT: "0" });
  await end(child);
  return ms;
};

/** With npm around it, as it is typed. */
const start = async (way: Way) => {
  const { child, ms } = await toReady(NPM[way], { ...env, PORT: await freePort() });
  await end(child);
  return ms;
};
const NPM = {
  built: ["npm", "start", "--silent"],
  source: ["npm", "run", "--silent", "source", "start"],
};

async function idleMb(way: Way): Promise<number> {
  progress.step(`memory ${way}`);
  const { child } = await toReady([...WAYS[way], "start"], { ...env, PORT: await freePort() });
  await delay(REST_MS);
  const memory = memoryMb(child.pid);
  await end(child);
  return memory;
}

async function stdioMb(way: Way): Promise<number> {
  progress.step(`memory ${way} stdio`);
  const { child } = await toTools(way, { ...env, PORT: "0" });
  await delay(REST_MS);
  const memory = memoryMb(child.pid);
  await end(child);
  return memory;
}

try {
  // The first start makes the database, and fills the caches; neither is what is measured.
  for (const way of ways) await stdio(way);
  for (let round = 0; round < rounds; round++) {
    await time("node -e 0", () => toEnd(["node", "-e", "0"]));
    for (const way of round % 2 ? ways.toReversed() : ways) {
      await time(`stdio ${way}`, () => stdio(way));
      await time(`start ${way}`, () => start(way));
      await time(`merchant ${way}`, () => toEnd([...WAYS[way], "merchant", "orders", "list"], env));
    }
  }
  const idle = { source: await idleMb("source"), built: await idleMb("built") };
  const onStdio = { source: await stdioMb("source"), built: await stdioMb("built") };
  progress.step(`${quotes} quotes`);
  const after = quotes > 0 ? await quotesOf({ ...env, PORT: await freePort() }, quotes) : [];
  progress.done();
  const starts: Starts = { rounds, taken, idle, stdio: onStdio, after };
  process.stdout.write(await writeStarts(starts));
} finally {
  await rm(folder, { recursive: true, force: true });
}
