import { consumeHolds, type Hold } from "../catalog/holds.ts";
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
import { TIMES } from "../core/policy.ts";
import { type AttemptRow, isUnpaid, LIVE, type OrderRow } from "../core/records.ts";
import { isReleaseReason, setQuoteState } from "../quotes/standing.ts";
import { ownOfferRows } from "../waitlist/own-offers.ts";
import { attemptReads, endUnpaid, NOTHING_TAKEN, setAttempt, setCustomer } from "./attempt.ts";
import { isRefundedInFull, refundInFull } from "./full-refund.ts";
import { followPayment, moneyReads, settled } from "./money-back.ts";
import { CHECK_EVERY_MS, nextCheck } from "./next-check.ts";
import type { Settle, SettleResult } from "./reported-checkout.ts";
import { authorized, bagsFor, fits, notCharged, take } from "./take.ts";

/**
 * Updates the books from the provider's state, in any order and any number of times (contract §5). Takes
 * bags only for an authorized or processing payment. Makes at most one order per quote and page, and records
 * a refund for a payment that must not be kept.
 */
export const settle: Rule<Settle, SettleResult> = {
  reads: (c) => [
    ...attemptReads(c),
    ...(c.quote.cart ? [lock("attempts", { page: c.quote.cart })] : []),
    lock("orders", { quote_id: c.quote.id }),
    ...(mayMakeOrder(c) ? orderReads(c) : []),
    ...ownOfferRows(c.quote).map((rows) => lock("waitlist", rows)),
    ...(c.reported.paymentRef ? moneyReads(c.reported.paymentRef) : []),
  ],
  decide(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    if (!attempt) throw new Error(`no attempt ${c.attemptId}`);
    const { reported } = c;
    if (reported.payment === "paid") return paid(c, attempt, s);
    if (reported.payment === "authorized") return authorized(c, attempt, s);
    if (reported.payment === "canceled" || reported.failed) return notCharged(c, attempt, s);
    // A report that is older than what is known.
    if (attempt.status === "CAPTURING" || !LIVE.has(attempt.status)) return settled(s);
    if (reported.status === "expired") return settled(s, endUnpaid(attempt, "EXPIRED", c.now, s));
    if (reported.payment === "processing") return settled(s, processing(c, attempt, s));
    // Its page is still open.
    const declined = reported.declined ? 1 : 0;
    return settled(s, [setAttempt(attempt, { declined, check_at: nextCheck(attempt, c.now) })]);
  },
};

/** An order of the attempt keeps its number, whatever is reported later. */
const mayMakeOrder = (c: Settle): boolean => c.mayOrder && c.reported.payment === "paid";

/** Rows that only a new order changes. Every order waits for the counter's lock. */
const orderReads = ({ quote }: Settle) => [
  lock("settings", { name: ORDER_NUMBER_SETTING }),
  ...(quote.agent_id ? [lock("agents", { id: quote.agent_id })] : []),
];

/**
 * Paid by a method that settles in days: bags and courtesy are kept until the payment settles or fails. If
 * they are gone, a payment that succeeds is refunded.
 */
function processing(c: Settle, attempt: AttemptRow, s: State): Write[] {
  const next = { check_at: c.now + CHECK_EVERY_MS };
  if (attempt.status === "PROCESSING") return [setAttempt(attempt, next)];
  const holds = bagsFor(c, attempt, s);
  return [
    setAttempt(attempt, {
      ...next,
      status: "PROCESSING",
      payment_ref: c.reported.paymentRef,
      hold_until: Math.max(attempt.hold_until, attempt.created_at + TIMES.processing_hold_ms),
    }),
    ...(typeof holds === "string" ? [] : take(c, attempt, holds, s)),
    ...(s.quote_states[0]?.status === "CHECKOUT_READY"
      ? [setQuoteState(c.quote.id, { status: "PROCESSING", updated_at: c.now })]
      : []),
  ];
}

function paid(c: Settle, attempt: AttemptRow, s: State) {
  const isKnown = s.orders[0]?.attempt_id === attempt.id || isRefundedInFull(attempt, s);
  if (isKnown) return followPayment(c, attempt, s);
  const holds = bagsFor(c, attempt, s);
  if (holds === "ORDERED_ALREADY") return refundInFull(c, attempt, s, "PAID_TWICE");
  if (!fits(c, attempt)) return refundInFull(c, attempt, s, "WRONG_AMOUNT");
  // A payment that was to be released was captured all the same, at the provider itself.
  const isReleased = attempt.status === "RELEASING" || isReleaseReason(attempt.outcome);
  if (isReleased || typeof holds === "string") return refundInFull(c, attempt, s, "PAID_TOO_LATE");
  return makeOrder(c, attempt, { holds, held: attempt.holds !== "[]" }, s);
}

/** Source of an order's bags: taken by its attempt, or free ones for a payment that took none. */
interface SoldBags {
  holds: readonly Hold[];
  held: boolean;
}

/** Order, events, stock and courtesy in one transaction (contract §5). */
function makeOrder(c: Settle, attempt: AttemptRow, { holds, held }: SoldBags, s: State) {
  const number = nextNumber(s);
  const order = { ...orderRow(c, attempt, s), number };
  const log = appendEvents(order, confirmed(c, order), { now: c.now, eventIds: c.ids.events });
  const others = s.attempts.filter((a) => a.id !== attempt.id && isUnpaid(a));
  return {
    reply: { orderId: order.id, call: null, refund: null, expire: others },
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
        payment_ref: c.reported.paymentRef,
        session_id: c.reported.sessionId,
        ...NOTHING_TAKEN,
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
