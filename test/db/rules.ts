/** Small rules for the store's tests, whose effects are easy to check. */

import {
  insert,
  lock,
  type OnceReply,
  once,
  type Rule,
  readUnlocked,
  update,
  type Write,
} from "../../src/core/command.ts";
import { MerchantError } from "../../src/core/errors.ts";
import { sha256 } from "../../src/core/hash.ts";
import type { EventRow, OrderRow, StockRow } from "../../src/core/records.ts";
import type { Store } from "../../src/db/store.ts";

export const NOW = Date.UTC(2026, 10, 21, 12);

/** Takes one bag of every named bean, or refuses if one of them is out of stock. */
export const take: Rule<{ products: string[] }, StockRow[]> = {
  reads: ({ products }) => [lock("stock", { product_id: products })],
  decide({ products }, { stock }) {
    const rows = [...new Set(products)].map((id) => stock.find((row) => row.product_id === id)!);
    for (const row of rows) {
      if (row.held >= row.on_hand) throw new MerchantError("OUT_OF_STOCK", "No bag left.");
    }
    return {
      reply: rows,
      writes: rows.map(({ product_id, on_hand, held }) =>
        update("stock", { product_id }, { held: held + 1 }, { on_hand, held }),
      ),
    };
  },
};

/** Writes the given rows without reading them. */
export const write: Rule<Write[], number> = {
  reads: () => [],
  decide: (writes) => ({ reply: writes.length, writes }),
};

export const setting = (name: string, value: string): Write => insert("settings", { name, value });

/** Writes a setting, then refuses. */
export const refuse: Rule<{ name: string }, never> = {
  reads: () => [],
  decide: () => {
    throw new MerchantError("VALIDATION_FAILED", "Never.");
  },
};

/** Increments a counter in a setting once per intent, and replies with its value. */
const countUp: Rule<{ name: string }, { counted: number }> = {
  reads: ({ name }) => [lock("settings", { name })],
  decide({ name }, { settings }) {
    const counted = Number(settings[0]?.value ?? 0) + 1;
    const value = String(counted);
    return {
      reply: { counted },
      writes: [
        settings[0] ? update("settings", { name }, { value }) : insert("settings", { name, value }),
      ],
    };
  },
};

export const countOnce = once(countUp, ["counted"]);

/** The counter's value, from this reply or the first one. */
export const countedTo = (answered: OnceReply<{ counted: number }, "counted">): number =>
  answered.replayed ? answered.kept.counted : answered.body.counted;

/** Reads without a lock. */
export const lookAt: Rule<{ name: string }, string | undefined> = {
  reads: ({ name }) => [readUnlocked("settings", { name })],
  decide: (_, { settings }) => ({ reply: settings[0]?.value, writes: [] }),
};

/** Writes the next event of an order, numbered in its transaction. */
export const tell: Rule<{ order: string; id: string }, EventRow> = {
  reads: ({ order }) => [lock("orders", { id: order })],
  decide({ order, id }, { orders }) {
    const sequence = orders[0]!.last_sequence + 1;
    const row: EventRow = {
      order_id: order,
      sequence,
      id,
      type: "order.confirmed",
      occurred_at: NOW,
      order_status: "CONFIRMED",
      data: "{}",
    };
    return {
      reply: row,
      writes: [update("orders", { id: order }, { last_sequence: sequence }), insert("events", row)],
    };
  },
};

export const order = (id: string): OrderRow => ({
  id,
  quote_id: `quote of ${id}`,
  number: Number.parseInt(sha256(id).slice(0, 7), 16),
  agent_id: null,
  attempt_id: `attempt of ${id}`,
  buyer_email: "buyer@example.com",
  status: "CONFIRMED",
  created_at: NOW,
  payment_status: "PAID",
  payment_method: "card",
  payment_ref: `payment of ${id}`,
  payment_mode: "test",
  amount_minor: 2200,
  refunded_minor: 0,
  paid_at: NOW,
  last_sequence: 0,
});

/** Adds stock rows. */
export const addStock = (store: Store, stock: Record<string, number>): Promise<number> =>
  store.run(
    write,
    Object.entries(stock).map(([product_id, on_hand]) =>
      insert("stock", { product_id, on_hand, held: 0 }),
    ),
  );

export const held = async (store: Store): Promise<Record<string, number>> =>
  Object.fromEntries((await store.queries.stock()).map((row) => [row.product_id, row.held]));

/** Error code of each of these, or "ok". */
export const results = async (runs: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(runs)).map((run) =>
    run.status === "fulfilled" ? "ok" : String(run.reason?.code ?? run.reason),
  );

/** A repeatable sequence of random choices. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}
