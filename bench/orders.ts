import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { Command } from "commander";
import pg from "pg";
import { readConfig } from "../src/app/config.ts";
import { createLog } from "../src/app/log.ts";
import { contents } from "../src/app/registry.ts";
import { type RunningService, serve } from "../src/app/serve.ts";
import { VERSION } from "../src/app/version.ts";
import { CATALOG_FILE } from "../test/support/catalog.ts";
import { createPostgres } from "../test/support/postgres-server.ts";
import { purchase } from "../test/support/purchase.ts";
import { benchmark } from "./benchmark.ts";
import { markdown, median } from "./figures.ts";
import { QUERY_PLANS, type Run, seed, TEMPLATE } from "./orders-seed.ts";
import { createProgress } from "./progress.ts";

/**
 * `node bench/orders.ts`: a page of a key's orders, by the verb that answers /v1/orders and list_orders,
 * at 1,000 and at 1,000,000 orders per key on both engines. Ends with 1 where the aim is missed.
 */
const { orders: many, rounds } = new Command("bench:orders")
  .option("--orders <n>", "orders of the large key", Number, 1_000_000)
  .option("--rounds <n>", "how often each page is read", Number, 300)
  .parse()
  .opts<{ orders: number; rounds: number }>();

const FEW = 1000;
/** How many times as long the large key's page may take. */
const AIM = 1.3;
const BUYER = "buyer@example.com";

interface Figure {
  page: string;
  fewMs: number;
  manyMs: number;
}

const progress = createProgress(8);
await benchmark(async ({ folder, atEnd }) => {
  const file = join(folder, "merchant.db");
  await report("SQLite", `sqlite:${file}`, sqliteRun(file));
  const server = await createPostgres();
  atEnd(server.remove);
  const client = new pg.Client({ connectionString: server.url });
  client.on("error", () => {});
  await client.connect();
  atEnd(() => client.end());
  const run: Run = async (sql, values) => (await client.query(sql, values)).rows;
  await report("PostgreSQL", server.url, run);
  progress.done();
});

function sqliteRun(file: string): Run {
  return async (sql, values) => {
    const db = new BetterSqlite3(file);
    try {
      const statement = db.prepare(sql.replace(/\$\d+/g, "?"));
      if (statement.reader) return statement.all(...values) as Record<string, unknown>[];
      statement.run(...values);
      return [];
    } finally {
      db.close();
    }
  };
}

async function report(engine: string, databaseUrl: string, run: Run): Promise<void> {
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: databaseUrl,
    RATE_LIMITS: "off",
    LOG_LEVEL: "silent",
    CATALOG_FILE,
  });
  const served = await serve(config, { log: createLog("silent"), contents, version: VERSION });
  try {
    progress.step(`${engine}: a first order`);
    const { order } = await purchase(served.baseUrl, { email: BUYER });
    for (const [key, count] of [
      ["few", FEW],
      ["many", many],
    ] as const) {
      progress.step(`${engine}: ${count.toLocaleString("en-US")} orders`);
      await seed(run, order.id, key, count);
    }
    await run("analyze", []);
    progress.step(`${engine}: reading pages`);
    show(engine, await measure(served));
    for (const plan of QUERY_PLANS[engine] ?? []) {
      const rows = await run(plan, [`agt_many`]);
      process.stdout.write(rows.map((row) => `    ${Object.values(row).at(-1)}\n`).join(""));
    }
  } finally {
    await served.stop();
  }
}

async function measure({ service }: RunningService): Promise<Figure[]> {
  const { list } = service.merchant.orders;
  const figures: Figure[] = [];
  const share = (key: string, part: number) => {
    const count = key === "few" ? FEW : many;
    return new Date(TEMPLATE.since + Math.floor(count * part)).toISOString();
  };
  const pages: [string, (key: string) => object][] = [
    ["first page of 20", () => ({})],
    ["a page in the middle", (key) => ({ before: share(key, 0.5) })],
    ["the last page", (key) => ({ before: share(key, 0.03) })],
    ["first page of one buyer", () => ({ buyer_email: BUYER })],
  ];
  for (const [page, of] of pages) {
    const times = { few: [] as number[], many: [] as number[] };
    for (let round = -20; round < rounds; round++) {
      for (const key of round % 2 ? (["few", "many"] as const) : (["many", "few"] as const)) {
        const began = performance.now();
        const { orders } = await list(`agt_${key}`, { limit: 20, ...of(key) });
        if (orders.length !== 20) throw new Error(`${page}: ${orders.length} orders`);
        if (round >= 0) times[key].push(performance.now() - began);
      }
    }
    figures.push({ page, fewMs: median(times.few), manyMs: median(times.many) });
  }
  return figures;
}

function show(engine: string, figures: Figure[]): void {
  const rows = figures.map(({ page, fewMs, manyMs }) => {
    const ratio = manyMs / fewMs;
    if (ratio > AIM) process.exitCode = 1;
    return [page, fewMs.toFixed(2), manyMs.toFixed(2), `${ratio.toFixed(2)}×`];
  });
  const head = [engine, `${FEW} orders, ms`, `${many} orders, ms`, "ratio"];
  process.stdout.write(`\n${markdown(head, rows)}`);
}
