/** The schema of both engines, the committed migrations and the migrated databases agree. */
import { readFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from "drizzle-kit/api";
import { type PgTable, getTableConfig as postgresConfig } from "drizzle-orm/pg-core";
import { type SQLiteTable, getTableConfig as sqliteConfig } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import { TABLE_NAMES, type TableName } from "../../src/core/records.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { schema as postgres } from "../../src/db/postgres/schema.ts";
import { schema as sqlite } from "../../src/db/sqlite/schema.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import { freshPostgres, query } from "../support/postgres.ts";
import { scratchFile } from "../support/stores.ts";

type Config = ReturnType<typeof postgresConfig> | ReturnType<typeof sqliteConfig>;

/** Whether each column needs a value, and whether each index is unique and partial. */
const shape = ({ columns, indexes }: Config) => ({
  columns: Object.fromEntries(columns.map(({ name, notNull }) => [name, [notNull]])),
  indexes: Object.fromEntries(
    indexes.map(({ config: { name = "", unique, where } }) => [
      name,
      [unique, where !== undefined],
    ]),
  ),
});

const tableOf = (schema: object, name: TableName): unknown =>
  (schema as { [table: string]: unknown })[name];
const inPostgres = (name: TableName) => shape(postgresConfig(tableOf(postgres, name) as PgTable));
const inSqlite = (name: TableName) => shape(sqliteConfig(tableOf(sqlite, name) as SQLiteTable));

/** drizzle-kit's newest snapshot. */
function newestSnapshot(folder: string) {
  const journal = JSON.parse(readFileSync(`${folder}/meta/_journal.json`, "utf8"));
  const { idx } = journal.entries.at(-1);
  return JSON.parse(
    readFileSync(`${folder}/meta/${String(idx).padStart(4, "0")}_snapshot.json`, "utf8"),
  );
}

describe("the committed migrations", () => {
  test("leave drizzle-kit nothing to generate", async () => {
    const nextPostgres = generateDrizzleJson({ ...postgres });
    expect(await generateMigration(newestSnapshot(MIGRATIONS.postgres), nextPostgres)).toEqual([]);
    const nextSqlite = await generateSQLiteDrizzleJson({ ...sqlite });
    expect(await generateSQLiteMigration(newestSnapshot(MIGRATIONS.sqlite), nextSqlite)).toEqual(
      [],
    );
  });

  const madeInSqlite = async (): Promise<Made> => {
    const file = await scratchFile();
    await (await openSqlite({ file })).close();
    const db = new BetterSqlite3(file, { readonly: true });
    const all = (select: string) =>
      db.prepare(`${select} where m.type = 'table'`).all() as Record<string, unknown>[];
    const made = {
      columns: all(`select m.name as "table", c.name, c."notnull" as needed
        from sqlite_master m, pragma_table_info(m.name) c`),
      indexes: all(`select m.name as "table", i.name, i."unique" as only, i.partial
        from sqlite_master m join pragma_index_list(m.name) i on i.origin = 'c'`),
    };
    db.close();
    return made;
  };

  const madeInPostgres = async (): Promise<Made> => {
    const url = await freshPostgres();
    const columns = await query(
      url,
      `select table_name as table, column_name as name, is_nullable = 'NO' as needed
         from information_schema.columns where table_schema = 'public'`,
    );
    const indexes = await query(
      url,
      `select c.relname as table, i.relname as name, indisunique as only,
              indpred is not null as partial
         from pg_index join pg_class c on c.oid = indrelid join pg_class i on i.oid = indexrelid
         join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and not indisprimary`,
    );
    return { columns, indexes };
  };

  test.each([
    ["SQLite", inSqlite, madeInSqlite],
    ["PostgreSQL", inPostgres, madeInPostgres],
  ])("create the schema in %s", async (_, shapeOf, made) => {
    const { columns, indexes } = await made();
    for (const table of TABLE_NAMES) {
      const own = (rows: Record<string, unknown>[], ...says: string[]) =>
        Object.fromEntries(
          rows
            .filter((row) => row.table === table)
            .map((row) => [row.name, says.map((word) => Boolean(row[word]))]),
        );
      const wanted = shapeOf(table);
      expect(own(columns, "needed")).toEqual(wanted.columns);
      expect(own(indexes, "only", "partial")).toEqual(wanted.indexes);
    }
  });
});

/** A migrated database's own description: one row per column, and one per index. */
interface Made {
  columns: Record<string, unknown>[];
  indexes: Record<string, unknown>[];
}
