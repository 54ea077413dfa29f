/**
 * `npm run chaos -- --seed N --purchases N [--database sqlite | postgres | URL]`: makes purchases under lost,
 * doubled and late webhooks, a failing provider and kill -9, then checks every promise about money.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { progressOn } from "../../src/cli/progress.ts";
import { createPostgres } from "../support/postgres-server.ts";
import { table } from "./figures.ts";
import { runChaos } from "./run.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    purchases: { type: "string", default: "200" },
    database: { type: "string", default: "sqlite" },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);

function whole(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new Error(`--${name} must be a whole number, not "${text}".`);
}

/** The database of the run, and how to remove it. */
async function database(folder: string): Promise<{ url: string; remove(): Promise<void> }> {
  if (values.database === "postgres") return createPostgres({ durable: false });
  const own = values.database === "sqlite" ? `sqlite:${join(folder, "chaos.db")}` : values.database;
  return { url: own, remove: async () => {} };
}

async function main(): Promise<number> {
  const seed = whole("seed", values.seed ?? String(Date.now() % 1_000_000));
  const purchases = whole("purchases", values.purchases);
  const folder = await mkdtemp(join(tmpdir(), "coffee-merchant-chaos-"));
  const { url, remove } = await database(folder);
  const again = `npm run chaos -- --seed ${seed} --purchases ${purchases} --database ${values.database}`;
  print(again);
  try {
    const withinMs = 120_000 + purchases * 1_000;
    const show = progressOn(process.stderr);
    const progress = (done: number, of: number) => show(done, of, `${done} of ${of} purchases`);
    const result = await runChaos({
      seed,
      purchases,
      databaseUrl: url,
      folder,
      withinMs,
      progress,
    });
    print(table(result));
    if (result.problems.length === 0) {
      print("Every promise about money was kept.");
      return 0;
    }
    print(`BROKEN, and this replays it: ${again}`);
    for (const problem of result.problems) print(`  - ${problem}`);
    return 1;
  } catch (error) {
    print(`BROKEN OFF, and this replays it: ${again}`);
    print(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    await remove();
    await rm(folder, { recursive: true, force: true });
  }
}

process.exit(await main());
