import { TABLE_NAMES } from "../../core/records.ts";
import { PAGE_ROWS, type Side } from "../move-side.ts";
import type { WriteStep } from "../overlay.ts";
import { columnsOf, quoted, type Row } from "../rows.ts";
import { numbers, ownClient } from "./connection.ts";
import { migrateOnce } from "./migrate.ts";
import { inBulk } from "./statements.ts";

/** Locks every table against writers for the whole move. */
export async function postgresSide(url: string, answerMs: number | undefined): Promise<Side> {
  await migrateOnce(url);
  const client = ownClient(url, "move", { lock_timeout: 5000, types: numbers(), answerMs });
  try {
    await client.connect();
    await client.query("begin isolation level read committed");
    await client.query(`lock table ${TABLE_NAMES.map(quoted)} in share row exclusive mode`);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return {
    engine: "postgres",
    migrations: "drizzle.__drizzle_migrations",
    async count(table) {
      const { rows } = await client.query(`select count(*) as n from ${table}`);
      return rows[0].n;
    },
    async *pages(table) {
      const columns = columnsOf(table).map(quoted);
      await client.query(`declare rows cursor for select ${columns} from ${quoted(table)}`);
      for (;;) {
        const { rows } = await client.query(`fetch ${PAGE_ROWS} from rows`);
        if (rows.length === 0) break;
        yield rows as Row[];
      }
      await client.query("close rows");
    },
    async insert(table, rows) {
      const steps = rows.map((row): WriteStep => ({ op: "insert", table, touched: [], row }));
      for (const { text, values } of inBulk(steps)) await client.query(text, values);
    },
    async commit() {
      await client.query("commit");
    },
    async close() {
      // Whatever was not committed ends with its connection.
      await client.end();
    },
  };
}
