import { consumeHolds, type Hold, holdsOf, planHolds } from "../catalog/holds.ts";
import {
  insert,
  lock,
  type Rule,
  type State,
  setSetting,
  update,
  type Write,
} from "../core/command.ts";
import { CURRENCY } from "../core/money.ts";
import { appendEvents, type NewEvent } from "../core/order-log.ts";
import { notOrderedLetter } from "../core/outbox.ts";
import { TIMES } from "../core/policy.ts";
import { type AttemptRow, LIVE, type OrderRow } from "../core/records.ts";
import { attemptReads, endUnpaid, NO_PAYER, setAttempt, setCustomer } from "../payments/attempt.ts";
import { isRefundedInFull, refundInFull } from "../payments/full-refund.ts";
import { followPayment, moneyReads, settled } from "../payments/money-back.ts";
import { CHECK_EVERY_MS, nextCheck } from "../payments/next-check.ts";
import type { Settle, SettleResult } from "../payments/reported-checkout.ts";
import { mayHaveFirstOrder, setQuoteState } from "../quotes/standing.ts";
import { ownOfferRows, ownOffers } from "../waitlist/own-offers.ts";

/**
 * Updates the books from the provider's state, in any order and any number of times (contract §5). Makes at
 * most one order per quote, and records a refund for a payment that must not be kept.
 */
export const settle: Rule<Settle, SettleResult> = {
  reads: (c) => [
    ...attemptReads(c),
    lock("orders", { quote_id: c.quote.id }),
    lock("settings", { name: ORDER_NUMBER_SETTING }),
    ...(c.quote.agent_id ? [lock("agents", { id: c.quote.agent_id })] : []),
    ...ownOfferRows(c.quote).map((rows) => lock("waitlist", rows)),
    ...(c.reported.paymentRef ? moneyReads(c.reported.paymentRef) : []),
  ],
  decide(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    if (!attempt) throw new Error(`no attempt ${c.attemptId}`);
    const { reported } = c;
    if (s.orders[0]?.attempt_id === attempt.id) return followPayment(c, attempt, s);
    if (reported.payment === "paid") return paid(c, attempt, s);
    if (!LIVE.has(attempt.status)) return settled(s);
    const over = reported.status === "expired" ? "EXPIRED" : reported.failed ? "FAILED" : null;
    if (over) {
      const about = { outcome: over, amount_minor: c.quote.total_minor };
      const letters = over === "FAILED" ? [notOrderedLetter(attempt, about, c.now)] : [];
      return settled(s, [...endUnpaid(attempt, over, c.now, s), ...letters]);
    }
    if (reported.payment === "processing") return settled(s, processing(c, attempt, s));
    // Its page is still open.
    const declined = reported.declined ? 1 : 0;
    return settled(s, [setAttempt(attempt, { declined, check_at: nextCheck(attempt, c.now) })]);
  },
};

/** Paid by a method that settles in days: bags and courtesy stay held until the payment settles or fails. */
function processing(c: Settle, attempt: AttemptRow, s: State): Write[] {
  const held = setAttempt(attempt, {
    status: "PROCESSING",
    payment_ref: c.reported.paymentRef,
    hold_until: Math.max(attempt.hold_until, attempt.created_at + TIMES.processing_hold_ms),
    check_at: c.now + CHECK_EVERY_MS,
  });
  if (s.quote_states[0]?.status !== "CHECKOUT_READY") return [held];
  return [held, setQuoteState(c.quote.id, { status: "PROCESSING", updated_at: c.now })];
}

function paid(c: Settle, attempt: AttemptRow, s: State) {
  if (isRefundedInFull(attempt, s)) return followPayment(c, attempt, s);
  if (s.orders[0]) return refundInFull(c, attempt, s, "PAID_TWICE");
  if (!fits(c, attempt)) return refundInFull(c, attempt, s, "WRONG_AMOUNT");
  const sold = isCourtesyThere(c, attempt, s) ? bagsFor(c, attempt, s) : null;
  if (!sold) return refundInFull(c, attempt, s, "PAID_TOO_LATE");
  return makeOrder(c, attempt, sold, s);
}

/** The attempt's held bags. A late payment gets free bags, or null if there are too few. */
function bagsFor(c: Settle, attempt: AttemptRow, s: State): SoldBags | null {
  const kept = holdsOf(attempt);
  if (kept.length > 0) return { holds: kept, held: true };
  const holds = planHolds(c.bags, s.stock, ownOffers(c.quote, s.waitlist));
  return holds && { holds, held: false };
}

