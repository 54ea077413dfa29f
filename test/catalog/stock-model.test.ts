import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsOf } from "../../src/catalog/holds.ts";
import { bagCount } from "../../src/core/bags.ts";
import { type AttemptRow, LIVE, type WaitlistRow } from "../../src/core/records.ts";
import type { Terms } from "../../src/quotes/quote-answer.ts";
import { WAITLISTED } from "../support/catalog.ts";
import {
  intent,
  newAgent,
  openShop,
  quoteFor,
  type Shop,
  settleAs,
  tryPaying,
} from "../support/shop.ts";
import { engine, usualStore } from "../support/stores.ts";

/** A database for each, and on PostgreSQL a slower one. */
const RUNS = engine() === "postgres" ? 10 : 25;

/** Reports of the provider: most payments are authorized, then captured. */
const WORDS = ["authorized", "authorized", "paid", "expired", "canceled"] as const;
type Word = (typeof WORDS)[number];

/** Events of one bean's bags, in any order. Numbers choose among the existing rows. */
type Step =
  | { do: "pay"; agent: number; buyer: number; bags: number }
  | { do: "settle"; attempt: number; word: Word }
  | { do: "join"; agent: number; buyer: number; bags: number }
  | { do: "leave"; entry: number }
  | { do: "stock"; more: number }
  | { do: "cancel"; order: number }
  | { do: "revoke"; agent: number }
  | { do: "later"; hours: number };

const pick = fc.nat({ max: 20 });
const bags = fc.integer({ min: 1, max: 5 });
const agent = fc.nat({ max: 1 });
const buyer = fc.nat({ max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("pay" as const), agent, buyer, bags }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("settle" as const),
      attempt: pick,
      word: fc.constantFrom(...WORDS),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("join" as const), agent, buyer, bags }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave" as const), entry: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("stock" as const),
      more: fc.integer({ min: -4, max: 8 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), order: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("revoke" as const), agent }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("later" as const), hours: fc.constantFrom(1, 25, 49) }),
  },
);

class Model {
  readonly shop: Shop;
  readonly agents: string[];
  readonly orders: { id: string; bags: number }[] = [];
  readonly attempts: string[] = [];
  /** Bags that were ever put into stock, less those counted away. */
  brought = 0;

  constructor(shop: Shop, agents: string[]) {
    this.shop = shop;
    this.agents = agents;
  }

  /** A refusal is a fine outcome of a step; anything else thrown is not. */
  async take(s: Step): Promise<void> {
    try {
      await this.#act(s);
    } catch (error) {
      const { code } = error as { code?: string };
      if (!["ILLEGAL_STEP", "ALREADY_WAITING", "IN_STOCK"].includes(code ?? "")) throw error;
    }
  }

