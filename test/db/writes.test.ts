/** Writes and reads of commands, the same on every engine. */

import { expect, test } from "vitest";
import { insert, lock, type Rule, update } from "../../src/core/command.ts";
import type { StockRow } from "../../src/core/records.ts";
import { countRows } from "../support/all-rows.ts";
import { describeEveryStore } from "../support/stores.ts";
import { addStock, held, setting, write } from "./rules.ts";

describeEveryStore("a write", (open) => {
  const late: Rule<{ on_hand: number }, null> = {
    reads: () => [],
    decide: ({ on_hand }) => ({
      reply: null,
      writes: [
        setting("earlier", "written"),
        update("stock", { product_id: "a" }, { held: 5 }, { on_hand }),
      ],
    }),
  };

  test("whose guard fails undoes its earlier writes", async () => {
    const { store, other } = await open();
    await addStock(store, { a: 10 });
    await expect(store.run(late, { on_hand: 11 })).rejects.toThrow();
    expect(await countRows(other, "settings")).toBe(0);
    await store.run(late, { on_hand: 10 });
    expect(await held(other)).toEqual({ a: 5 });
  });

  test("that matches no row, or two, fails", async () => {
    const { store } = await open();
    await addStock(store, { a: 10, b: 10 });
    await expect(
      store.run(write, [update("stock", { product_id: "none" }, { held: 1 })]),
    ).rejects.toThrow();
    await expect(
      store.run(write, [update("stock", { on_hand: 10 }, { held: 1 })]),
    ).rejects.toThrow();
    expect(await held(store)).toEqual({ a: 0, b: 0 });
  });

  test("that inserts an existing row fails, and the first row stays", async () => {
    const { store, other } = await open();
    const runs = [
      store.run(write, [setting("twice", "first")]),
      store.run(write, [setting("other", "1"), setting("twice", "second")]),
    ];
    await Promise.allSettled(runs);
    await expect(runs[1]).rejects.toThrow();
    expect(await other.queries.setting("twice")).toBe("first");
    expect(await other.queries.setting("other")).toBeUndefined();
  });

  test("may change rows that the same command has written", async () => {
    const { store } = await open();
    await store.run(write, [
      insert("stock", { product_id: "a", on_hand: 1, held: 0 }),
      update("stock", { product_id: "a" }, { on_hand: 2 }),
      update("stock", { product_id: "a" }, { held: 1 }, { on_hand: 2 }),
    ]);
    const rows = await store.queries.stock();
    const as_made = { low_at: null, offers_from: null, catalog_version: 0 };
    expect(rows).toEqual([{ product_id: "a", on_hand: 2, held: 1, ...as_made }]);
  });
});

describeEveryStore("a read of a command", (open) => {
  const find: Rule<Parameters<typeof lock<"stock">>[1], StockRow[]> = {
    reads: (match) => [lock("stock", match)],
    decide: (_, { stock }) => ({ reply: [...stock], writes: [] }),
  };

  test("finds each row once by any value of an array, and none by an empty array", async () => {
    const { store } = await open();
    await addStock(store, { a: 1, b: 2, c: 3 });
    const ids = async (match: Parameters<typeof find.reads>[0]) =>
      (await store.run(find, match)).map((row) => row.product_id).sort();
    expect(await ids({ product_id: ["c", "a", "c", "none"] })).toEqual(["a", "c"]);
    expect(await ids({ product_id: [] })).toEqual([]);
    expect(await ids({ product_id: ["a", "b"], on_hand: [2, 3] })).toEqual(["b"]);
    expect(await ids({ on_hand: 3 })).toEqual(["c"]);
    expect(await ids({})).toEqual(["a", "b", "c"]);
  });

  test("and a guard treat null as equal to null", async () => {
    const { store } = await open();
    const customer = { email: "a", paid_orders: 0, courtesy: null, courtesy_attempt: null };
    await store.run(write, [insert("customers", customer)]);
    const reserved = { courtesy: "RESERVED", courtesy_attempt: "x" } as const;
    const guarded = update("customers", { email: "a" }, reserved, { courtesy: null });
    await store.run(write, [guarded]);
    await expect(store.run(write, [guarded])).rejects.toThrow();
    const free: Rule<null, number> = {
      reads: () => [lock("customers", { courtesy: [null, "REDEEMED"] })],
      decide: (_, { customers }) => ({ reply: customers.length, writes: [] }),
    };
    expect(await store.run(free, null)).toBe(0);
  });
});
