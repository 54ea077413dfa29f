/** Databases of other versions: 0.2.0's opens, an older or unreadable one is refused in one line. */
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { drizzle as onSqlite } from "drizzle-orm/better-sqlite3";
import { migrate as migrateSqlite } from "drizzle-orm/better-sqlite3/migrator";
import { drizzle as onPostgres } from "drizzle-orm/node-postgres";
import { migrate as migratePostgres } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { startProblem } from "../../src/app/start.ts";
import { update } from "../../src/core/command.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import { barePostgres } from "../support/postgres.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { scratchFile } from "../support/stores.ts";
import { write } from "./rules.ts";

/** Time of the last migration of 0.2.0, as its databases record it. */
const RELEASED = { sqlite: 1795729634417, postgres: 1795729635375 };

/** Folder with the first migration only: the schema of 0.2.0. */
async function firstMigration(engine: keyof typeof MIGRATIONS): Promise<string> {
  const folder = await scratchFolder("migrations");
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(MIGRATIONS[engine], folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8")) as { entries: object[] };
  const entries = journal.entries.slice(0, 1);
  await writeFile(file, JSON.stringify({ ...journal, entries }));
  return folder;
}

interface Released {
  journal: string;
  released: number;
  execute(sql: string): Promise<unknown>;
  open(): Promise<Store>;
}

async function sqliteOfRelease(): Promise<Released> {
  const file = await scratchFile();
  const client = new BetterSqlite3(file);
  onTestFinished(() => void client.close());
  migrateSqlite(onSqlite(client), { migrationsFolder: await firstMigration("sqlite") });
  return {
    journal: "__drizzle_migrations",
    released: RELEASED.sqlite,
    execute: async (sql) => client.exec(sql),
    open: () => openSqlite({ file }),
  };
}

async function postgresOfRelease(): Promise<Released> {
  const url = await barePostgres();
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  await migratePostgres(onPostgres(client), { migrationsFolder: await firstMigration("postgres") });
  return {
    journal: "drizzle.__drizzle_migrations",
    released: RELEASED.postgres,
    execute: (sql) => client.query(sql),
    open: () => openPostgres({ url }),
  };
}

const TERMS = '{"buyer":{"email":"a@example.com"},"shipments":[]}';

const ROWS = `
  insert into stock (product_id, on_hand, held) values ('kenya', 7, 2);
  insert into quotes (id, quote_hash, terms, review_token_hash, buyer_email, customer, total_minor,
    created_at, expires_at)
  values ('qte_1', 'sha256:1', '${TERMS}', '', 'a@example.com', 'a@example.com', 2200, 1,
    9999999999999);
  insert into quote_states (quote_id, status, updated_at) values ('qte_1', 'CHECKOUT_READY', 1);
  insert into attempts (id, quote_id, status, session_id, created_at, expires_at, hold_until, holds,
    check_at)
  values ('pay_1', 'qte_1', 'OPEN', 'cs_1', 1, 2, 3, '[]', 4);`;

describe.each([
  ["SQLite", sqliteOfRelease],
  ["PostgreSQL", postgresOfRelease],
])("on %s", (_, release) => {
  /** Replaces the record of the first migration by those of all migrations of a version. */
  const recordNewest = ({ journal, execute }: Released, newest: number) =>
    execute(`delete from ${journal};
      insert into ${journal} (hash, created_at) values ('first', 1), ('newest', ${newest})`);

  const problemOf = async ({ open }: Released) =>
    startProblem(await open().catch((cause: unknown) => cause));

  test("a database of 0.2.0 opens with its rows, and quotes stay immutable", async () => {
    const database = await release();
    await database.execute(ROWS);
    await recordNewest(database, database.released);
    const store = await database.open();
    onTestFinished(() => store.close());
    expect(store.migratedByNewerVersion).toBe(false);
    const { queries } = store;
    expect(await queries.stock()).toMatchObject([{ product_id: "kenya", on_hand: 7, held: 2 }]);
    expect(await queries.attempt("pay_1")).toMatchObject({ session_id: "cs_1", check_at: 4 });
    const changed = update("quotes", { id: "qte_1" }, { total_minor: 1 });
    await expect(store.run(write, [changed])).rejects.toThrow(/never changes/);
  });

  test("an older one is refused in one line and not changed", async () => {
    const database = await release();
    await recordNewest(database, database.released - 1);
    for (let starts = 0; starts < 2; starts++) {
      expect(await problemOf(database)).toBe(
        "The database cannot be opened: it is older than version 0.2.0; start 0.2.0 on it once, " +
          "then this version. Check DATABASE_URL.",
      );
    }
  });

  test("one that a newer version made unreadable is refused in one line", async () => {
    const database = await release();
    const store = await database.open();
    await store.close();
    await recordNewest(database, 9_999_999_999_999);
    await database.execute("alter table settings rename column value to text");
    expect(await problemOf(database)).toMatch(
      /^The database cannot be opened: a newer version has migrated it, and this version can't read it: .*\.$/,
    );
  });
});
