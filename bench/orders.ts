import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { getTableColumns } from "drizzle-orm";
import pg from "pg";
import { schema } from "../src/db/sqlite/schema.ts";
import { createPostgres } from "../test/support/postgres-server.ts";
import { purchase } from "../test/support/purchase.ts";
import { REAL_CLOCK, startService } from "../test/support/service.ts";
import { type Bench, inRounds, median, type Row } from "./measure.ts";

const FEW = 1000;
const PAGE = 20;
const READS_PER_ROUND = 5;
const FIRST_ORDER = Date.UTC(2025, 0, 1);
const BUYER = "buyer@example.com";

/** Runs one statement on the database itself. */
type Run = (sql: string, values: unknown[]) => Promise<unknown>;

/** Time to read a page of an agent's orders in a large shop, beside a small shop, on both engines. */
export async function orders(bench: Bench): Promise<Row[]> {
  const file = join(bench.folder, "orders.db");
  const sqlite: Run = async (sql, values) => {
    const db = new BetterSqlite3(file);
    db.prepare(sql.replace(/\$\d+/g, "?")).run(...values);
    db.close();
  };
  const server = await createPostgres();
  bench.atEnd(server.remove);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  bench.atEnd(() => client.end());
  return [
    ...(await onEngine("SQLite", bench, `sqlite:${file}`, sqlite)),
    ...(await onEngine("PostgreSQL", bench, server.url, (sql, values) =>
      client.query(sql, values),
    )),
  ];
}

async function onEngine(
  engine: string,
  bench: Bench,
  databaseUrl: string,
  run: Run,
): Promise<Row[]> {
  const served = await startService({ DATABASE_URL: databaseUrl }, REAL_CLOCK);
  bench.atEnd(served.stop);
  const { order, quote } = await purchase(served.baseUrl, { email: BUYER });
  const shops = [FEW, bench.orders];
  for (const count of shops) await seed(run, { orderId: order.id, quoteId: quote.id, count });
  await run("analyze", []);
  const pages: [page: string, filter: object][] = [
    ["first page", {}],
    ["one buyer's first page", { buyer_email: BUYER }],
  ];
  const { list } = served.service.merchant.orders;
  const subjects = pages.flatMap(([page, filter]) => {
    const name = (count: number) => `${page} of ${count.toLocaleString("en-US")} orders, ${engine}`;
    return shops.map((count) => ({
      label: name(count),
      ...(count > FEW && { versus: name(FEW) }),
      async measure() {
        const began = performance.now();
        for (let i = 0; i < READS_PER_ROUND; i++) {
          const { orders } = await list(`agt_${count}`, { limit: PAGE, ...filter });
          if (orders.length !== PAGE) throw new Error(`${page}: ${orders.length} orders`);
        }
        return (performance.now() - began) / READS_PER_ROUND;
      },
    }));
  });
  const show = (samples: readonly number[]) => `${median(samples).toFixed(2)} ms`;
  // A page takes milliseconds, so many short rounds cost little.
  return inRounds(subjects, { ...bench, rounds: 20 * bench.rounds }, { ratioOf: (ms) => ms, show });
}

interface Seed {
  orderId: string;
  quoteId: string;
  count: number;
}

/** Copies a real order for one agent, a millisecond apart, with one statement per table. */
async function seed(run: Run, { orderId, quoteId, count }: Seed): Promise<void> {
  const id = (prefix: string) => `'${prefix}_${count}_' || n`;
  const agent_id = `'agt_${count}'`;
  const order = { agent_id, number: "null", created_at: `${FIRST_ORDER} + n` };
  await copy("orders", "id", orderId, { ...order, id: id("ord"), quote_id: id("qte") });
  await copy("shipments", "order_id", orderId, { id: id("shp"), order_id: id("ord") });
  const quote = { id: id("qte"), agent_id, review_token_hash: id("rev") };
  // Only the newest quotes are read.
  await copy("quotes", "id", quoteId, quote, `n > ${count - FEW}`);

  async function copy(
    table: "orders" | "shipments" | "quotes",
    key: string,
    value: string,
    changes: Record<string, string>,
    where = "true",
  ): Promise<void> {
    const names = Object.keys(getTableColumns(schema[table]));
    await run(
      `insert into ${table} (${names.join(", ")})
       with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${count})
       select ${names.map((name) => changes[name] ?? `t.${name}`).join(", ")}
       from counter cross join ${table} t where t.${key} = $1 and ${where}`,
      [value],
    );
  }
}