  async #act(s: Step): Promise<void> {
    const { shop } = this;
    const { merchant, admin, store, clock } = shop;
    switch (s.do) {
      case "pay":
        return this.#pay(this.agents[s.agent]!, `buyer${s.buyer}@example.com`, s.bags);
      case "settle":
        return this.#settle(s.attempt, s.word);
      case "join": {
        const buyer = { email: `buyer${s.buyer}@example.com` };
        const request = { product_id: WAITLISTED, quantity: s.bags, buyer };
        await merchant.waitlist.join(request, this.agents[s.agent]!, intent());
        return;
      }
      case "leave": {
        const rows = await store.queries.allWaitlist();
        const row = rows[s.entry % Math.max(1, rows.length)];
        if (row?.agent_id) await merchant.waitlist.leave(row.id, row.agent_id, intent());
        return;
      }
      case "stock": {
        const { on_hand } = await this.stock();
        await admin.stock.set({ product_id: WAITLISTED, on_hand: Math.max(0, on_hand + s.more) });
        this.brought += Math.max(0, on_hand + s.more) - on_hand;
        return;
      }
      case "cancel": {
        const [order] = this.orders.splice(s.order % Math.max(1, this.orders.length), 1);
        if (order) await admin.orders.cancel({ order_id: order.id, reason: "A mistake." });
        return;
      }
      case "revoke": {
        await admin.keys.revoke({ agent_id: this.agents[s.agent]! });
        this.agents[s.agent] = await newAgent(shop);
        return;
      }
      case "later":
        clock.advance(s.hours * 3_600_000);
        await merchant.housekeeping.run();
    }
  }

  async #pay(agentId: string, email: string, bags: number): Promise<void> {
    const quote = await quoteFor(this.shop, {
      agentId,
      email,
      shipments: [{ [WAITLISTED]: bags }],
    });
    const started = await tryPaying(this.shop, quote.id);
    if (started) this.attempts.push(started.id);
  }

  async #settle(which: number, word: Word): Promise<void> {
    const { store } = this.shop;
    const id = this.attempts[which % Math.max(1, this.attempts.length)];
    const attempt = id === undefined ? undefined : await store.queries.attempt(id);
    if (!attempt || !LIVE.has(attempt.status)) return;
    const { status } = await settleAs(this.shop, attempt, word);
    // A payment that has taken bags is captured; another one is released.
    if (word === "authorized") expect(["CAPTURING", "ENDED"]).toContain(status);
    if (status !== "PAID") return;
    const { id: orderId } = (await store.queries.orderOfQuote(attempt.quote_id))!;
    this.orders.push({ id: orderId, bags: await this.#bagsOf(attempt) });
  }

  async #bagsOf({ quote_id }: AttemptRow): Promise<number> {
    const { quote } = (await this.shop.store.queries.quote(quote_id))!;
    const { shipments } = JSON.parse(quote.terms) as Terms;
    return bagCount(shipments.flatMap(({ items }) => items));
  }

  async stock() {
    return (await this.shop.store.queries.stock()).find((row) => row.product_id === WAITLISTED)!;
  }

  async check(): Promise<void> {
    const { on_hand, held } = await this.stock();
    const entries = await this.shop.store.queries.allWaitlist();
    const attempts = await Promise.all(
      this.attempts.map((id) => this.shop.store.queries.attempt(id)),
    );
    const sold = this.orders.reduce((n, order) => n + order.bags, 0);
    const offered = entries.filter(({ status }) => status === "OFFERED");
    const own = attempts
      .flatMap((attempt) => (attempt && LIVE.has(attempt.status) ? holdsOf(attempt) : []))
      .reduce((n, hold) => n + hold.fromStock, 0);
    expect(on_hand + sold).toBe(this.brought);
    expect(held).toBe(own + offered.reduce((n, { quantity }) => n + quantity, 0));
    expect(held).toBeLessThanOrEqual(on_hand);
    inTurn(entries);
    for (const customer of new Set(offered.map((one) => one.customer))) {
      expect(offered.filter((one) => one.customer === customer)).toHaveLength(1);
    }
  }
}

/**
 * Bags of an offer would have served nobody who waits longer: they want more, their customer has an offer,
 * or has let one expire without confirming the address.
 */
function inTurn(entries: readonly WaitlistRow[]): void {
  const served = entries.filter(({ status }) => status === "OFFERED");
  const waiting = entries.filter(({ status }) => status === "WAITING");
  const hadOffers = new Set(
    entries.filter((one) => one.offer_expires_at !== null).map(({ customer }) => customer),
  );
  for (const late of served) {
    for (const early of waiting) {
      if (early.created_at > late.created_at || hadOffers.has(early.customer)) continue;
      expect(early.quantity).toBeGreaterThan(late.quantity);
    }
  }
}

describe("bags and the waitlist", () => {
  it("no bag is lost or doubled and no fitting entry is skipped, in any sequence of events", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { store } = await usualStore();
        try {
          const shop = await openShop(store);
          await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
          const agents = [await newAgent(shop), await newAgent(shop)];
          const model = new Model(shop, agents);
          for (const one of steps) {
            await model.take(one);
            await model.check();
          }
        } finally {
          await store.close();
        }
      }),
      { numRuns: RUNS },
    );
  }, 60_000);
});
