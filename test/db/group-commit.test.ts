import { expect, onTestFinished, test } from "vitest";
import { type Rule, readUnlocked, update } from "../../src/core/command.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import { addStock, held, refuse, results, setting, take, write } from "./rules.ts";

async function shop(stock: Record<string, number>) {
  const store = await openSqlite({ file: ":memory:" });
  onTestFinished(() => store.close());
  await addStock(store, stock);
  return store;
}

const impossible = update("stock", { product_id: "no such bean" }, { held: 1 });

test("a command whose write fails halfway is rolled back alone, and its neighbors' writes stay", async () => {
  const store = await shop({ a: 9, b: 9 });
  const answers = await results([
    store.run(take, { products: ["a"] }),
    store.run(write, [setting("lost", "1"), impossible]),
    store.run(refuse, { name: "never" }),
    store.run(take, { products: ["a", "b"] }),
    store.run(write, [setting("kept", "1")]),
    store.run(write, [setting("kept", "2")]),
  ]);
  expect(answers.map((answer) => answer === "ok")).toEqual([true, false, false, true, true, false]);
  expect(await held(store)).toEqual({ a: 2, b: 1 });
  expect(await store.queries.setting("lost")).toBeUndefined();
  expect(await store.queries.setting("kept")).toBe("1");
});

test("every command of a batch gets one reply, even if the batch is decided again", async () => {
  const store = await shop({ a: 100 });
  const runs = Array.from({ length: 60 }, (_, i) =>
    i % 7 === 3 ? store.run(write, [impossible]) : store.run(take, { products: ["a"] }),
  );
  const answers = await results(runs);
  const ok = answers.filter((answer) => answer === "ok").length;
  expect(ok).toBe(60 - 9);
  expect(await held(store)).toEqual({ a: ok });
});

/** Reads a bean's stock without locking it, as quotes do. */
const look: Rule<{ product: string }, number> = {
  reads: ({ product }) => [readUnlocked("stock", { product_id: product })],
  decide: (_, { stock }) => ({ reply: stock[0]!.held, writes: [] }),
};

test("unlocked rows show the writes of earlier commands in the batch", async () => {
  const store = await shop({ a: 9 });
  const looked = () => store.run(look, { product: "a" });
  const taken = () => store.run(take, { products: ["a"] });
  const [before, again, , between, , after] = await Promise.all([
    looked(),
    looked(),
    taken(),
    looked(),
    taken(),
    looked(),
  ]);
  expect([before, again, between, after]).toEqual([0, 0, 1, 2]);
});
