/** Concurrent starts, locks and deadlocks of several clients of one server. */

import { expect, onTestFinished, test, vi } from "vitest";
import { lock, type Rule, update } from "../../src/core/command.ts";
import { knownMigrations } from "../../src/db/migrations.ts";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { countRows } from "../support/all-rows.ts";
import { barePostgres, query, waitingIn } from "../support/postgres.ts";
import { open, rival } from "./postgres-clients.ts";
import { addStock, countOnce, held, NOW, results, setting, take, write } from "./rules.ts";

test("eight instances that start at once migrate an empty database once", async () => {
  const url = await barePostgres();
  const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgres({ url })));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  await Promise.all(stores.map((store, i) => store.run(write, [setting(`${i}`, "1")])));
  expect(await countRows(stores[0]!, "settings")).toBe(8);
  const [done] = await query(url, "select count(*)::int as n from drizzle.__drizzle_migrations");
  expect(done?.n).toBe(knownMigrations("postgres").length);
});

test("a foreign lock delays only the commands that need the row, up to the limit", async () => {
  const { url, store } = await open({ lockTimeoutMs: 200 });
  await addStock(store, { locked: 5, free: 5 });
  const other = await rival(url, "select * from stock where product_id = 'locked' for update");
  const runs = ["locked", "free", "locked", "free"].map((bean) =>
    store.run(take, { products: [bean] }),
  );
  expect(await results(runs)).toEqual(["STORE_UNAVAILABLE", "ok", "STORE_UNAVAILABLE", "ok"]);
  await other.query("rollback");
  await store.run(take, { products: ["locked"] });
  expect(await held(store)).toEqual({ locked: 1, free: 2 });
});

test("a request whose duplicate is running elsewhere gets a retryable error", async () => {
  const { url, store } = await open({ lockTimeoutMs: 200 });
  const intent = { scope: "s", keyHash: "k", requestHash: "r" };
  const command = { now: NOW, intent, name: "counter" };
  const twin = await rival(
    url,
    `insert into idempotency values ('s', 'k', 'r', '{"counted":7}', 9e15::bigint)`,
  );
  expect(await results([store.run(countOnce, command)])).toEqual(["IDEMPOTENCY_IN_FLIGHT"]);
  await twin.query("commit");
  expect(await store.run(countOnce, command)).toEqual({ kept: { counted: 7 }, replayed: true });
});

test("a command that lost a deadlock is decided again, and both sides succeed", async () => {
  const { url, store } = await open({ lockTimeoutMs: 5000 });
  await addStock(store, { a: 5, b: 5 });
  await store.run(write, [setting("x", "0")]);
  // The other side locks in the wrong order: first stock, then settings.
  const other = await rival(url, "update stock set held = held + 1 where product_id = 'a'");
  const both: Rule<null, null> = {
    reads: () => [lock("settings", { name: "x" }), lock("stock", { product_id: "a" })],
    decide: (_, { stock }) => ({
      reply: null,
      writes: [update("stock", { product_id: "a" }, { held: stock[0]!.held + 1 })],
    }),
  };
  const run = store.run(both, null);
  await vi.waitFor(async () => expect(await waitingIn(url)).toBe(1));
  const against = other
    .query("update settings set value = '1' where name = 'x'")
    .then(() => other.query("commit"))
    .catch(() => other.query("rollback"));
  await run;
  const end = await against;
  expect(await held(store)).toEqual({ a: end.command === "COMMIT" ? 2 : 1, b: 0 });
});

test("a backup points to pg_dump", async () => {
  const { store } = await open();
  await expect(store.backup("/nowhere")).rejects.toThrow(/pg_dump/);
});
