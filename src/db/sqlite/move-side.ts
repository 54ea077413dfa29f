import { existsSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { PAGE_ROWS, type Side } from "../move-side.ts";
import { columnsOf, quoted, type Row } from "../rows.ts";
import { openSqlite } from "./sqlite-store.ts";
import { Rows } from "./statements.ts";

/** Holds the file's write lock for the whole move: neither side is written to meanwhile. */
export async function sqliteSide(file: string, mustExist: boolean): Promise<Side> {
  if (mustExist && !existsSync(file)) throw new Error(`there is no file ${file}`);
  // Opening it as the service does brings it to the newest schema.
  await (await openSqlite({ file })).close();
  const client = new BetterSqlite3(file, { timeout: 5000 });
  client.pragma("synchronous = FULL");
  try {
    client.exec("BEGIN IMMEDIATE");
  } catch (error) {
    client.close();
    throw error;
  }
  const writer = new Rows(client);
  return {
    engine: "sqlite",
    migrations: "__drizzle_migrations",
    async count(table) {
      return client.prepare(`select count(*) from ${table}`).pluck().get() as number;
    },
    async *pages(table) {
      const columns = columnsOf(table).map(quoted);
      let page: Row[] = [];
      const rows = client.prepare(`select ${columns} from "${table}"`).iterate();
      for (const row of rows as IterableIterator<Row>) {
        page.push(row);
        if (page.length < PAGE_ROWS) continue;
        yield page;
        page = [];
      }
      if (page.length > 0) yield page;
    },
    async insert(table, rows) {
      writer.write(rows.map((row) => ({ op: "insert", table, touched: [], row })));
    },
    async commit() {
      client.exec("COMMIT");
    },
    async close() {
      if (client.inTransaction) client.exec("ROLLBACK");
      client.close();
    },
  };
}
