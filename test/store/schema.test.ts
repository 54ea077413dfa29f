/** Two schemas, domain/records.ts, the migrations and what they make: all the same. */
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
import {
  PRIMARY_KEYS,
  TABLE_NAMES,
  type TableName,
  type Tables,
} from "../../src/domain/shared/records.ts";
import { MIGRATIONS } from "../../src/store/migrations.ts";
import { schema as postgres } from "../../src/store/postgres/schema.ts";
import { schema as sqlite } from "../../src/store/sqlite/schema.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts";
import { freshPostgres, query } from "../support/postgres.ts";
import { scratchFile } from "../support/stores.ts";

type Flat<T> = { [K in keyof T]: T[K] };
type Rows<S extends Record<TableName, Table>> = { [N in TableName]: Flat<S[N]["$inferSelect"]> };
type Records = { [N in TableName]: Flat<Tables[N]> };

/** What a table is, said the same way of either engine. */
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
  test("have the rows of domain/records.ts, which the compiler checks", () => {
    expectTypeOf<Rows<typeof sqlite>>().toEqualTypeOf<Records>();
    expectTypeOf<Rows<typeof postgres>>().toEqualTypeOf<Records>();
  });

  test("have exactly its tables, under their own names", () => {
    expect(Object.keys(sqlite).sort()).toEqual([...TABLE_NAMES].sort());
    expect(Object.keys(postgres).sort()).toEqual([...TABLE_NAMES].sort());
    for (const name of TABLE_NAMES) {
      expect(sqliteConfig(tableOf(sqlite, name) as SQLiteTable).name).toBe(name);
      expect(postgresConfig(tableOf(postgres, name) as PgTable).name).toBe(name);
    }
  });

  test.each(TABLE_NAMES)("say the same of %s: columns, nulls, key, indexes", (name) => {
    expect(inPostgres(name)).toEqual(inSqlite(name));
    expect(inPostgres(name).key).toEqual([...PRIMARY_KEYS[name]]);
  });

  test("name a column in the code as in the database", () => {
    for (const schema of [sqlite, postgres]) {
      for (const name of TABLE_NAMES) {
        const table = tableOf(schema, name) as { [column: string]: { name: string } };
        const config = schema === sqlite ? inSqlite(name) : inPostgres(name);
        for (const column of Object.keys(config.columns)) expect(table[column]?.name).toBe(column);
      }
    }
  });
});

/** The newest snapshot that drizzle-kit has left beside the migrations. */
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

  test("make in SQLite what the schema says", async () => {
    const file = await scratchFile();
    await (await openSqlite({ file })).close();
    const db = new BetterSqlite3(file, { readonly: true });
    const all = (text: string, ...values: string[]) =>
      db.prepare(text).all(...values) as Record<string, unknown>[];
    for (const name of TABLE_NAMES) {
      const { columns, indexes } = inSqlite(name);
      const found = all('select name, "notnull" as needed from pragma_table_info(?)', name);
      expect(Object.fromEntries(found.map((row) => [row.name, row.needed === 1]))).toEqual(
        Object.fromEntries(
          Object.entries(columns).map(([column, { notNull }]) => [column, notNull]),
        ),
      );
      const made = all(
        "select name, \"unique\" as only, partial from pragma_index_list(?) where origin = 'c'",
        name,
      );
      expect(Object.fromEntries(made.map((row) => [row.name, [row.only, row.partial]]))).toEqual(
        Object.fromEntries(
          Object.entries(indexes).map(([index, { unique, where }]) => [
            index,
            [Number(unique), Number(where !== null)],
          ]),
        ),
      );
    }
    db.close();
  });

  test("make in PostgreSQL what the schema says", async () => {
    const url = await freshPostgres();
    const columns = await query(
      url,
      `select table_name, column_name, is_nullable = 'NO' as needed
         from information_schema.columns where table_schema = 'public'`,
    );
    const indexes = await query(
      url,
      `select c.relname as table_name, i.relname as name, indisunique as only,
              indpred is not null as partial
         from pg_index join pg_class c on c.oid = indrelid join pg_class i on i.oid = indexrelid
         join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and not indisprimary`,
    );
    for (const name of TABLE_NAMES) {
      const expected = inPostgres(name);
      const own = (rows: Record<string, unknown>[]) =>
        rows.filter((row) => row.table_name === name);
      expect(Object.fromEntries(own(columns).map((row) => [row.column_name, row.needed]))).toEqual(
        Object.fromEntries(
          Object.entries(expected.columns).map(([column, { notNull }]) => [column, notNull]),
        ),
      );
      expect(
        Object.fromEntries(own(indexes).map((row) => [row.name, [row.only, row.partial]])),
      ).toEqual(
        Object.fromEntries(
          Object.entries(expected.indexes).map(([index, { unique, where }]) => [
            index,
            [unique, where !== null],
          ]),
        ),
      );
    }
  });
});
