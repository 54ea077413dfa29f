import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import BetterSqlite3 from "better-sqlite3";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { insert, type Write } from "../../src/core/command.ts";
import { TABLE_NAMES } from "../../src/core/records.ts";
import { type MoveProgress, move } from "../../src/db/move.ts";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import type { Store } from "../../src/db/store.ts";
import { countRows } from "../support/all-rows.ts";
import { runCommand } from "../support/command.ts";
import { listenLocally, openGate } from "../support/loopback.ts";
import { barePostgres, freshPostgres, query } from "../support/postgres.ts";
import { scratchFile } from "../support/stores.ts";
import { NOW, order, setting, write } from "./rules.ts";

const texts = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\u0000", ""));

/** Texts that are hard to quote in a terminal, JSON or SQL, and numbers beyond 32 bits. */
const awkward: Write[] = fc
  .sample(fc.record({ text: texts, amount: fc.maxSafeInteger() }), { numRuns: 300, seed: 1 })
  .flatMap(({ text, amount }, i) => [
    insert("feedback", {
      id: `f${i}`,
      agent_id: "a",
      order_id: null,
      message: text,
      created_at: NOW,
    }),
    insert("refunds", {
      id: `r${i}`,
      attempt_id: "t",
      order_id: i % 2 ? text : null,
      payment_ref: `p${i}`,
      amount_minor: amount,
      reason: "MERCHANT",
      status: "PENDING",
      provider_ref: null,
      key_number: 1,
      tries: 0,
      try_at: null,
      problem: null,
      created_at: NOW,
      done_at: null,
    }),
  ]);

async function fill(store: Store): Promise<void> {
  const event = {
    order_id: "o1",
    sequence: 1,
    id: "e1",
    type: "order.confirmed",
    occurred_at: NOW,
    order_status: "CONFIRMED",
    data: '{"a":"\\u0000"}',
  } as const;
  await store.run(write, [
    ...awkward,
    setting("naïve ☕\n\"'\\", "\t"),
    insert("orders", { ...order("o1"), last_sequence: 1 }),
    insert("events", event),
  ]);
}

const everything = async (store: Store) =>
  store.run(
    {
      reads: () => TABLE_NAMES.map((table) => ({ table, match: {} }) as never),
      decide: (_: null, state) => ({
        reply: Object.fromEntries(
          TABLE_NAMES.map((table) => [
            table,
            state[table].map((row) => JSON.stringify(row)).sort(),
          ]),
        ),
        writes: [],
      }),
    },
    null,
  );

async function sqlite(file: string): Promise<Store> {
  const store = await openSqlite({ file });
  onTestFinished(() => store.close());
  return store;
}

async function postgres(url: string): Promise<Store> {
  const store = await openPostgres({ url });
  onTestFinished(() => store.close());
  return store;
}

test("a database moves from SQLite to PostgreSQL and back with equal rows", async () => {
  const first = await scratchFile("first.db");
  const store = await sqlite(first);
  await fill(store);
  const before = await everything(store);
  const url = await barePostgres();
  const steps: MoveProgress[] = [];
  const moved = await move({
    from: `sqlite:${first}`,
    to: url,
    progress: (step) => void steps.push(step),
  });
  expect(moved).toMatchObject({ feedback: 300, refunds: 300, settings: 1, stock: 0 });
  expect(steps.at(-1)).toMatchObject({ done: steps[0]!.total });
  expect(await everything(await postgres(url))).toEqual(before);
  const second = await scratchFile("second.db");
  await move({ from: url, to: `sqlite:${second}` });
  expect(await everything(await sqlite(second))).toEqual(before);
});

test.each(["target", "source"])(
  "a silent network ends a move and releases SQLite's lock: PostgreSQL as the %s",
  async (side) => {
    const file = await scratchFile();
    const gate = await openGate(await freshPostgres());
    onTestFinished(() => gate.close());
    const far = await postgres(gate.url);
    const near = await sqlite(file);
    await fill(side === "source" ? far : near);
    const [from, to] =
      side === "source" ? [gate.url, `sqlite:${file}`] : [`sqlite:${file}`, gate.url];
    const progress = () => gate.silence();
    await expect(move({ from, to, progress, statementMs: 500 })).rejects.toThrow(/timeout/);
    await near.run(write, [setting("after", "it")]);
    expect(await near.queries.setting("after")).toBe("it");
  },
);

test("a target with a single row is refused and unchanged", async () => {
  const file = await scratchFile();
  await fill(await sqlite(file));
  const url = await freshPostgres();
  const target = await postgres(url);
  await target.run(write, [setting("mine", "1")]);
  await expect(move({ from: `sqlite:${file}`, to: url })).rejects.toThrow(/not empty: 1 rows/);
  expect(await countRows(target, "settings")).toBe(1);
  expect(await countRows(target, "feedback")).toBe(0);
});

