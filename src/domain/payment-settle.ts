import {
  type Decision,
  insert,
  type Rule,
  read,
  type State,
  update,
  type Write,
} from "./command.ts";
import { consumeHolds, consumeUnheld, holdsOf } from "./holds.ts";
import { appendEvents } from "./order.ts";
import { followOrder } from "./payment-follow.ts";
import { giveBack } from "./payment-return.ts";
import { attemptReads, CHECK_EVERY_MS, ending, LIVE } from "./payment-start.ts";
import { incident, nothing, type Settle, type Settled } from "./payment-word.ts";
import { TIMES } from "./policy.ts";
import type { AttemptRow, OrderRow } from "./records.ts";

export type { ProviderWord, Settle, Settled } from "./payment-word.ts";

/**
 * Brings our books to what the provider says, whatever was told before, in any order, any number of
 * times (CONTRACT §5). One order per quote; money that must not be kept is written down as a refund.
 */
export const settle: Rule<Settle, Settled> = {
  reads: (c) => [
    ...attemptReads(c.attemptId, c.quote, c.bags),
    read("orders", { quote_id: c.quote.id }),
    ...(c.quote.agent_id ? [read("agents", { id: c.quote.agent_id })] : []),
    ...(c.word.paymentRef ? [read("refunds", { payment_ref: c.word.paymentRef })] : []),
  ],
  decide(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    if (!attempt) throw new Error(`no attempt ${c.attemptId}`);
    const order = s.orders[0];
    const { word } = c;
    if (order?.attempt_id === attempt.id) return followOrder(c, order, s);
    if (word.payment === "paid") return paid(c, attempt, order, s);
    if (!LIVE.has(attempt.status)) return nothing(order);
    if (word.status === "expired") return ended(c, attempt, "EXPIRED", s);
    if (word.status === "complete" && word.failed) return ended(c, attempt, "FAILED", s);
    if (word.status === "complete" && word.payment === "processing") {
      return processing(c, attempt, s);
    }
    const check_at = c.now + CHECK_EVERY_MS;
    return {
      reply: { orderId: order?.id ?? null, refund: null, expire: [] },
      writes: [update("attempts", { id: attempt.id }, { check_at })],
    };
  },
};

const ended = (c: Settle, attempt: AttemptRow, outcome: string, s: State): Decision<Settled> => ({
  reply: { orderId: s.orders[0]?.id ?? null, refund: null, expire: [] },
  writes: ending(attempt, outcome, c.now, s),
});

/** Paid by a method that settles in days: everything stays held until the provider's last word. */
function processing(c: Settle, attempt: AttemptRow, s: State): Decision<Settled> {
  const writes: Write[] = [
    update(
      "attempts",
      { id: attempt.id },
      {
        status: "PROCESSING",
        payment_ref: c.word.paymentRef,
        hold_until: Math.max(attempt.hold_until, attempt.created_at + TIMES.processing_hold_ms),
        check_at: c.now + CHECK_EVERY_MS,
      },
    ),
  ];
  if (s.quote_states[0]?.status === "CHECKOUT_READY") {
    writes.push(
      update("quote_states", { quote_id: c.quote.id }, { status: "PROCESSING", updated_at: c.now }),
    );
  }
  return { reply: { orderId: null, refund: null, expire: [] }, writes };
}

function paid(
  c: Settle,
  attempt: AttemptRow,
  order: OrderRow | undefined,
  s: State,
): Decision<Settled> {
  if (s.refunds.some((refund) => refund.attempt_id === attempt.id)) return nothing(order);
  if (order) return giveBack(c, attempt, order, s, "PAID_TWICE");
  if (!fits(c, attempt)) return giveBack(c, attempt, undefined, s, "WRONG_AMOUNT");
  if (!courtesyStillOurs(c, attempt, s)) return giveBack(c, attempt, undefined, s, "COURTESY_USED");
  return makeOrder(c, attempt, s);
}

