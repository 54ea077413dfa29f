import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import pg from "pg";
import { createPostgres } from "../test/support/postgres-server.ts";
import { bars } from "./bars.ts";
import { type Child, startChild } from "./child.ts";
import type { Stretch, Target } from "./messages.ts";
import { createProgress } from "./progress.ts";
import type { Variant } from "./variants.ts";

/**
 * `node bench/instances.ts`: quotes over HTTP at 1, 2 and 4 instances on PostgreSQL beside one process on
 * SQLite, all in one interleaved run; by one key, whose rows everybody wants, and by a key an
 * instance. Load, instances and database share this machine.
 */
interface Options {
  seconds: number;
  rounds: number;
  connections: number;
}

const options = new Command("bench:instances")
  .option("--seconds <n>", "load on one variant in one round", Number, 3)
  .option("--rounds <n>", "how often each variant is measured", Number, 3)
  .option("--connections <n>", "requests in flight, over all instances", Number, 64)
  .parse()
  .opts<Options>();

interface Fleet {
  label: string;
  targets: Target[];
}

const SERVICE: Variant = { name: "service", label: "", kind: "service", fsyncMs: 0 };
const MOST = 4;
const MACHINE = `${cpus().length} × ${cpus()[0]?.model.trim()}`;

const folder = await mkdtemp(join(tmpdir(), "coffee-bench-"));
const server = await createPostgres();
const children: Child[] = [];
try {
  await durable(server.url);
  const fleets = await openFleets();
  const loaders = Array.from({ length: MOST }, () => startChild("./load.ts"));
  children.push(...loaders);
  const samples = await measure(fleets, loaders);
  const figures = fleets.map(({ label }, i) => summary(label, samples[i]!));
  process.stdout.write(table(figures));
  const about = { machine: MACHINE, ...options, figures };
  const json = `${JSON.stringify(about, null, 2)}\n`;
  await writeFile(new URL("instances.json", import.meta.url), json);
  await writeFile(new URL("instances.svg", import.meta.url), drawn(figures));
  process.stdout.write("Drawn in bench/instances.svg.\n");
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

async function open(databaseUrl: string): Promise<Target> {
  const child = startChild("./server.ts");
  children.push(child);
  return child.ask<Target>({ do: "open", variant: SERVICE, file: databaseUrl });
}

async function openFleets(): Promise<Fleet[]> {
  const sqlite = await open(join(folder, "merchant.db"));
  const instances: Target[] = [];
  for (let i = 0; i < MOST; i++) instances.push(await open(server.url));
  const oneKey = (targets: Target[]) =>
    targets.map(({ url }) => ({ url, headers: instances[0]!.headers }));
  return [
    { label: "SQLite, one process", targets: [sqlite] },
    { label: "PostgreSQL, 1 instance", targets: instances.slice(0, 1) },
    ...[2, 4].flatMap((n) => [
      { label: `PostgreSQL, ${n} instances, one key`, targets: oneKey(instances.slice(0, n)) },
      { label: `PostgreSQL, ${n} instances, a key each`, targets: instances.slice(0, n) },
    ]),
  ];
}

async function measure(fleets: Fleet[], loaders: Child[]): Promise<Stretch[][]> {
  const progress = createProgress(fleets.length * (options.rounds + 1));
  const samples: Stretch[][] = fleets.map(() => []);
  for (let round = 0; round <= options.rounds; round++) {
    for (const [i, fleet] of fleets.entries()) {
      progress.step(`${round === 0 ? "warming up" : `round ${round}`}: ${fleet.label}`);
      const seconds = round === 0 ? 2 : options.seconds;
      const stretch = await load(fleet, loaders, seconds);
      if (round > 0) samples[i]!.push(stretch);
    }
  }
  progress.done();
  return samples;
}

/** All instances at once, the connections divided among them; the slowest one's p99 counts. */
async function load({ label, targets }: Fleet, loaders: Child[], seconds: number) {
  const connections = Math.ceil(options.connections / targets.length);
  const all = await Promise.all(
    targets.map((target, i) => loaders[i]!.ask<Stretch>({ target, connections, seconds })),
  );
  const sum = (of: (stretch: Stretch) => number) => all.reduce((n, one) => n + of(one), 0);
  const failed = sum((one) => one.failed);
  if (failed > 0) throw new Error(`${label}: ${failed} answers were not 2xx`);
  const p99Ms = Math.max(...all.map((one) => one.p99Ms));
  const p50Ms = Math.max(...all.map((one) => one.p50Ms));
  return { done: sum((one) => one.done), failed, seconds: all[0]!.seconds, p50Ms, p99Ms };
}

function summary(label: string, rounds: Stretch[]) {
  const rates = rounds.map(({ done, seconds }) => done / seconds).sort((a, b) => a - b);
  const middle = <T>(values: T[]): T => values[Math.floor(values.length / 2)]!;
  return {
    label,
    perSecond: Math.round(middle(rates)),
    slowestRound: Math.round(rates[0]!),
    fastestRound: Math.round(rates.at(-1)!),
    p50Ms: middle(rounds.map(({ p50Ms }) => p50Ms).sort((a, b) => a - b)),
    p99Ms: middle(rounds.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b)),
  };
}

function table(figures: ReturnType<typeof summary>[]): string {
  const rows = figures.map((f) =>
    [f.label, f.perSecond, `${f.slowestRound}–${f.fastestRound}`, f.p50Ms, f.p99Ms].join(" | "),
  );
  const head = "| | quotes/s | rounds | p50 ms | p99 ms |\n| --- | --: | --: | --: | --: |\n";
  return `${head}${rows.map((row) => `| ${row} |\n`).join("")}`;
}

type Summary = ReturnType<typeof summary>;

function drawn(figures: Summary[]): string {
  return bars<Summary>({
    name: "Quotes over HTTP on PostgreSQL: throughput and waiting",
    title: "Quotes over HTTP: instances on PostgreSQL beside one process on SQLite",
    footer: `Medians of ${options.rounds} interleaved rounds of ${options.seconds} s, ${options.connections} connections. ${MACHINE}, shared by load, instances and database.`,
    figures,
    describe: (f) => `${f.label}: ${f.perSecond} quotes per second, p99 ${f.p99Ms} ms`,
    colour: (f) => (f.label.startsWith("SQLite") ? "#8a4b1f" : "#4f7ca8"),
    panels: [
      {
        title: "Throughput",
        axis: "quotes per second (more is better)",
        value: (f) => f.perSecond,
        text: (f) => f.perSecond.toLocaleString("en-US"),
        scales: () => true,
      },
      {
        title: "Waiting",
        axis: "p99 in ms (less is better)",
        value: (f) => f.p99Ms,
        text: (f) => String(f.p99Ms),
        scales: () => true,
      },
    ],
  });
}
