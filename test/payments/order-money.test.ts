/**
 * Merchant, buyer, bank and provider change the money of one order in any order, two at once, with lost and
 * late answers: the sums agree, and no event is repeated.
 */
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { MerchantError } from "../../src/core/errors.ts";
import { doneMinor, promisedMinor } from "../../src/payments/money-back.ts";
import { type PaymentProvider, ProviderUnavailable } from "../../src/payments/provider.ts";
import { intent } from "../support/shop.ts";
import { paidPage, shop, webhook } from "./steps.ts";
import { MINUTE, type World } from "./world.ts";

const PAUSE_MS = 13 * 60 * MINUTE;
const RUNS = 10;

interface Act {
  do: keyof typeof ACTS;
  /** Index of a shipment; beyond the last one: all. */
  which: number;
  /** Minor units; null for all. */
  amount: number | null;
  ok: boolean;
}

/** The provider's behavior during an act. */
type Answers = "well" | "not" | "lost" | "failed" | "late";

interface Ordered {
  world: World;
  orderId: string;
  agentId: string;
  sessionId: string;
}

/** One process that acts, with its own view of the provider. */
interface Actor extends Ordered {
  merchant: ReturnType<World["process"]>;
  provider: PaymentProvider;
}

const admin = ({ merchant }: Actor) => merchant.admin("cli");

async function shipment({ world, orderId }: Ordered, which: number): Promise<string | undefined> {
  const rows = await world.store.queries.shipmentsOfOrders([orderId]);
  return rows.find(({ position }) => position === which)?.id;
}

/** Id of the order's newest request, or an unknown id. */
async function request({ world }: Ordered): Promise<string> {
  return (await world.store.queries.allCancelRequests(undefined, 1))[0]?.id ?? "cr_none";
}

async function told({ world, merchant, sessionId }: Actor): Promise<void> {
  const { event } = (await merchant.webhooks.receive(...webhook(world, sessionId)))!;
  await merchant.webhooks.process(event);
}

async function settled({ world, provider }: Pick<Actor, "world" | "provider">): Promise<void> {
  world.clock.advance(MINUTE);
  await world.sandbox.tick();
  await world.process({ provider }).reconciler.run();
}

const ACTS = {
  refund: (by: Actor, { amount, ok }: Act) =>
    admin(by).orders.refund({ order_id: by.orderId, amount_minor: amount, again: ok }),
  retry: async (by: Actor) => {
    const refunds = await by.world.store.queries.refundsOfOrders([by.orderId]);
    return admin(by).refunds.retry({ refund_id: refunds.at(-1)?.id ?? "rf_none" });
  },
  ask: async (by: Actor, { which }: Act) => {
    const id = await shipment(by, which);
    const wish = { reason_code: "OTHER" as const, ...(id && { shipment_ids: [id] }) };
    return by.merchant.cancellations.request(by.orderId, wish, by.agentId, intent());
  },
  withdraw: (by: Actor) => by.merchant.cancellations.withdraw(by.orderId, by.agentId, intent()),
  accept: async (by: Actor) => admin(by).cancellations.accept({ request_id: await request(by) }),
  acceptAndRefund: async (by: Actor) =>
    admin(by).cancellations.accept({ refund: true, request_id: await request(by) }),
  decline: async (by: Actor) =>
    admin(by).cancellations.decline({ request_id: await request(by), reason: "It is roasted." }),
  cancel: (by: Actor, { ok }: Act) =>
    admin(by).orders.cancel({ order_id: by.orderId, reason: "Sold out after all.", refund: ok }),
  cancelShipment: async (by: Actor, { which, ok }: Act) => {
    const id = (await shipment(by, which)) ?? "shp_none";
    return admin(by).shipments.cancel({
      shipment_ids: [id],
      reason: "No such street.",
      refund: ok,
    });
  },
  roast: (by: Actor) => admin(by).orders.roast({ order_id: by.orderId }),
  dispute: ({ world, sessionId }: Actor) => world.control.dispute(sessionId),
  decide: ({ world, sessionId }: Actor, { ok }: Act) =>
    world.control.closeDispute(sessionId, ok ? "won" : "lost"),
  outside: ({ world, sessionId }: Actor, { amount }: Act) =>
    world.control.refundOutside(sessionId, amount ?? undefined),
  arrive: ({ world, sessionId }: Actor, { ok }: Act) =>
    world.control.endRefund(sessionId, ok ? "succeeded" : "failed"),
  slow: async ({ world, sessionId }: Actor) => world.control.slowRefunds(sessionId),
  webhook: told,
  settle: settled,
  later: async (by: Actor) => {
    by.world.clock.advance(PAUSE_MS);
    await settled(by);
  },
} satisfies Record<string, (by: Actor, act: Act) => Promise<unknown>>;

