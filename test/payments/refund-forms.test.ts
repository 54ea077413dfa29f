/**
 * Refund forms of two desks, however stale, repeated and interleaved: no two of them refund more than was
 * paid, and of forms that showed the same state at most one refunds.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { MerchantError } from "../../src/core/errors.ts";
import { TIMES } from "../../src/core/policy.ts";
import type { MerchantOrder } from "../../src/orders/admin-orders.ts";
import { promisedMinor } from "../../src/payments/money-back.ts";
import { STOCKED } from "../support/catalog.ts";
import { intent, newAgent, openShop, paidOrder, type Shop } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const REASON = "The roaster broke down.";

/** The state of a page, as its forms send it. */
const seenOn = (page: MerchantOrder) => ({ seen: page.version });

const FORMS = {
  refundAll: ({ admin }: Shop, page: MerchantOrder) =>
    admin.orders.refund({ order_id: page.id, amount_minor: null, ...seenOn(page) }),
  refundPart: ({ admin }: Shop, page: MerchantOrder) =>
    admin.orders.refund({ order_id: page.id, amount_minor: 900, ...seenOn(page) }),
  retry: ({ admin }: Shop, page: MerchantOrder) =>
    admin.refunds.retry({ refund_id: page.refunds.at(-1)?.id ?? "rf_none" }),
  cancelOrder: ({ admin }: Shop, page: MerchantOrder) =>
    admin.orders.cancel({ order_id: page.id, reason: REASON, refund: true, ...seenOn(page) }),
  cancelShipment: ({ admin }: Shop, page: MerchantOrder, which: number) =>
    admin.shipments.cancel({
      shipment_ids: [page.shipments[which]!.id],
      reason: REASON,
      refund: true,
      ...seenOn(page),
    }),
  refundReturned: ({ admin }: Shop, page: MerchantOrder, which: number) =>
    admin.shipments.refund({ shipment_id: page.shipments[which]!.id, ...seenOn(page) }),
  accept: ({ admin }: Shop, page: MerchantOrder) =>
    admin.cancellations.accept({
      refund: true,
      request_id: page.cancel_request?.id ?? "cr_none",
      ...seenOn(page),
    }),
};

const which = fc.nat({ max: 1 });
const submit = fc.record({
  /** Counted back from the newest page that was opened. */
  page: fc.nat({ max: 4 }),
  form: fc.constantFrom(...(Object.keys(FORMS) as (keyof typeof FORMS)[])),
  which,
});
type Submit = typeof submit extends fc.Arbitrary<infer T> ? T : never;

const act = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: "open" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("submit" as const),
      forms: fc.array(submit, { minLength: 1, maxLength: 3 }),
      twice: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("step" as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("ask" as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("provider" as const),
      up: fc.boolean(),
      refusing: fc.boolean(),
    }),
  },
);

/** Accepts a refusal; anything else is a failure. */
async function tried(acting: Promise<unknown>): Promise<void> {
  try {
    await acting;
  } catch (error) {
    if (!(error instanceof MerchantError) || error.status >= 500) throw error;
  }
}

/** Roasted, shipped and returned. */
async function step({ admin, clock, merchant }: Shop, orderId: string, at: number): Promise<void> {
  clock.advance(at ? 1000 : TIMES.undo_ms);
  await merchant.reconciler.run();
  const { shipments } = await admin.orders.show({ order_id: orderId });
  const { id, status } = shipments[at]!;
  const label = { carrier: "USPS", number: `${id} ${clock.now()}` };
  if (status === "PENDING") await admin.orders.roast({ order_id: orderId });
  else if (status === "ROASTING") await admin.shipments.ship({ shipment_id: id, tracking: label });
  else await admin.shipments.move({ shipment_id: id, to: "RETURNED" });
}

describeEveryStore("refund forms of two desks", (open) => {
  it("never refund more than was paid, and each state of an order at most once", async () => {
    const { store, other } = await open();
    const shop = await openShop(store);
    const beside = await openShop(other, shop.clock);
    await shop.admin.stock.set({ product_id: STOCKED, on_hand: 100_000 });
    const agentId = await newAgent(shop);
    const runs = store === other ? 60 : 30;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
        for (const { provider } of [shop, beside]) {
          Object.assign(provider, { up: true, refusing: false });
        }
        const shipments = [{ [STOCKED]: 1 }, { [STOCKED]: 2 }];
        const email = `${crypto.randomUUID()}@example.com`;
        const orderId = await paidOrder(shop, { agentId, email, shipments });
        const show = () => shop.admin.orders.show({ order_id: orderId });
        const pages = [await show()];
        for (const one of acts) {
          if (one.do === "open") pages.unshift(await show());
          else if (one.do === "provider") {
            for (const { provider } of [shop, beside]) Object.assign(provider, one);
          } else if (one.do === "step") await tried(step(shop, orderId, one.which));
          else if (one.do === "ask") {
            const shipment_ids = [pages[0]!.shipments[one.which]!.id];
            const wish = { reason_code: "OTHER" as const, shipment_ids };
            await tried(shop.merchant.cancellations.request(orderId, wish, agentId, intent()));
          } else await submitted(one.forms, one.twice);
        }
        async function submitted(forms: readonly Submit[], twice: boolean): Promise<void> {
          const sent = twice ? [...forms, ...forms] : forms;
          const before = await store.queries.refundsOfOrders([orderId]);
          const used = sent.map(({ page }) => pages[page % pages.length]!);
          await Promise.all(
            sent.map(({ form, which }, i) =>
              tried(FORMS[form](i % 2 ? beside : shop, used[i]!, which)),
            ),
          );
          const refunds = await store.queries.refundsOfOrders([orderId]);
          const ids = new Set(before.map(({ id }) => id));
          const made = refunds.filter(({ id, status }) => !ids.has(id) && status !== "FAILED");
          expect(made.length).toBeLessThanOrEqual(new Set(used.map(({ version }) => version)).size);
          const [{ payment }] = [await show()] as const;
          expect(promisedMinor(refunds)).toBeLessThanOrEqual(payment.amount_minor);
        }
        const sent = [...shop.provider.refunds, ...beside.provider.refunds];
        const refunds = await store.queries.refundsOfOrders([orderId]);
        const paid = (await show()).payment.amount_minor;
        const own = sent.filter(({ key }) => refunds.some(({ id }) => key.startsWith(id)));
        const taken = new Map(own.map(({ key, amountMinor }) => [key, amountMinor ?? paid]));
        expect([...taken.values()].reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(paid);
        expect(promisedMinor(refunds)).toBeLessThanOrEqual(paid);
      }),
      { numRuns: runs },
    );
  }, 120_000);
});
