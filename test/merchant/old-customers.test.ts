/** CUSTOMER_DATA_YEARS erases whoever has not ordered for so long (contract §15), and nobody earlier. */
import { describe, expect, test, vi } from "vitest";
import { insert, update, type Write } from "../../src/core/command.ts";
import { newId } from "../../src/core/ids.ts";
import { yearsBefore } from "../../src/core/time.ts";
import type { Store } from "../../src/db/store.ts";
import { write } from "../db/rules.ts";
import { allRows, countRows } from "../support/all-rows.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { testClock } from "../support/service.ts";
import { intent, newAgent, openShop, paidOrder, quoteFor, type Shop } from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";

const DAY_MS = 86_400_000;
const YEARS = 3;
const EMAIL = "ada.lovelace+tea@gmail.com";

describe("old customers", () => {
  async function shopWith(customerDataYears: number | undefined) {
    const { store, other } = await openUsual();
    const clock = testClock(yearsBefore(Date.now(), 12));
    const shop = await openShop(store, clock, { customerDataYears });
    /** An order that has ended. Unused keys are removed after a week. */
    async function ended(email: string): Promise<string> {
      const agentId = await newAgent(shop);
      const orderId = await paidOrder(shop, { agentId, email });
      await shop.admin.orders.cancel({ order_id: orderId, reason: "Not wanted." });
      return orderId;
    }
    /** The next day's sweep after so many years. */
    async function sweep(years = 0): Promise<number> {
      clock.advance(years * 366 * DAY_MS + DAY_MS);
      return (await shop.merchant.retention.sweep()).old_customers!;
    }
    const emails = async () => (await allRows(store, "orders")).map((row) => row.buyer_email);
    const second = () => openShop(other, clock, { customerDataYears });
    return { ...shop, shop, ended, sweep, emails, second };
  }

  test("are erased years after their last order, under every spelling, and the books stay", async () => {
    const { store, admin, ended, sweep, emails } = await shopWith(YEARS);
    await ended(EMAIL);
    await sweep(1);
    const last = await ended("adalovelace@googlemail.com");
    const before = await admin.orders.show({ order_id: last });
    await sweep(1);
    await ended("grace@example.com");

    expect(await sweep(1)).toBe(0);
    expect(await sweep(1)).toBe(1);
    expect((await emails()).sort()).toEqual(["erased", "erased", "grace@example.com"]);
    const text = JSON.stringify(await Promise.all(PERSONAL.map((name) => allRows(store, name))));
    expect(text).not.toMatch(/lovelace/i);
    expect(await admin.orders.show({ order_id: last })).toMatchObject({
      buyer_email: "erased",
      pricing: before.pricing,
      payment: before.payment,
      quote_hash: before.quote_hash,
      shipments: [{ address: { name: "erased", region: "TX" } }],
    });
    const acts = (await admin.audit.list()).filter(({ act }) => act === "customers.erase");
    expect(acts).toMatchObject([
      { actor: "service", sentence: "Erased a customer's personal data", detail: { orders: 2 } },
    ]);
    expect(await sweep()).toBe(0);
    expect(await sweep(1)).toBe(1);
    expect(await emails()).toEqual(["erased", "erased", "erased"]);
    expect(await countRows(store, "customers")).toBe(0);
  });

  test("are erased once, also if two instances find them", async () => {
    const { merchant, admin, clock, ended, second } = await shopWith(YEARS);
    const other = await second();
    await ended(EMAIL);
    clock.advance((YEARS * 366 + 1) * DAY_MS);
    const swept = await Promise.all(
      [merchant, other.merchant].map(({ retention }) => retention.sweep()),
    );
    expect(swept.map(({ old_customers }) => old_customers).sort()).toEqual([0, 1]);
    const acts = (await admin.audit.list()).filter(({ act }) => act === "customers.erase");
    expect(acts).toHaveLength(1);
  });

  test("are erased in parts if they have many orders", async () => {
    const { store, admin, ended, sweep, emails } = await shopWith(YEARS);
    await ended(EMAIL);
    await store.run(write, await copiesOfOrder(store, 150));
    expect(await sweep(YEARS)).toBe(1);
    expect(new Set(await emails())).toEqual(new Set(["erased"]));
    const text = JSON.stringify(await Promise.all(PERSONAL.map((name) => allRows(store, name))));
    expect(text).not.toMatch(/lovelace/i);
    const acts = (await admin.audit.list()).filter(({ act }) => act === "customers.erase");
    expect(acts.map(({ detail }) => detail.orders)).toEqual([151]);
  });

  test("are not read in full while they order", async () => {
    const { shop, store, ended, sweep } = await shopWith(YEARS);
    await ended(EMAIL);
    shop.clock.advance(YEARS * 366 * DAY_MS);
    await ended(EMAIL);
    const reads = vi.spyOn(store.queries, "quotesOfCustomer");
    expect(await sweep()).toBe(0);
    expect(reads).not.toHaveBeenCalled();
  });

  test("are forgotten in the end, also if the erasure is interrupted", async () => {
    const { store, admin, ended, sweep } = await shopWith(undefined);
    await ended(EMAIL);
    vi.spyOn(store.queries, "removeCustomer").mockRejectedValueOnce(new Error("ended"));
    await expect(admin.customers.erase({ email: EMAIL })).rejects.toThrow("ended");
    await sweep();
    expect(await countRows(store, "customers")).toBe(0);
  });

  test("stay without the setting", async () => {
    const { ended, sweep, emails } = await shopWith(undefined);
    await ended(EMAIL);
    expect(await sweep(11)).toBe(0);
    expect(await emails()).toEqual([EMAIL]);
  });

  /** What keeps a customer, and how it ends. */
  const REASONS: Record<string, (shop: Shop, agentId: string) => Promise<() => Promise<unknown>>> =
    {
      "an order that has not left": async (shop, agentId) => {
        const order_id = await paidOrder(shop, { agentId, email: EMAIL });
        return () => shop.admin.orders.cancel({ order_id, reason: "Lost." });
      },
      "a refund that the provider has not taken": async (shop, agentId) => {
        const order_id = await paidOrder(shop, { agentId, email: EMAIL });
        shop.provider.up = false;
        await shop.admin.orders.cancel({ order_id, reason: "Not wanted.", refund: true });
        return async () => {
          shop.provider.up = true;
          await shop.merchant.reconciler.first({});
        };
      },
      "an open dispute": async (shop, agentId) => {
        const order_id = await paidOrder(shop, { agentId, email: EMAIL });
        await shop.admin.orders.cancel({ order_id, reason: "Not wanted." });
        const order = (await shop.store.queries.order(order_id))!;
        const [attempt] = await allRows(shop.store, "attempts");
        await shop.store.run(write, [
          insert("disputes", {
            id: "dp_1",
            attempt_id: attempt!.id,
            order_id: order.id,
            payment_ref: attempt!.payment_ref!,
            amount_minor: 100,
            reason: "fraudulent",
            status: "OPEN",
            created_at: shop.clock.now(),
            due_by: null,
            closed_at: null,
          }),
        ]);
        return () => shop.store.run(write, [update("disputes", { id: "dp_1" }, { status: "WON" })]);
      },
      "a place in a queue": async (shop, agentId) => {
        await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
        const body = { product_id: WAITLISTED, quantity: 1, buyer: { email: EMAIL } };
        const place = await shop.merchant.waitlist.join(body, agentId, intent());
        return () => shop.admin.waitlist.remove({ entry_id: place.body.id });
      },
      "a newer quote": async (shop, agentId) => {
        const quote = await quoteFor(shop, { agentId, email: EMAIL });
        return () =>
          shop.store.run(write, [
            update("quotes", { id: quote.id }, { buyer_email: "erased", customer: "erased" }),
          ]);
      },
    };

  test.each(Object.keys(REASONS))("stay with %s, until it ends", async (name) => {
    const { shop, ended, sweep, emails } = await shopWith(YEARS);
    await ended(EMAIL);
    shop.clock.advance((YEARS * 366 - 1) * DAY_MS);
    const end = await REASONS[name]!(shop, await newAgent(shop));
    expect(await sweep()).toBe(0);
    expect(await emails()).toContain(EMAIL);
    await end();
    expect(await sweep(YEARS)).toBe(1);
    expect(new Set(await emails())).toEqual(new Set(["erased"]));
  });
});

/** Writes that repeat the only order, each with its quote. */
async function copiesOfOrder(store: Store, count: number): Promise<Write[]> {
  const [[quote], [state], [attempt], [order]] = await Promise.all([
    allRows(store, "quotes"),
    allRows(store, "quote_states"),
    allRows(store, "attempts"),
    allRows(store, "orders"),
  ]);
  return Array.from({ length: count }, (_, i) => {
    const quote_id = newId("qte", quote!.created_at);
    const attempt_id = newId("pay", quote!.created_at);
    const id = newId("ord", quote!.created_at);
    const paid = { quote_id, payment_ref: `pi_${i}` };
    const created_at = order!.created_at + i + 1;
    return [
      insert("quotes", { ...quote!, id: quote_id }),
      insert("quote_states", { ...state!, quote_id, order_id: id }),
      insert("attempts", {
        ...attempt!,
        ...paid,
        page: attempt_id,
        id: attempt_id,
        session_id: `cs_${i}`,
      }),
      insert("orders", { ...order!, ...paid, id, attempt_id, number: 2000 + i, created_at }),
    ];
  }).flat();
}

const PERSONAL = ["quotes", "orders", "shipments", "attempts", "customers", "waitlist"] as const;
