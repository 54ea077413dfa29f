import { newId, newIds } from "../../src/core/ids.ts";
import type { AttemptRow } from "../../src/core/records.ts";
import { reportOf, type SettleResult } from "../../src/payments/attempt.ts";
import type { CheckoutState } from "../../src/payments/provider.ts";
import { recordSession, type StartResult, startPayment } from "../../src/payments/start.ts";
import type { Quote, Terms } from "../../src/quotes/quote-answer.ts";
import { bagsByProduct } from "../../src/quotes/quote-terms.ts";
import { STOCKED } from "./catalog.ts";
import { settle } from "./rows.ts";
import { intent, type Shop } from "./shop.ts";
import { ADDRESS } from "./shopper.ts";

export interface OrderSettings {
  agentId: string | null;
  email?: string;
  /** One shipment each: bags per bean. */
  shipments?: Record<string, number>[];
}

/** Creates a quote. `agentId` is null for a person's own quick checkout. */
export async function quoteFor(shop: Shop, wanted: OrderSettings): Promise<Quote> {
  const { agentId, email = "buyer@example.com", shipments = [{ [STOCKED]: 1 }] } = wanted;
  const request = {
    buyer: { email },
    shipments: shipments.map((bags, i) => ({
      recipient_ref: `shipment ${i + 1}`,
      address: { ...ADDRESS, line1: `${i + 1} Main Street` },
      items: Object.entries(bags).map(([product_id, quantity]) => ({ product_id, quantity })),
    })),
  };
  const { quotes } = shop.merchant;
  const { body } = await quotes.create(request, { agentId, finderKey: null }, intent());
  return body;
}

/** Input of the payment rules for a quote. */
async function parts(shop: Shop, quoteId: string) {
  const found = await shop.store.queries.quote(quoteId);
  if (!found) throw new Error(`no quote ${quoteId}`);
  const terms = JSON.parse(found.quote.terms) as Terms;
  return {
    quote: found.quote,
    bags: bagsByProduct(terms.shipments),
    firstOrder: terms.pricing.courtesy?.kind === "FIRST_ORDER",
    shipmentCount: terms.shipments.length,
  };
}

/** Presses pay, and stores the provider's page. */
export async function startPaying(shop: Shop, quoteId: string): Promise<StartResult> {
  const { store, clock } = shop;
  const now = clock.now();
  const attemptId = newId("pay", now);
  const sessionEndsAt = now + 3_600_000;
  const command = {
    ...(await parts(shop, quoteId)),
    now,
    attemptId,
    wish: quoteId,
    sessionEndsAt,
  };
  const started = await store.run(startPayment, command);
  if (started.kind === "started") {
    const opened = { now, attemptId, sessionId: `cs_${attemptId}`, url: "https://pay.test/" };
    await store.run(recordSession, opened);
  }
  return started;
}

/** Settles an attempt by a hand-made state of the provider's session. */
export async function settleAs(
  shop: Shop,
  attempt: AttemptRow,
  word: "authorized" | "paid" | "canceled" | "expired" | "failed",
): Promise<SettleResult> {
  const { store, clock, provider } = shop;
  const now = clock.now();
  const { shipmentCount, ...of } = await parts(shop, attempt.quote_id);
  const state: CheckoutState = {
    sessionId: `cs_${attempt.id}`,
    attemptId: attempt.id,
    quoteHash: of.quote.quote_hash,
    status: word === "expired" ? "expired" : "complete",
    payment: word === "expired" || word === "failed" ? "unpaid" : word,
    failed: word === "failed",
    declined: false,
    totalMinor: of.quote.total_minor,
    amountMinor: word === "paid" || word === "authorized" ? of.quote.total_minor : null,
    currency: "usd",
    livemode: false,
    url: null,
    returnUrl: null,
    createdAt: attempt.created_at,
    paymentRef: `pi_${attempt.id}`,
    method: "card",
    refunds: [],
    disputes: [],
  };
  provider.states.set(state.sessionId, state);
  const ids = {
    order: newId("ord", now),
    shipments: newIds("shp", now, shipmentCount),
    events: newIds("evt", now, 2),
    refund: newId("rf", now),
    incidents: newIds("inc", now, 1),
  };
  const command = {
    ...of,
    now,
    attemptId: attempt.id,
    shipmentCount,
    mode: "sandbox",
    reported: state,
    report: reportOf(state),
    seen: attempt,
    boughtSame: false,
    ids,
  };
  return store.run(settle, command);
}

/** Quotes, pays and settles. Returns the order's id. */
export async function paidOrder(shop: Shop, wanted: OrderSettings): Promise<string> {
  const quote = await quoteFor(shop, wanted);
  const started = await startPaying(shop, quote.id);
  if (!("attempt" in started)) throw new Error(`quote ${quote.id} cannot be paid`);
  const { orderId } = await settleAs(shop, started.attempt, "paid");
  if (orderId === null) throw new Error("paid, and no order");
  return orderId;
}
