import pg from "pg";
import { createPostgres } from "../test/support/postgres-server.ts";
import { benchmark } from "./benchmark.ts";
import { keep } from "./figures.ts";
import { load, quoteAhead } from "./fleet-load.ts";
import { MOST, openFleets } from "./fleets.ts";
import { chart, resultsOf, table } from "./instances-results.ts";
import { type Plan, planned } from "./options.ts";
import { inRounds } from "./rounds.ts";

/**
 * `node bench/instances.ts`: 1, 2 and 4 instances on PostgreSQL beside one process on SQLite, all
 * over HTTP in one interleaved run. Quotes by one key, whose rows everybody wants, and by a key an
 * instance; payments started on one bean, whose stock row everybody wants, and over 16 beans. Load,
 * instances and database share this machine.
 */
const { print, ...plan } = planned(
  "bench -- --postgres",
  "Measures instances; writes bench/instances.json and bench/instances.svg.",
  { seconds: 3, rounds: 3, connections: 64 },
)
  .option("--print", "only print the figures; writes no files")
  .parse()
  .opts<Plan & { print?: true }>();

await benchmark(async (bench) => {
  const server = await createPostgres();
  bench.atEnd(server.remove);
  await durable(server.url);
  const fleets = await openFleets(bench, server.url);
  const loaders = Array.from({ length: MOST }, () => bench.start("./load.ts"));
  const samples = await inRounds(
    fleets,
    plan,
    (fleet, seconds) => load(fleet, loaders, { ...plan, seconds }),
    () => quoteAhead(fleets, plan.seconds),
  );
  const results = resultsOf(plan, samples);
  process.stdout.write(table(results));
  if (!print) await keep("instances", results, chart(results));
});

/** Every commit reaches the disk, as in earnest: nothing is gained by forgetting. */
async function durable(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("show synchronous_commit");
  await client.end();
  if (rows[0].synchronous_commit !== "on") throw new Error("synchronous_commit is off");
}
