/**
 * The database itself refuses changes to immutable rows, even from other programs.
 */

import BetterSqlite3 from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { insert, update, type Write } from "../../src/core/command.ts";
import { RETENTION_DAYS } from "../../src/core/policy.ts";
import type { AttemptRow, QuoteRow } from "../../src/core/records.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import { countRows } from "../support/all-rows.ts";
import { query } from "../support/postgres.ts";
import { describeEveryStore, engine, scratchFile, usualStore } from "../support/stores.ts";
import { NOW, order, tell, write } from "./rules.ts";

const quote: QuoteRow = {
  id: "q1",
  agent_id: null,
  quote_hash: "hash",
  terms: "{}",
  buyer_email: "buyer@example.com",
  cart: null,
  customer: "buyer@example.com",
  total_minor: 3200,
  created_at: NOW,
  expires_at: Date.now(),
};

async function fill(store: Store): Promise<void> {
  await store.run(write, [insert("quotes", quote), insert("orders", order("o1"))]);
  await store.run(tell, { order: "o1", id: "e1" });
  const line = { order_id: "o1", payment_ref: "pi_1", kind: "REFUND", cause: "r1" } as const;
  await store.run(write, [insert("ledger", { ...line, id: "r1:1", amount_minor: -100, at: NOW })]);
}

const CHANGES = [
  "update quotes set total_minor = 1 where id = 'q1'",
  "update quotes set total_minor = total_minor",
  "delete from quotes",
  "update quotes set buyer_email = 'erased', customer = 'erased', total_minor = 1",
  "update quotes set buyer_email = 'erased', customer = 'erased', quote_hash = ''",
  "update events set data = 'other'",
  "delete from events",
  "update ledger set amount_minor = 1",
  "delete from ledger",
];

/** An empty store of this engine, and a connection of another program. */
async function openBeside() {
  if (engine() === "postgres") {
    const { url, store } = await usualStore();
    onTestFinished(() => store.close());
    return { store, sql: (text: string) => query(url, text) };
  }
  const file = await scratchFile();
  const store = await openSqlite({ file });
  onTestFinished(() => store.close());
  const sql = async (text: string) => {
    const db = new BetterSqlite3(file);
    try {
      const statement = db.prepare(text);
      return statement.reader ? statement.all() : statement.run();
    } finally {
      db.close();
    }
  };
  return { store, sql };
}

const TRUNCATES = ["truncate quotes", "truncate events", "truncate ledger"];

test("quotes, events and the ledger refuse each change", async () => {
  const { store, sql } = await openBeside();
  await fill(store);
  for (const change of [...CHANGES, ...(engine() === "postgres" ? TRUNCATES : [])]) {
    await expect(sql(change), change).rejects.toThrow(/never|changes|deleted/);
  }
  const total = "select cast(total_minor as integer) as total from quotes";
  expect(await sql(total)).toEqual([{ total: 3200 }]);
});

const DAY_MS = 86_400_000;
const old: QuoteRow = {
  ...quote,
  expires_at: Date.now() - RETENTION_DAYS.unpaid_quotes * DAY_MS - 60_000,
};

const attempt = (change: Partial<AttemptRow>): Write =>
  insert("attempts", {
    id: "a1",
    quote_id: "q1",
    status: "ENDED",
    outcome: "EXPIRED",
    declined: 0,
    session_id: null,
    payment_ref: null,
    url: null,
    created_at: NOW,
    expires_at: NOW,
    holds: "[]",
    customer: "buyer@example.com",
    check_at: null,
    ...change,
  });

const state = insert("quote_states", {
  quote_id: "q1",
  status: "OPEN",
  reason: null,
  order_id: null,
  paying_until: null,
  short: null,
  updated_at: NOW,
});

describe("a quote", () => {
  /** Stores rows, then runs another program's change and returns whether the database refused it. */
  async function afterChange(writes: Write[], change: string) {
    const { store, sql } = await openBeside();
    await store.run(write, [state, ...writes]);
    const refused = await sql(change).then(
      () => false,
      () => true,
    );
    return { refused, store };
  }

  test("that was never paid is deleted with its rows 30 days after it expired", async () => {
    const rows = [insert("quotes", old), attempt({})];
    const { refused, store } = await afterChange(rows, "delete from quotes");
    expect(refused).toBe(false);
    for (const table of ["quotes", "quote_states", "attempts"] as const) {
      expect([table, await countRows(store, table)]).toEqual([table, 0]);
    }
  });

  test.each<[string, Write[]]>([
    ["is younger", [insert("quotes", { ...old, expires_at: old.expires_at + 120_000 })]],
    ["has an order", [insert("quotes", old), insert("orders", { ...order("o"), quote_id: "q1" })]],
    ["has had a payment", [insert("quotes", old), attempt({ payment_ref: "pi_1" })]],
    ["may still be paid", [insert("quotes", old), attempt({ status: "PROCESSING" })]],
  ])("that %s is not deleted", async (_, rows) => {
    const { refused, store } = await afterChange(rows, "delete from quotes");
    expect(refused).toBe(true);
    expect(await countRows(store, "quote_states")).toBe(1);
  });

  const shipment = { address: { name: "Ada" }, gift_notes: ["Hi"], items: [{ quantity: 1 }] };
  const terms = { buyer: { email: "a@b.c" }, pricing: { total_minor: 1 }, shipments: [shipment] };
  const erasing = (changed: object) =>
    `update quotes set buyer_email = 'erased', customer = 'erased', terms = '${JSON.stringify(changed)}'`;
  const empty = { ...shipment, address: { name: "erased" }, gift_notes: [] };

  test("can have its buyer erased", async () => {
    const erased = { ...terms, buyer: { email: "erased" }, shipments: [empty] };
    const row = { ...quote, terms: JSON.stringify(terms) };
    expect((await afterChange([insert("quotes", row)], erasing(erased))).refused).toBe(false);
  });

  test.each([
    ["a price", { ...terms, pricing: { total_minor: 2 } }],
    ["a bag", { ...terms, shipments: [{ ...empty, items: [{ quantity: 2 }] }] }],
    ["a shipment", { ...terms, shipments: [empty, empty] }],
  ])("can't have %s changed by an erasure", async (_, changed) => {
    const row = { ...quote, terms: JSON.stringify(terms) };
    expect((await afterChange([insert("quotes", row)], erasing(changed))).refused).toBe(true);
  });
});

describeEveryStore("a rule that would change a quote", (open) => {
  test("fails with all its other writes", async () => {
    const { store } = await open();
    await fill(store);
    const changed = [
      insert("settings", { name: "beside", value: "1" }),
      update("quotes", { id: "q1" }, { total_minor: 3200 }),
    ];
    await expect(store.run(write, changed)).rejects.toThrow();
    expect(await countRows(store, "settings")).toBe(0);
  });
});
