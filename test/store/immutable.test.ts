/** What never changes is refused by the database itself, also to whoever goes round the service. */
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { insert, update } from "../../src/domain/shared/command.ts";
import type { QuoteRow } from "../../src/domain/shared/records.ts";
import { openPostgres } from "../../src/store/postgres/postgres-store.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { freshPostgres, query } from "../support/postgres.ts";
import { describeEveryStore, scratchFile } from "../support/stores.ts";
import { NOW, order, tell, write } from "./rules.ts";

const quote: QuoteRow = {
  id: "q1",
  agent_id: null,
  quote_hash: "hash",
  terms: "{}",
  review_hash: "review",
  buyer_email: "buyer@example.com",
  customer: "buyer@example.com",
  total_minor: 3200,
  created_at: NOW,
  expires_at: NOW + 1,
};

async function fill(store: Store): Promise<void> {
  await store.run(write, [insert("quotes", quote), insert("orders", order("o1"))]);
  await store.run(tell, { order: "o1", id: "e1" });
}

const CHANGES = [
  "update quotes set total_minor = 1 where id = 'q1'",
  "update quotes set total_minor = total_minor",
  "delete from quotes",
  "update events set data = 'other'",
  "delete from events",
];

describe("quotes and events in SQLite", () => {
  test.each(CHANGES)("refuse %s", async (change) => {
    const file = await scratchFile();
    const store = await openSqlite({ file });
    await fill(store);
    await store.close();
    const db = new BetterSqlite3(file);
    expect(() => db.prepare(change).run()).toThrow(/never|changes|deleted/);
    expect(db.prepare("select total_minor from quotes").pluck().get()).toBe(3200);
    db.close();
  });
});

describe("quotes and events in PostgreSQL", () => {
  test.each([...CHANGES, "truncate quotes", "truncate events"])("refuse %s", async (change) => {
    const url = await freshPostgres();
    const store = await openPostgres({ url });
    await fill(store);
    await store.close();
    await expect(query(url, change)).rejects.toThrow(/never changes/);
    expect(await query(url, "select total_minor from quotes")).toEqual([{ total_minor: "3200" }]);
  });
});

describeEveryStore("a rule that would change a quote", (open) => {
  test("fails, with all that it wrote beside", async () => {
    const { store } = await open();
    await fill(store);
    const changed = [
      insert("settings", { name: "beside", value: "1" }),
      update("quotes", { id: "q1" }, { total_minor: 3200 }),
    ];
    await expect(store.run(write, changed)).rejects.toThrow();
    expect(await store.queries.countRows("settings")).toBe(0);
  });
});
