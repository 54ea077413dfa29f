/** Guarantees of the store on every engine. */

import { expect, test } from "vitest";
import { insert, lock, type Rule, readUnlocked, update } from "../../src/core/command.ts";
import type { StockRow } from "../../src/core/records.ts";
import { countRows } from "../support/all-rows.ts";
import { describeEveryStore } from "../support/stores.ts";
import {
  addStock,
  countedTo,
  countOnce,
  dice,
  held,
  lookAt,
  NOW,
  refuse,
  results,
  setting,
  take,
  write,
} from "./rules.ts";

describeEveryStore("a command", (open) => {
  test("that is refused writes nothing and does not affect others in its batch", async () => {
    const { store, other } = await open();
    const runs = Array.from({ length: 30 }, (_, i) =>
      i % 3 === 0
        ? store.run(refuse, { name: `${i}` })
        : store.run(write, [setting(`s${i}`, "written")]),
    );
    const expected = runs.map((_, i) => (i % 3 === 0 ? "VALIDATION_FAILED" : "ok"));
    expect(await results(runs)).toEqual(expected);
    expect(await countRows(other, "settings")).toBe(20);
  });

  test("whose rule throws in reads or decide fails alone", async () => {
    const { store } = await open();
    const broken = {
      reads: () => {
        throw new TypeError("reads are broken");
      },
      decide: () => ({ reply: null, writes: [] }),
    };
    const runs = [
      store.run(write, [setting("before", "1")]),
      store.run(broken, null),
      store.run(write, [setting("after", "1")]),
    ];
    expect(await results(runs)).toEqual(["ok", "TypeError: reads are broken", "ok"]);
  });

  test("reads any number of rows, by key and by other columns", async () => {
    const { store } = await open();
    await store.run(write, [setting("here", "1"), setting("there", "2")]);
    const among = (count: number, wanted: string) => [
      wanted,
      ...Array.from({ length: count }, (_, i) => `none ${i}`),
    ];
    const named: Rule<null, string[]> = {
      reads: () => [
        lock("settings", { name: among(33_000, "here") }),
        lock("settings", { value: among(200, "2") }),
      ],
      decide: (_, { settings }) => ({ reply: settings.map(({ name }) => name).sort(), writes: [] }),
    };
    expect(await store.run(named, null)).toEqual(["here", "there"]);
  });

  test("is durable before its reply", async () => {
    const { store, reopen } = await open();
    await store.run(write, [setting("kept", "yes")]);
    const again = await reopen();
    expect(await again.queries.setting("kept")).toBe("yes");
  });

  test("queued before close gets its reply, and a later one is refused", async () => {
    const { store, reopen } = await open();
    const begun = Promise.all(
      Array.from({ length: 20 }, (_, i) => store.run(write, [setting(`${i}`, "1")])),
    );
    const again = reopen();
    await begun;
    const reopened = await again;
    expect(await countRows(reopened, "settings")).toBe(20);
    if (reopened !== store) {
      await expect(store.run(write, [setting("late", "1")])).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
      });
    }
  });

  test("sees the writes of commands queued before it", async () => {
    const { store } = await open();
    const runs = Array.from({ length: 20 }, (_, i) => {
      const intent = { scope: "test", keyHash: `${i}`, requestHash: "same" };
      return store.run(countOnce, { now: NOW, intent, name: "counter" });
    });
    const counted = (await Promise.all(runs)).map(countedTo);
    expect(counted).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(await store.run(lookAt, { name: "counter" })).toBe("20");
  });

  test("sees unlocked rows as earlier commands of its batch left them", async () => {
    const { store } = await open();
    await addStock(store, { a: 9 });
    const look: Rule<null, number> = {
      reads: () => [readUnlocked("stock", { product_id: "a" })],
      decide: (_, { stock }) => ({ reply: stock[0]!.held, writes: [] }),
    };
    const looked = () => store.run(look, null);
    const taken = () => store.run(take, { products: ["a"] });
    const runs = [looked(), looked(), taken(), looked(), taken(), looked()];
    const [before, again, , between, , after] = await Promise.all(runs);
    expect([before, again, between, after]).toEqual([0, 0, 1, 2]);
  });

  test("sent forty times at once with one idempotency key decides once", async () => {
    const { store, other } = await open();
    const intent = { scope: "test", keyHash: "one key", requestHash: "same" };
    const command = { now: NOW, intent, name: "counter" };
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? store : other).run(countOnce, command)),
    );
    expect(replies.map(countedTo)).toEqual(replies.map(() => 1));
    expect(replies.filter((reply) => !reply.replayed)).toHaveLength(1);
    expect(await store.queries.setting("counter")).toBe("1");
  });

  test("that reads without locks is decided again until its guarded writes fit", async () => {
    const { store, other } = await open();
    await addStock(store, { a: 1000 });
    const bold: Rule<null, null> = {
      reads: () => [readUnlocked("stock", { product_id: "a" })],
      decide: (_, { stock }) => {
        const { held } = stock[0]!;
        const writes = [update("stock", { product_id: "a" }, { held: held + 1 }, { held })];
        return { reply: null, writes };
      },
    };
    const runs = Array.from({ length: 40 }, (_, i) => (i % 2 ? store : other).run(bold, null));
    await Promise.all(runs);
    expect(await held(store)).toEqual({ a: 40 });
  });

  test("with a used idempotency key and another request is refused, and the stored reply stays", async () => {
    const { store, other } = await open();
    const intent = { scope: "test", keyHash: "one key", requestHash: "this" };
    await store.run(countOnce, { now: NOW, intent, name: "counter" });
    const changed = { ...intent, requestHash: "that" };
    const runs = [other.run(countOnce, { now: NOW, intent: changed, name: "counter" })];
    expect(await results(runs)).toEqual(["IDEMPOTENCY_CONFLICT"]);
    expect(await store.queries.setting("counter")).toBe("1");
  });
});

