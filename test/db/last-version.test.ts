/** A database of the previous version is migrated at the first start, on both engines. */
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { drizzle as onSqlite } from "drizzle-orm/better-sqlite3";
import { migrate as migrateSqlite } from "drizzle-orm/better-sqlite3/migrator";
import { drizzle as onPostgres } from "drizzle-orm/node-postgres";
import { migrate as migratePostgres } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startProblem } from "../../src/app/start.ts";
import { update } from "../../src/core/command.ts";
import { MIGRATIONS } from "../../src/db/migrations.ts";
import { move } from "../../src/db/move.ts";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import { barePostgres } from "../support/postgres.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { scratchFile } from "../support/stores.ts";
import { write } from "./rules.ts";

/** The newest migration of the previous version. */
const LAST = "0016_declined_attempts";

/** Folder with the migrations up to that one. */
async function earlierMigrations(engine: keyof typeof MIGRATIONS): Promise<string> {
  const folder = await scratchFolder("migrations");
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(MIGRATIONS[engine], folder, { recursive: true });
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8")) as { entries: { tag: string }[] };
  const end = journal.entries.findIndex(({ tag }) => tag === LAST) + 1;
  const entries = journal.entries.slice(0, end);
  await writeFile(file, JSON.stringify({ ...journal, entries }));
  return folder;
}

const TERMS = '{"buyer":{"email":"a@example.com"},"shipments":[]}';

/** Inserts with the columns of that version. */
const FILLING = [
  `insert into settings (name, value) values ('catalog.version', '3')`,
  `insert into stock (product_id, on_hand, held, low_at) values ('kenya', 7, 2, null)`,
  `insert into quotes (id, agent_id, quote_hash, terms, review_hash, buyer_email, customer, cart,
     total_minor, created_at, expires_at)
   values ('qte_1', null, 'sha256:1', '${TERMS}', 'the hash', 'a@example.com', 'a@example.com', null,
     2200, 1, 9999999999999)`,
  `insert into quote_states (quote_id, status, reason, order_id, paying_until, short, updated_at)
   values ('qte_1', 'CHECKOUT_READY', null, null, null, null, 1)`,
  `insert into attempts (id, quote_id, status, outcome, session_id, payment_ref, url, created_at,
     expires_at, hold_until, holds, courtesy, customer, payer, address, check_at)
   values ('pay_1', 'qte_1', 'OPEN', null, 'cs_1', null, null, 1, 2, 3, '[]', 1, 'a@example.com',
     null, null, 4)`,
  `insert into shipments (id, order_id, position, status, carrier, tracking_number)
   values ('shp_1', 'ord_1', 0, 'SHIPPED', 'UPS', '1Z 999-aa')`,
];

async function filledFile(): Promise<string> {
  const file = await scratchFile();
  const client = new BetterSqlite3(file);
  migrateSqlite(onSqlite(client), { migrationsFolder: await earlierMigrations("sqlite") });
  for (const statement of FILLING) client.exec(statement);
  client.close();
  return file;
}

async function filledServer(): Promise<string> {
  const url = await barePostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migratePostgres(onPostgres(client), {
    migrationsFolder: await earlierMigrations("postgres"),
  });
  for (const statement of FILLING) await client.query(statement);
  await client.end();
  return url;
}

async function expectAllThere(store: Store): Promise<void> {
  onTestFinished(() => store.close());
  const found = await store.queries.quoteByReviewToken("the hash");
  expect(found).toMatchObject({
    quote: { id: "qte_1", review_token_hash: "the hash", terms: TERMS },
    state: { status: "CHECKOUT_READY" },
  });
  expect(await store.queries.attempt("pay_1")).toMatchObject({ session_id: "cs_1", check_at: 4 });
  expect(await store.queries.attempt("pay_1")).not.toHaveProperty("courtesy");
  const [bean] = await store.queries.stock();
  expect(bean).toEqual({
    product_id: "kenya",
    on_hand: 7,
    held: 2,
    low_at: null,
    offers_from: null,
    catalog_version: 0,
  });
  expect(await store.queries.shipmentsTracked("1z999AA", 1)).toMatchObject([{ id: "shp_1" }]);
  const other = update("quotes", { id: "qte_1" }, { review_token_hash: "another" });
  await expect(store.run(write, [other])).rejects.toThrow(/never changes/);
}

test("SQLite: all rows are there, and quotes stay immutable", async () => {
  await expectAllThere(await openSqlite({ file: await filledFile() }));
});

test("PostgreSQL: all rows are there, and quotes stay immutable", async () => {
  await expectAllThere(await openPostgres({ url: await filledServer() }));
});

test("it moves to PostgreSQL with every row", async () => {
  const url = await barePostgres();
  const moved = await move({ from: `sqlite:${await filledFile()}`, to: url });
  expect(moved).toMatchObject({ settings: 1, stock: 1, quotes: 1, quote_states: 1, attempts: 1 });
  await expectAllThere(await openPostgres({ url }));
});

test("it moves to SQLite with every row", async () => {
  const file = await scratchFile();
  const moved = await move({ from: await filledServer(), to: `sqlite:${file}` });
  expect(moved).toMatchObject({ settings: 1, stock: 1, quotes: 1, quote_states: 1, attempts: 1 });
  await expectAllThere(await openSqlite({ file }));
});

test.each(["sqlite", "postgres"] as const)(
  "a database that a newer version made unreadable is refused in one line: %s",
  async (engine) => {
    const newer =
      "alter table settings rename column value to text; " +
      "insert into %(hash, created_at) values ('newer', 9999999999999)";
    let open: () => Promise<Store>;
    if (engine === "sqlite") {
      const file = await scratchFile();
      open = () => openSqlite({ file });
      await (await open()).close();
      new BetterSqlite3(file).exec(newer.replace("%", "__drizzle_migrations")).close();
    } else {
      const url = await barePostgres();
      open = () => openPostgres({ url });
      await (await open()).close();
      const client = new pg.Client(url);
      await client.connect();
      await client.query(newer.replace("%", "drizzle.__drizzle_migrations"));
      await client.end();
    }
    const error = await open().catch((cause: unknown) => cause);
    expect(startProblem(error)).toMatch(
      /^The database cannot be opened: a newer version has migrated it, and this version can't read it: .*\.$/,
    );
  },
);
