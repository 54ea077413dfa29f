/** Both schemas, core/records.ts, the migrations and the migrated databases agree. */
import { readFileSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from "drizzle-kit/api";
import type { SQL, Table } from "drizzle-orm";
import { PgDialect, type PgTable, getTableConfig as postgresConfig } from "drizzle-orm/pg-core";
import {
  SQLiteSyncDialect,
  type SQLiteTable,
  getTableConfig as sqliteConfig,
} from "drizzle-orm/sqlite-core";
import { describe, expect, expectTypeOf, test } from "vitest";
import { PRIMARY_KEYS, TABLE_NAMES, type TableName, type Tables } from "../../src/core/records.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { schema as postgres } from "../../src/db/postgres/schema.ts";
import { schema as sqlite } from "../../src/db/sqlite/schema.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import { freshPostgres, query } from "../support/postgres.ts";
import { scratchFile } from "../support/stores.ts";

type Flat<T> = { [K in keyof T]: T[K] };
type Rows<S extends Record<TableName, Table>> = { [N in TableName]: Flat<S[N]["$inferSelect"]> };
type Records = { [N in TableName]: Flat<Tables[N]> };

/** Description of a table, alike for both engines. */
interface Shape {
  columns: Record<string, { text: boolean; notNull: boolean }>;
  key: string[];
  indexes: Record<string, { unique: boolean; columns: string[]; where: string | null }>;
}

function shape(
  config: ReturnType<typeof postgresConfig> | ReturnType<typeof sqliteConfig>,
  render: (where: SQL) => string,
): Shape {
  const single = config.columns.filter((column) => column.primary).map((column) => column.name);
  const composite = config.primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
  return {
    columns: Object.fromEntries(
      config.columns.map((column) => [
        column.name,
        { text: column.getSQLType() === "text", notNull: column.notNull },
      ]),
    ),
    key: [...single, ...composite],
    indexes: Object.fromEntries(
      config.indexes.map(({ config: index }) => [
        index.name ?? "",
        {
          unique: index.unique,
          columns: index.columns.map((column) =>
            "name" in column ? String(column.name) : "an expression",
          ),
          where: index.where ? render(index.where) : null,
        },
      ]),
    ),
  };
}

const inPostgres = (name: TableName): Shape =>
  shape(
    postgresConfig(tableOf(postgres, name) as PgTable),
    (where) => new PgDialect().sqlToQuery(where).sql,
  );

const inSqlite = (name: TableName): Shape =>
  shape(
    sqliteConfig(tableOf(sqlite, name) as SQLiteTable),
    (where) => new SQLiteSyncDialect().sqlToQuery(where).sql,
  );

const tableOf = (schema: object, name: TableName): unknown =>
  (schema as { [table: string]: unknown })[name];

describe("both schemas", () => {
  test("have the rows of core/records.ts, which the compiler checks", () => {
    expectTypeOf<Rows<typeof sqlite>>().toEqualTypeOf<Records>();
    expectTypeOf<Rows<typeof postgres>>().toEqualTypeOf<Records>();
  });

  test("have exactly its tables, under the same names", () => {
    expect(Object.keys(sqlite).sort()).toEqual([...TABLE_NAMES].sort());
    expect(Object.keys(postgres).sort()).toEqual([...TABLE_NAMES].sort());
    for (const name of TABLE_NAMES) {
      expect(sqliteConfig(tableOf(sqlite, name) as SQLiteTable).name).toBe(name);
      expect(postgresConfig(tableOf(postgres, name) as PgTable).name).toBe(name);
    }
  });

  test.each(TABLE_NAMES)("declare %s alike: columns, nulls, key, indexes", (name) => {
    expect(inPostgres(name)).toEqual(inSqlite(name));
    expect(inPostgres(name).key).toEqual([...PRIMARY_KEYS[name]]);
  });

  test("name columns in the code as in the database", () => {
    for (const schema of [sqlite, postgres]) {
      for (const name of TABLE_NAMES) {
        const table = tableOf(schema, name) as { [column: string]: { name: string } };
        const config = schema === sqlite ? inSqlite(name) : inPostgres(name);
        for (const column of Object.keys(config.columns)) expect(table[column]?.name).toBe(column);
      }
    }
  });
});

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
      expect(own(columns, "needed")).toEqual(mapped(wanted.columns, ({ notNull }) => [notNull]));
      expect(own(indexes, "only", "partial")).toEqual(
        mapped(wanted.indexes, ({ unique, where }) => [unique, where !== null]),
      );
    }
  });
});

/** A migrated database's own description: one row per column, and one per index. */
interface Made {
  columns: Record<string, unknown>[];
  indexes: Record<string, unknown>[];
}

const mapped = <V>(of: Record<string, V>, to: (value: V) => boolean[]) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value)]));
