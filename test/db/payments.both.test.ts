/** The payment rules on every engine, run by two instances at once. */

import { expect, test } from "vitest";
import { type Hold, holdsOf } from "../../src/catalog/holds.ts";
import { insert, lock, type Rule } from "../../src/core/command.ts";
import type { AttemptRow } from "../../src/core/records.ts";
import type { Store } from "../../src/db/store.ts";
import type { Settle, SettleResult } from "../../src/payments/attempt.ts";
import { recordSession, type StartPayment, startPayment } from "../../src/payments/start.ts";
import { NOW, quote, quoteState, settle, settling } from "../support/rows.ts";
import { describeEveryStore } from "../support/stores.ts";
import { addStock, dice, write } from "./rules.ts";

const BEANS = ["a", "b", "c", "d"];

/** One quote of one buyer, ready to be paid. */
async function offer(store: Store, id: string, more: Partial<StartPayment>): Promise<StartPayment> {
  const customer = `${id}@example.com`;
  const row = quote({ id, customer, agent_id: null, ...more.quote });
  await store.run(write, [
    insert("quotes", row),
    insert("quote_states", quoteState({ quote_id: id })),
  ]);
  const bags = [{ product_id: "a", quantity: 1 }];
  return {
    ...{ now: NOW, bags, firstOrder: false, attemptId: `pay of ${id}`, sessionEndsAt: NOW + 1 },
    wish: id,
    ...more,
    quote: row,
  };
}

/** Starts the payment, and stores its page. */
async function startPage(store: Store, command: StartPayment): Promise<void> {
  const { now, attemptId } = command;
  expect((await store.run(startPayment, command)).kind).toBe("started");
  await store.run(recordSession, { now, attemptId, sessionId: `cs of ${attemptId}`, url: "" });
}

/** The bank has authorized the payment that this command started. */
const authorized = ({ attemptId, quote, bags, firstOrder }: StartPayment): Settle =>
  settling(
    { payment: "authorized", attemptId, paymentRef: `pi of ${attemptId}` },
    { attemptId, quote, bags, firstOrder },
  );

const attempts: Rule<null, AttemptRow[]> = {
  reads: () => [lock("attempts", {})],
  decide: (_, s) => ({ reply: [...s.attempts], writes: [] }),
};

describeEveryStore("paying from two instances at once", (open) => {
  const both = <T>([one, two]: readonly [Store, Store], rule: Rule<T, SettleResult>, all: T[]) =>
    Promise.all(all.map((command, i) => (i % 2 ? one : two).run(rule, command)));

  test("never takes more bags than there are, in any order of beans", async () => {
    const { store, other } = await open();
    await addStock(store, Object.fromEntries(BEANS.map((bean) => [bean, 40])));
    const roll = dice(11);
    const commands = await Promise.all(
      Array.from({ length: 80 }, (_, i) => {
        const from = roll(4);
        const picked = [BEANS[from]!, BEANS[(from + 1 + roll(3)) % 4]!];
        const bags = picked.map((product_id) => ({ product_id, quantity: 1 + roll(3) }));
        return offer(store, `q${i}`, { bags });
      }),
    );
    for (const command of commands) await startPage(store, command);
    const replies = await both([store, other], settle, commands.map(authorized));
    const holds = (await store.run(attempts, null)).flatMap((row): Hold[] => holdsOf(row));
    for (const row of await store.queries.stock()) {
      const own = holds.filter((hold) => hold.product_id === row.product_id);
      expect(row.held).toBe(own.reduce((bags, hold) => bags + hold.fromStock, 0));
      expect(row.held).toBeLessThanOrEqual(40);
    }
    // About twice as many are wanted as there are.
    const most = Math.max(...(await store.queries.stock()).map((row) => row.held));
    expect(most).toBeGreaterThan(36);
    expect(replies.filter(({ calling }) => calling?.status === "RELEASING").length).toBeGreaterThan(
      10,
    );
  });

  test("starts one attempt per quote, and shows it to every other press", async () => {
    const { store, other } = await open();
    await addStock(store, { a: 50 });
    const command = await offer(store, "q", { sessionEndsAt: NOW + 60_000 });
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? store : other).run(startPayment, { ...command, attemptId: `pay ${i}` }),
      ),
    );
    const kinds = replies.map((reply) => reply.kind).sort();
    expect(kinds).toEqual([...Array(19).fill("live"), "started"]);
    const ids = replies.map((reply) => "attempt" in reply && reply.attempt.id);
    expect(new Set(ids).size).toBe(1);
    expect((await store.queries.stock())[0]?.held).toBe(0);
  });

  test.each<[string, object, object]>([
    [
      "a new customer's first-order courtesy",
      { customer: "new@example.com" },
      { firstOrder: true },
    ],
    ["one order of a page", { cart: "page" }, {}],
  ])("gives %s to one of many payments", async (_, of, more) => {
    const { store, other } = await open();
    await addStock(store, { a: 50 });
    const commands = await Promise.all(
      Array.from({ length: 20 }, (_, i) => offer(store, `q${i}`, { ...more, quote: of as never })),
    );
    for (const command of commands) await startPage(store, command);
    const replies = await both([store, other], settle, commands.map(authorized));
    expect(replies.filter(({ calling }) => calling?.status === "CAPTURING")).toHaveLength(1);
    expect(replies.filter(({ calling }) => calling?.status === "RELEASING")).toHaveLength(19);
    expect((await store.queries.stock())[0]?.held).toBe(1);
  });
});