/** What was paid is what was approved: total, currency, hash and attempt. */
const fits = ({ word, quote }: Settle, attempt: AttemptRow): boolean =>
  word.totalMinor === quote.total_minor &&
  word.currency === "usd" &&
  word.quoteHash === quote.quote_hash &&
  word.attemptId === attempt.id;

/** Lost only where the attempt had ended before its late payment and someone else was quicker. */
const courtesyStillOurs = (c: Settle, attempt: AttemptRow, s: State): boolean =>
  !c.firstOrder || !s.customers[0]?.courtesy || s.customers[0].courtesy_attempt === attempt.id;

function makeOrder(c: Settle, attempt: AttemptRow, s: State): Decision<Settled> {
  const holds = holdsOf(attempt);
  const unheld = holds.length > 0 ? null : consumeUnheld(c.bags, s);
  const order = orderRow(c, attempt, s);
  const log = appendEvents(order, confirmed(c, order), c.now);
  const others = s.attempts.filter((a) => a.id !== attempt.id && LIVE.has(a.status));
  return {
    reply: {
      orderId: order.id,
      refund: null,
      expire: others.flatMap((a) => (a.session_id ? [a.session_id] : [])),
    },
    writes: [
      insert("orders", { ...order, last_sequence: log.last_sequence }),
      ...log.rows.map((row) => insert("events", row)),
      ...c.ids.shipments
        .slice(0, c.parcels)
        .map((id, position) => shipment(id, order.id, position)),
      update(
        "attempts",
        { id: attempt.id },
        {
          status: "PAID",
          payment_ref: c.word.paymentRef,
          session_id: c.word.sessionId,
          holds: "[]",
          check_at: null,
        },
      ),
      update(
        "quote_states",
        { quote_id: c.quote.id },
        { status: "PAID", order_id: order.id, paying_until: null, updated_at: c.now },
      ),
      ...(unheld ? unheld.writes : consumeHolds(holds, s)),
      customerPaid(c, attempt, s),
      ...(c.quote.agent_id
        ? [update("agents", { id: c.quote.agent_id }, { last_order_at: order.created_at })]
        : []),
      ...(unheld && !unheld.enough
        ? [
            incident(
              c,
              "OVERSOLD",
              order.id,
              "Paid after its hold was lost, and the shelf is short.",
            ),
          ]
        : []),
    ],
  };
}

/** created_at strictly increases per key, so that no page of the order list skips one (§5). */
function orderRow(c: Settle, attempt: AttemptRow, s: State): OrderRow {
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
    payment_method: c.word.method ?? "card",
    payment_ref: c.word.paymentRef ?? c.word.sessionId,
    payment_mode: c.mode,
    amount_minor: c.quote.total_minor,
    refunded_minor: 0,
    paid_at: c.now,
    last_sequence: 0,
  };
}

const confirmed = (c: Settle, order: OrderRow) => [
  {
    id: c.ids.events[0]!,
    type: "order.confirmed" as const,
    status: order.status,
    data: { quote_id: c.quote.id, quote_hash: c.quote.quote_hash, shipments: c.parcels },
  },
  {
    id: c.ids.events[1]!,
    type: "payment.verified" as const,
    status: order.status,
    data: {
      amount_minor: order.amount_minor,
      currency: "usd",
      method: order.payment_method,
      mode: order.payment_mode,
    },
  },
];

const shipment = (id: string, order_id: string, position: number): Write =>
  insert("shipments", {
    id,
    order_id,
    position,
    status: "PENDING",
    carrier: null,
    tracking_number: null,
    tracking_url: null,
    shipped_at: null,
    delivered_at: null,
  });

function customerPaid(c: Settle, attempt: AttemptRow, s: State): Write {
  const redeemed = c.firstOrder
    ? ({ courtesy: "REDEEMED", courtesy_attempt: attempt.id } as const)
    : {};
  const customer = s.customers[0];
  if (customer) {
    const paid_orders = customer.paid_orders + 1;
    return update("customers", { email: customer.email }, { paid_orders, ...redeemed });
  }
  const none = { courtesy: null, courtesy_attempt: null };
  return insert("customers", { email: c.quote.customer, paid_orders: 1, ...none, ...redeemed });
}
