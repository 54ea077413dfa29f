import { getTableColumns } from "drizzle-orm";
import { schema } from "../src/db/sqlite/schema.ts";

/** One statement on the database itself, whichever it is. */
export type Run = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

export const TEMPLATE = { since: Date.UTC(2025, 0, 1) };

/** Quotes are read by their keys only: those of every so many orders are enough to fill whole pages. */
const WINDOW = 2000;

/** So many copies of a real order, all of one key, a millisecond apart, by one statement a table. */
export async function seed(run: Run, orderId: string, key: string, count: number): Promise<void> {
  const id = (prefix: string) => `'${prefix}_${key}_' || n`;
  await copy(run, "orders", count, {
    where: "t.id = $1",
    values: [orderId],
    set: {
      id: id("ord"),
      quote_id: id("qte"),
      agent_id: `'agt_${key}'`,
      number: "null",
      created_at: `${TEMPLATE.since} + n`,
    },
  });
  await copy(run, "shipments", count, {
    where: "t.order_id = $1",
    values: [orderId],
    set: { id: id("shp"), order_id: id("ord") },
  });
  const ends = `n <= ${WINDOW} or n > ${count - WINDOW}`;
  const middle = `n between ${count / 2 - WINDOW} and ${count / 2 + WINDOW}`;
  const [order] = await run("select quote_id from orders where id = $1", [orderId]);
  await copy(run, "quotes", count, {
    where: `t.id = $1 and (${ends} or ${middle} or n between ${count * 0.03 - WINDOW} and ${count * 0.03})`,
    values: [order?.quote_id],
    set: { id: id("qte"), agent_id: `'agt_${key}'`, review_token_hash: id("rev") },
  });
}

const { orders, shipments, quotes } = schema;
const TABLES = { orders, shipments, quotes };

interface Copy {
  where: string;
  values: unknown[];
  /** Columns that differ, as expressions over n. */
  set: Record<string, string>;
}

async function copy(
  run: Run,
  table: keyof typeof TABLES,
  count: number,
  { where, values, set }: Copy,
): Promise<void> {
  const names = Object.keys(getTableColumns(TABLES[table]));
  const columns = names.map((name) => set[name] ?? `t.${name}`);
  await run(
    `insert into ${table} (${names.join(", ")})
     with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ${count})
     select ${columns.join(", ")} from counter cross join ${table} t where ${where}`,
    values,
  );
}

const PAGE =
  "select * from orders where agent_id = $1 and created_at < 1767000000000 order by created_at desc limit 21";

export const QUERY_PLANS: Record<string, string[]> = {
  SQLite: [`explain query plan ${PAGE}`],
  PostgreSQL: [`explain ${PAGE}`],
};