function answering(provider: PaymentProvider, how: Answers): PaymentProvider {
  const faulty =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (how === "not") throw new ProviderUnavailable("It does not answer.");
      const answer = await call(...args);
      if (how === "lost") throw new ProviderUnavailable("Its answer was lost.");
      if (how === "failed") throw new ProviderUnavailable("It failed.", { failedThere: true });
      for (let turn = 0; how === "late" && turn < 100; turn++) await setImmediate();
      return answer;
    };
  const { getCheckout, refund, listRefunds } = provider;
  return {
    ...provider,
    getCheckout: faulty(getCheckout),
    refund: faulty(refund),
    listRefunds: faulty(listRefunds),
  };
}

/** Performs the act; accepts refusals by policy. */
async function perform(ordered: Ordered, act: Act, how: Answers): Promise<void> {
  const provider = answering(ordered.world.provider, how);
  const by = { ...ordered, provider, merchant: ordered.world.process({ provider }) };
  await ACTS[act.do](by, act).catch((error: unknown) => {
    if (!(error instanceof MerchantError) || error.status >= 500) throw error;
  });
}

const ANY_ACT: fc.Arbitrary<Act> = fc.record({
  do: fc.constantFrom(
    ...(Object.keys(ACTS) as Act["do"][]),
    "refund",
    "refund",
    "retry",
    "ask",
    "arrive",
  ),
  which: fc.nat(3),
  amount: fc.option(fc.integer({ min: 1, max: 4000 })),
  ok: fc.boolean(),
});
const ANSWERS = fc.constantFrom<Answers>("well", "well", "not", "lost", "failed", "late", "late");
/** One, or two at once. */
const STEP = fc.array(fc.tuple(ANY_ACT, ANSWERS), { minLength: 1, maxLength: 2 });

async function ordering(world: World, agentId: string, number: number): Promise<Ordered> {
  const email = `sums-${number}@example.com`;
  const code = number % 2 === 0 ? {} : { discount_code: "FIRSTBAG" };
  const review = await world.quote({ email, shipments: 3, ...code }, { agentId });
  const sessionId = await paidPage(world, review);
  await world.process().reconciler.first();
  const order = (await world.store.queries.orderOfQuote(review.quote.id))!;
  return { world, orderId: order.id, agentId, sessionId };
}

/** Holds at every moment. */
async function expectEqualSums({ world, orderId }: Ordered): Promise<void> {
  const { queries } = world.store;
  const order = (await queries.order(orderId))!;
  const refunds = await queries.refundsOfOrders([orderId]);
  expect(order.refunded_minor).toBe(doneMinor(refunds));
  if (refunds.some(({ reason }) => reason === "OUTSIDE")) return;
  expect(promisedMinor(refunds)).toBeLessThanOrEqual(order.amount_minor);
}

/** Holds once the bank has decided and all reports are in. */
async function expectTrueBooks({ world, orderId, sessionId }: Ordered): Promise<void> {
  while (await world.control.closeDispute(sessionId, "won"));
  world.control.faults.slowRefunds.clear();
  await world.control.endPending(sessionId);
  for (const pauseMs of [PAUSE_MS, PAUSE_MS, PAUSE_MS, 0, 0]) {
    world.clock.advance(pauseMs);
    await settled({ world, provider: world.provider });
  }
  // The books of payments do not know that bags of a canceled order return.
  const problems = await world.problems();
  expect(problems.filter((line) => !line.includes("bags where"))).toEqual([]);
  const log = await world.store.queries.events(orderId, 0, 1000);
  const refunded = log.filter(({ type }) => type === "payment.refunded");
  const ids = refunded.map(({ data }) => (JSON.parse(data) as { refund_id: string }).refund_id);
  expect(ids).toEqual([...new Set(ids)]);
  const disputes = await world.store.queries.disputesOfOrders([orderId]);
  const closed = log.filter(({ type }) => type === "payment.dispute_closed");
  expect(closed).toHaveLength(disputes.length);
}

it("an order's sums agree whatever is done to its money, and no event is repeated", async () => {
  const world = await shop();
  const agentId = await world.agent();
  let orders = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 12 }), async (steps) => {
      const ordered = await ordering(world, agentId, orders++);
      for (const acts of steps) {
        await Promise.all(acts.map(([act, how]) => perform(ordered, act, how)));
        await expectEqualSums(ordered);
      }
      await expectTrueBooks(ordered);
    }),
    { numRuns: RUNS },
  );
}, 60_000);