test("a row that differs in the target rolls back the whole move", async () => {
  const file = await scratchFile();
  await fill(await sqlite(file));
  const url = await freshPostgres();
  await query(
    url,
    `create function spoil() returns trigger language plpgsql as
      $$ begin
        if new.id = 'f7' then new.message := new.message || '.'; end if;
        return new;
      end; $$`,
  );
  await query(
    url,
    "create trigger spoil before insert on feedback for each row execute function spoil()",
  );
  await expect(move({ from: `sqlite:${file}`, to: url })).rejects.toThrow(/feedback did not/);
  expect(await query(url, "select count(*)::int as n from idempotency")).toEqual([{ n: 0 }]);
  expect(await query(url, "select count(*)::int as n from settings")).toEqual([{ n: 0 }]);
});

test("without a reply to the target's commit, the outcome is reported as unknown", async () => {
  const file = await scratchFile();
  await fill(await sqlite(file));
  const url = await freshPostgres();
  await query(
    url,
    `create function cut() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end; $$`,
  );
  await query(
    url,
    `create constraint trigger cut after insert on settings deferrable initially deferred
      for each row execute function cut()`,
  );
  await expect(move({ from: `sqlite:${file}`, to: url })).rejects.toThrow(/not known.*Move again/);
});

test("the source is locked against writers during a move", async () => {
  const url = await freshPostgres();
  const source = await postgres(url);
  await source.run(write, [setting("before", "1")]);
  const file = await scratchFile();
  let late: Promise<unknown> | undefined;
  await move({
    from: url,
    to: `sqlite:${file}`,
    progress() {
      late ??= source.run(write, [setting("late", "1")]);
    },
  });
  await late;
  const moved = await sqlite(file);
  expect(await moved.queries.setting("before")).toBe("1");
  expect(await moved.queries.setting("late")).toBeUndefined();
});

test("a missing file and a foreign URL are refused", async () => {
  const file = await scratchFile();
  await expect(move({ from: `sqlite:${file}`, to: "mysql://x" })).rejects.toThrow(/no file/);
  await expect(move({ from: "mysql://x", to: `sqlite:${file}` })).rejects.toThrow(/sqlite:<file>/);
  await expect(move({ from: `sqlite:${file}`, to: `sqlite:${file}` })).rejects.toThrow(/same/);
  await expect(move({ from: "shop.db", to: "new.db" })).rejects.toThrow(/sqlite:<file>/);
});

test("a side that can't be opened is reported with the reason, and so is an empty source", async () => {
  const file = await scratchFile();
  await writeFile(file, "a list of beans");
  const empty = await scratchFile();
  await sqlite(empty);
  const moved = (from: string, to: string) => expect(move({ from, to })).rejects;
  await moved(`sqlite:${file}`, `sqlite:${empty}`).toThrow(
    "source cannot be opened: file is not a",
  );
  await moved(`sqlite:${empty}`, "postgres://127.0.0.1:1/shop").toThrow(
    /target cannot be opened: .*ECONNREFUSED/,
  );
  await moved(`sqlite:${empty}`, `sqlite:${empty}.new`).toThrow("no shop in the source");
});

test("a database of a newer version is refused, because this one would lose its new columns", async () => {
  const file = await scratchFile();
  await sqlite(file);
  const url = await freshPostgres();
  const later = "into %s (hash, created_at) values ('later', 9999999999999)";
  const client = new BetterSqlite3(file);
  client.exec(`insert ${later.replace("%s", "__drizzle_migrations")}`);
  client.close();
  await query(url, `insert ${later.replace("%s", "drizzle.__drizzle_migrations")}`);
  const sides = [`sqlite:${file}`, url];
  for (const [from, to] of [sides, sides.toReversed()] as [string, string][]) {
    await expect(move({ from, to })).rejects.toThrow(/newer version/);
  }
});

test("the command prints the moved rows, and a reason if it fails", async () => {
  const file = await scratchFile();
  const store = await sqlite(file);
  await fill(store);
  const still = createServer((_, response) => {
    response.end(JSON.stringify({ service: "coffee-merchant", installation: "this-one" }));
  });
  onTestFinished(() => void still.close());
  const servedAt = `http://127.0.0.1:${await listenLocally(still)}`;
  const started = [setting("installation.id", "this-one"), setting("service.base_url", servedAt)];
  await store.run(write, started);
  const url = await freshPostgres();
  const run = () => runCommand(["move", "--from", `sqlite:${file}`, "--to", url]);
  const { stdout, stderr } = await run();
  expect(stdout).toMatch(/feedback +300\n/);
  expect(stdout).toContain("Moved and checked");
  expect(stderr).toContain("100 %");
  expect(stderr).toContain(`still runs at ${servedAt}`);
  await expect(run()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The target is not empty"),
  });
});
