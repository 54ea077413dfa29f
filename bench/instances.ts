import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import pg from "pg";
import { createPostgres } from "../test/support/postgres-server.ts";
import { type Child, startChild } from "./child.ts";
import { machine } from "./figures.ts";
import { MOST, openFleets } from "./fleets.ts";
import { chart, figureOf, type Results, table } from "./instances-results.ts";
import { atLeast } from "./options.ts";
import { createProgress } from "./progress.ts";
import { measure, type Rounds } from "./rounds.ts";

/**
 * `node bench/instances.ts`: 1, 2 and 4 instances on PostgreSQL beside one process on SQLite, all
 * over HTTP in one interleaved run. Quotes by one key, whose rows everybody wants, and by a key an
 * instance; payments started on one bean, whose stock row everybody wants, and over 16 beans. Load,
 * instances and database share this machine.
 */
const plan = new Command("bench -- --postgres")
  .description("Measures instances; writes bench/instances.json and bench/instances.svg.")
  .option("--seconds <n>", "load on one variant in one round", atLeast(1), 3)
  .option("--rounds <n>", "how often each variant is measured", atLeast(1), 3)
  .option("--connections <n>", "requests in flight, over all instances", atLeast(MOST), 64)
  .option("--print", "only print the figures; writes no files")
  .parse()
  .opts<Rounds & { print?: true }>();

const folder = await mkdtemp(join(tmpdir(), "coffee-bench-"));
const server = await createPostgres();
const children: Child[] = [];
try {
  await durable(server.url);
  const fleets = await openFleets({ folder, postgres: server.url }, children);
  const loaders = Array.from({ length: MOST }, () => startChild("./load.ts"));
  children.push(...loaders);
  const progress = createProgress((fleets.length + 1) * (plan.rounds + 1));
  const samples = await measure(fleets, loaders, { plan, progress });
  await report(fleets.map((fleet, i) => figureOf(fleet, samples[i]!)));
} finally {
  await Promise.all(children.map((child) => child.stop()));
  await server.remove();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

/** Every commit reaches the disk, as in earnest: nothing is gained by forgetting. */
async function durable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("show synchronous_commit");
  await client.end();
  if (rows[0].synchronous_commit !== "on") throw new Error("synchronous_commit is off");
}

async function report(figures: Results["figures"]): Promise<void> {
  const { print, ...rounds } = plan;
  const results: Results = { machine: machine(), ...rounds, figures };
  process.stdout.write(table(results));
  if (print) return;
  const json = `${JSON.stringify(results, null, 2)}\n`;
  await writeFile(new URL("instances.json", import.meta.url), json);
  await writeFile(new URL("instances.svg", import.meta.url), chart(results));
  process.stdout.write("Drawn in bench/instances.svg.\n");
}
