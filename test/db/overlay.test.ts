import fc from "fast-check";
import { expect, test } from "vitest";
import { insert, type Read, type Rule, update, type Write } from "../../src/core/command.ts";
import { TABLE_NAMES } from "../../src/core/records.ts";
import { Overlay } from "../../src/db/overlay.ts";
import { fits, keyOf, type Row } from "../../src/db/rows.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";

const TABLES = ["customers", "finder_credits"] as const;
type Name = (typeof TABLES)[number];

interface Command {
  reads: Read[];
  writes: Write[];
}

const orders = fc.integer({ min: 0, max: 2 });
const courtesy = fc.constantFrom(null, "RESERVED" as const, "REDEEMED" as const);
const email = fc.constantFrom("old1", "old2", "old3", "new1", "new2");
const agent_id = fc.constantFrom("a1", "a2");
const fingerprint = fc.constantFrom("f1", "f2", "f3");
const some = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(value, fc.array(value, { maxLength: 3 })) as fc.Arbitrary<T | T[]>;

const partial = (columns: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(columns, { requiredKeys: [] });

const reads = fc.oneof(
  partial({ email: some(email), paid_orders: some(orders), courtesy: some(courtesy) }).map(
    (match) => ({ table: "customers", match }),
  ),
  partial({ agent_id: some(agent_id), fingerprint: some(fingerprint) }).map((match) => ({
    table: "finder_credits",
    match,
  })),
) as fc.Arbitrary<Read>;

const writes = fc.oneof(
  // Keys of new rows are never in the database, which alone could know that one is taken.
  fc
    .record({ email: fc.constantFrom("new1", "new2"), paid_orders: orders, courtesy })
    .map((row) => insert("customers", { ...row, courtesy_attempt: null })),
  fc
    .record({
      key: fc.oneof(fc.record({ email }), fc.record({ paid_orders: orders })),
      set: partial({ paid_orders: orders, courtesy }).filter((set) => Object.keys(set).length > 0),
      expect: partial({ paid_orders: orders, courtesy }),
    })
    .map(({ key, set, expect: guard }) => update("customers", key, set, guard)),
  fc
    .record({ agent_id, fingerprint, created_at: orders })
    .map(({ agent_id, fingerprint, created_at }) =>
      update("finder_credits", { agent_id, fingerprint }, { created_at }),
    ),
) as fc.Arbitrary<Write>;

const commands = fc.array(
  fc.record({
    reads: fc.array(reads, { maxLength: 3 }),
    writes: fc.array(writes, { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

const BASE: Record<Name, Row[]> = {
  customers: ["old1", "old2", "old3"].map((name, i) => ({
    email: name,
    paid_orders: i,
    courtesy: i === 0 ? null : "RESERVED",
    courtesy_attempt: null,
  })),
  finder_credits: ["f1", "f2"].map((name, i) => ({
    agent_id: "a1",
    fingerprint: name,
    credit: "{}",
    created_at: i,
  })),
};

interface SeenRows {
  /** Rows that each command saw, then whether its writes succeeded. */
  shown: Record<Name, Row[]>;
  held: boolean;
}

const sorted = (table: Name, rows: readonly unknown[]): Row[] =>
  [...(rows as Row[])].sort((a, b) => (keyOf(table, a) < keyOf(table, b) ? -1 : 1));

/** One transaction as on PostgreSQL: loads the needed rows, then decides in memory. */
function inMemory(all: readonly Command[]): { seen: SeenRows[]; rows: Record<Name, Row[]> } {
  const overlay = new Overlay();
  for (const { table, match } of all.flatMap((one) => one.reads)) {
    const base = BASE[table as Name].filter((row) => fits(row, match as Row));
    overlay.load(table, base, true);
  }
  const seen = all.map(({ reads, writes }) => {
    const state = overlay.state(reads);
    const shown = {
      customers: sorted("customers", state.customers),
      finder_credits: sorted("finder_credits", state.finder_credits),
    };
    for (const { table, match } of overlay.unlocked(writes)) {
      overlay.load(
        table,
        BASE[table as Name].filter((row) => fits(row, match)),
        true,
      );
    }
    try {
      overlay.apply(writes);
      return { shown, held: true };
    } catch {
      return { shown, held: false };
    }
  });
  const rows = { customers: [...BASE.customers], finder_credits: [...BASE.finder_credits] };
  for (const { table, row } of overlay.changes()) {
    const list = rows[table as Name];
    const at = list.findIndex((other) => keyOf(table, other) === keyOf(table, row));
    if (at < 0) list.push(row);
    else list[at] = row;
  }
  return { seen, rows };
}

const everything: Read[] = TABLES.map((table) => ({ table, match: {} }) as Read);

/** Runs the same commands on a database, one transaction each. */
async function inSqlite(store: Store, all: readonly Command[]) {
  const base = TABLES.flatMap((table) => BASE[table].map((row) => insert(table, row as never)));
  await store.run({ reads: () => [], decide: () => ({ reply: null, writes: base }) }, null);
  const seen: SeenRows[] = [];
  for (const command of all) {
    const one: SeenRows = { shown: { customers: [], finder_credits: [] }, held: true };
    const rule: Rule<Command, null> = {
      reads: (c) => c.reads,
      decide(c, s) {
        for (const table of TABLES) one.shown[table] = sorted(table, s[table]);
        return { reply: null, writes: c.writes };
      },
    };
    await store.run(rule, command).catch(() => {
      one.held = false;
    });
    seen.push(one);
  }
  const rows = await store.run(
    { reads: () => everything, decide: (_: null, s) => ({ reply: s, writes: [] }) },
    null,
  );
  return { seen, rows };
}

test("commands decided in memory see and write the same rows as in a database", async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (all) => {
      const store = await openSqlite({ file: ":memory:" });
      try {
        const expected = await inSqlite(store, all);
        const actual = inMemory(all);
        expect(actual.seen).toEqual(expected.seen);
        for (const table of TABLES) {
          expect(sorted(table, actual.rows[table])).toEqual(sorted(table, expected.rows[table]));
        }
      } finally {
        await store.close();
      }
    }),
    { numRuns: 120 },
  );
});

test("a rule that changes its input rows does not affect other rules", () => {
  const overlay = new Overlay();
  const asked: Read[] = [{ table: "customers", match: { email: "old1" } }];
  overlay.load("customers", BASE.customers, true);
  overlay.state(asked).customers[0]!.paid_orders = 99;
  expect(overlay.state(asked).customers[0]!.paid_orders).toBe(0);
});

test("a rule sees only the rows of its own reads", () => {
  const overlay = new Overlay();
  overlay.load("customers", BASE.customers, true);
  const state = overlay.state([{ table: "customers", match: { email: "old2" } }]);
  expect(state.customers.map((row) => row.email)).toEqual(["old2"]);
  for (const table of TABLE_NAMES) if (table !== "customers") expect(state[table]).toEqual([]);
});

test("updates are written in the order in which they were decided, however the rows were read", () => {
  const overlay = new Overlay();
  const rows = BASE.customers;
  overlay.load("customers", rows, true);
  const takes = update("customers", { email: "old1" }, { courtesy: "REDEEMED" });
  const givesUp = update("customers", { email: "old3" }, { courtesy: null });
  overlay.apply([givesUp, takes]);
  expect(overlay.changes().map(({ row }) => row.email)).toEqual(["old3", "old1"]);
});