describeEveryStore("stock", (open) => {
  test("never oversells with two instances that lock beans in any order", async () => {
    const { store, other } = await open();
    const beans = ["a", "b", "c", "d", "e"];
    await addStock(store, Object.fromEntries(beans.map((bean) => [bean, 60])));
    const roll = dice(7);
    const runs = Array.from({ length: 300 }, (_, i) => {
      const products = [beans[roll(5)]!, beans[roll(5)]!, beans[roll(5)]!];
      return (i % 2 ? store : other).run(take, { products });
    });
    const outcomes = await Promise.allSettled(runs);
    const taken: Record<string, number> = { a: 0, b: 0, c: 0, d: 0, e: 0 };
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.code).toBe("OUT_OF_STOCK");
      else for (const row of outcome.value) taken[row.product_id]!++;
    }
    expect(await held(store)).toEqual(taken);
    expect(Math.max(...Object.values(taken))).toBe(60);
  });

  test("gives one bag that fifty buyers want at once to exactly one of them", async () => {
    const { store, other } = await open();
    await addStock(store, { last: 1 });
    const runs = Array.from({ length: 50 }, (_, i) =>
      (i % 2 ? store : other).run(take, { products: ["last"] }),
    );
    expect((await results(runs)).filter((result) => result === "ok")).toHaveLength(1);
    expect(await held(store)).toEqual({ last: 1 });
  });
});

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

  test("whose guard fails undoes its earlier writes, and its neighbors' stay", async () => {
    const { store, other } = await open();
    await addStock(store, { a: 10, b: 100 });
    const runs = Array.from({ length: 60 }, (_, i) =>
      i % 7 === 3 ? store.run(late, { on_hand: 11 }) : store.run(take, { products: ["b"] }),
    );
    const answers = (await results(runs)).filter((answer) => answer === "ok");
    expect(answers).toHaveLength(60 - 9);
    expect(await held(store)).toEqual({ a: 0, b: 51 });
    expect(await countRows(other, "settings")).toBe(0);
    await store.run(late, { on_hand: 10 });
    expect(await held(other)).toEqual({ a: 5, b: 51 });
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
    const as_made = { low_at: null, catalog_version: 0 };
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

describeEveryStore("a read outside commands", (open) => {
  test("takes any number of ids, in one statement for every number", async () => {
    const { store } = await open();
    const tasks = ["a", "b", "c"].map((id) =>
      insert("desk_tasks", { id, kind: "LEAD", subject: `of ${id}`, created_at: NOW }),
    );
    await store.run(write, tasks);
    const ids = async (wanted: string[]) =>
      (await store.queries.tasksByIds(wanted)).map(({ id }) => id).sort();
    const none = Array.from({ length: 70_000 }, (_, i) => `"none' ${i}`);
    expect(await ids([...none, "c", "a", "c"])).toEqual(["a", "c"]);
    expect(await ids(["b"])).toEqual(["b"]);
    expect(await ids([])).toEqual([]);
  });
});