/** Whether the payment matches the approval: total, currency, hash and attempt. */
const fits = ({ reported, quote }: Settle, attempt: AttemptRow): boolean =>
  reported.totalMinor === quote.total_minor &&
  reported.currency === CURRENCY &&
  reported.quoteHash === quote.quote_hash &&
  reported.attemptId === attempt.id;

/**
 * Whether the courtesy is reserved for this attempt or still free for a late payment. Another attempt of the
 * same quote is the same buyer.
 */
function isCourtesyThere(c: Settle, attempt: AttemptRow, s: State): boolean {
  if (!c.firstOrder) return true;
  const customer = s.customers[0];
  const holder = customer?.courtesy === "RESERVED" ? customer.courtesy_attempt : null;
  if (holder === attempt.id) return true;
  const free = holder === null || s.attempts.some(({ id }) => id === holder);
  return free && mayHaveFirstOrder(customer);
}

/** Source of an order's bags: held for its attempt, or still free for a late payment. */
interface SoldBags {
  holds: readonly Hold[];
  held: boolean;
}

/** Order, events, stock and courtesy in one transaction (contract §5). */
function makeOrder(c: Settle, attempt: AttemptRow, { holds, held }: SoldBags, s: State) {
  const number = nextNumber(s);
  const order = { ...orderRow(c, attempt, s), number };
  const log = appendEvents(order, confirmed(c, order), { now: c.now, eventIds: c.ids.events });
  const others = s.attempts.filter((a) => a.id !== attempt.id && LIVE.has(a.status));
  return {
    reply: { orderId: order.id, refund: null, expire: others },
    writes: [
      insert("orders", { ...order, last_sequence: log.last_sequence }),
      setSetting(s, ORDER_NUMBER_SETTING, String(number)),
      ...log.writes,
      ...c.ids.shipments
        .slice(0, c.shipmentCount)
        .map((id, position) =>
          insert("shipments", { id, order_id: order.id, position, status: "PENDING" }),
        ),
      setAttempt(attempt, {
        status: "PAID",
        url: null,
        payment_ref: c.reported.paymentRef,
        session_id: c.reported.sessionId,
        holds: "[]",
        ...NO_PAYER,
        check_at: nextCheck({ ...attempt, status: "PAID" }, c.now),
      }),
      setQuoteState(c.quote.id, {
        status: "PAID",
        order_id: order.id,
        paying_until: null,
        updated_at: c.now,
      }),
      ...consumeHolds({ holds, held }, attempt.id, s),
      customerPaid(c, attempt, s),
      ...(c.quote.agent_id
        ? [update("agents", { id: c.quote.agent_id }, { last_order_at: order.created_at })]
        : []),
    ],
  };
}

/** The shop's order counter. Its value is the last assigned number. */
const ORDER_NUMBER_SETTING = "order_number";

const FIRST_ORDER_NUMBER = 1001;

/** Assigned in the order's own transaction, so numbers neither repeat nor skip. */
const nextNumber = ({ settings: [row] }: State): number =>
  row ? Number(row.value) + 1 : FIRST_ORDER_NUMBER;

/** created_at strictly increases per key, so that pages of the order list skip none (contract §5). */
function orderRow(c: Settle, attempt: AttemptRow, s: State): Omit<OrderRow, "number"> {
  const last = s.agents[0]?.last_order_at ?? 0;
  return {
    id: c.ids.order,
    quote_id: c.quote.id,
    agent_id: c.quote.agent_id,
    attempt_id: attempt.id,
    buyer_email: c.quote.buyer_email,
    status: "CONFIRMED",
    created_at: Math.max(c.now, last + 1),
    payment_status: "PAID",
    payment_method: c.reported.method ?? "card",
    payment_ref: c.reported.paymentRef ?? c.reported.sessionId,
    payment_mode: c.mode,
    amount_minor: c.quote.total_minor,
    refunded_minor: 0,
    paid_at: c.now,
    last_sequence: 0,
  };
}

const confirmed = (c: Settle, order: OrderRow): NewEvent[] => [
  {
    type: "order.confirmed",
    data: { quote_id: c.quote.id, quote_hash: c.quote.quote_hash, shipments: c.shipmentCount },
  },
  {
    type: "payment.verified",
    data: {
      amount_minor: order.amount_minor,
      currency: CURRENCY,
      method: order.payment_method,
      mode: order.payment_mode,
    },
  },
];

function customerPaid(c: Settle, attempt: AttemptRow, s: State) {
  const redeemed = c.firstOrder
    ? ({ courtesy: "REDEEMED", courtesy_attempt: attempt.id } as const)
    : {};
  const paid_orders = (s.customers[0]?.paid_orders ?? 0) + 1;
  return setCustomer(s, c.quote.customer, { paid_orders, ...redeemed });
}
