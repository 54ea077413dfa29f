import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Command } from "commander";
import { refresh } from "../src/build/fresh.mjs";
import { freePort } from "../test/support/loopback.ts";
import { benchmark } from "./benchmark.ts";
import { atLeast } from "./options.ts";
import { inRounds } from "./rounds.ts";
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
import { resultsOf, type Subject, writeStarts } from "./start-results.ts";

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

/** With npm around it, as it is typed. */
const NPM = {
  built: ["npm", "start", "--silent"],
  source: ["npm", "run", "--silent", "source", "start"],
};

/** What is started; the round that warms up makes the database and fills the caches. */
function subjectsOn(env: { DATABASE_URL: string }): Subject[] {
  const both = (label: string, of: (way: Way) => Omit<Subject, "label" | "way">) =>
    (["source", "built"] as const).map((way) => ({ label, way, ...of(way) }));
  const ready = async (command: readonly string[]) =>
    toReady(command, { ...env, PORT: await freePort() });
  const tools = (way: Way) => toTools(way, { ...env, PORT: "0" });
  const listing = ["merchant", "orders", "list"];
  return [
    ...both("stdio → first tools/list", (way) => ({
      start: () => timeOf(tools(way)),
      rest: () => tools(way),
    })),
    ...both("npm start → /readyz", (way) => ({
      start: () => timeOf(ready(NPM[way])),
      rest: () => ready([...WAYS[way], "start"]),
    })),
    ...both("merchant orders list", (way) => ({
      start: () => toEnd([...WAYS[way], ...listing], env),
    })),
    { label: "node -e 0", start: () => toEnd(["node", "-e", "0"]) },
  ];
}

async function timeOf(beginning: Promise<Begun>): Promise<number> {
  const { child, ms } = await beginning;
  await end(child);
  return ms;
}

async function restingMb(begin: () => Promise<Begun>): Promise<number> {
  const { child } = await begin();
  await delay(REST_MS);
  const memory = memoryMb(child.pid);
  await end(child);
  return memory;
}

if (!refresh(ROOT)) process.exit(1);
await benchmark(async ({ folder }) => {
  const env = { DATABASE_URL: `sqlite:${join(folder, "merchant.db")}` };
  const subjects = subjectsOn(env);
  const taken = await inRounds(subjects, { rounds, seconds: 0 }, ({ start }) => start());
  const memory = new Map<Subject, number>();
  for (const one of subjects) if (one.rest) memory.set(one, await restingMb(one.rest));
  const after = quotes > 0 ? await quotesOf({ ...env, PORT: await freePort() }, quotes) : [];
  process.stdout.write(await writeStarts(rounds, resultsOf(taken, memory), after));
});
