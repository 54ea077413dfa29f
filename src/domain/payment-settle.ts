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
import { appendEvents, type EventType } from "./order.ts";
import { attemptReads, type Bags, CHECK_EVERY_MS, ending, LIVE } from "./payment-start.ts";
import { TIMES } from "./policy.ts";
import type { AttemptRow, IncidentRow, OrderRow, QuoteRow, RefundRow } from "./records.ts";

/** What the provider says of one session, as far as a decision needs it. Amounts in minor units. */
export interface ProviderWord {
  sessionId: string;
  attemptId: string | null;
  quoteHash: string | null;
  status: "open" | "complete" | "expired";
  payment: "unpaid" | "processing" | "paid";
  failed: boolean;
  totalMinor: number | null;
  currency: string;
  paymentRef: string | null;
  method: string | null;
  refundedMinor: number;
  disputed: boolean;
}

export interface Settle {
  now: number;
  attemptId: string;
  quote: QuoteRow;
  bags: Bags;
  /** The quote carries the first-order courtesy. */
  firstOrder: boolean;
  parcels: number;
  /** Where the money is: "live", "test" or "sandbox". */
  mode: string;
  word: ProviderWord;
  /** Fresh ids; unused ones are dropped. */
  ids: {
    order: string;
    shipments: string[];
    events: string[];
    refund: string;
    incident: string;
  };
}

export interface Settled {
  /** The quote's order, if there is one now. */
  orderId: string | null;
  /** Money to send back, now that its row is written. */
  refund: RefundRow | null;
  /** Sessions of the same quote that nobody must pay any more. */
  expire: string[];
}

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

const nothing = (order: OrderRow | undefined): Decision<Settled> => ({
  reply: { orderId: order?.id ?? null, refund: null, expire: [] },
  writes: [],
});

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

type GiveBack = "PAID_TWICE" | "WRONG_AMOUNT" | "COURTESY_USED";

const WHY: Record<GiveBack, string> = {
  PAID_TWICE: "A second payment for a quote that has its order; it is being returned in full.",
  WRONG_AMOUNT: "What was paid is not what was approved; no order, it is being returned in full.",
  COURTESY_USED:
    "Paid after its session had ended, with a courtesy used elsewhere; returned in full.",
};

/** Money that must not be kept: returned once, by itself, and the merchant sees an incident. */
function giveBack(
  c: Settle,
  attempt: AttemptRow,
  order: OrderRow | undefined,
  s: State,
  reason: GiveBack,
): Decision<Settled> {
  const refund: RefundRow = {
    id: c.ids.refund,
    attempt_id: attempt.id,
    order_id: order?.id ?? null,
    payment_ref: c.word.paymentRef ?? "",
    amount_minor: c.word.totalMinor ?? 0,
    reason,
    status: "PENDING",
    created_at: c.now,
    done_at: null,
  };
  const writes: Write[] = [
    ...ending(attempt, reason, c.now, s),
    update("attempts", { id: attempt.id }, { payment_ref: c.word.paymentRef }),
    insert("refunds", refund),
    incident(c, reason, attempt.quote_id, WHY[reason]),
  ];
  if (!order) {
    writes.push(
      update(
        "quote_states",
        { quote_id: c.quote.id },
        { status: "INVALIDATED", reason, paying_until: null, updated_at: c.now },
      ),
    );
  }
  return { reply: { orderId: order?.id ?? null, refund, expire: [] }, writes };
}

function incident(c: Settle, kind: string, subject: string, detail: string): Write {
  const row: IncidentRow = { id: c.ids.incident, kind, subject, detail, created_at: c.now };
  return insert("incidents", row);
}

/** After the order: refunds and disputes, by the provider's word only (CONTRACT §5). */
function followOrder(c: Settle, order: OrderRow, s: State): Decision<Settled> {
  const { refundedMinor, disputed } = c.word;
  const happened: { type: EventType; data: unknown }[] = [];
  const set: Partial<OrderRow> = {};
  const incidents: Write[] = [];
  if (disputed && order.payment_status !== "DISPUTED") {
    set.payment_status = "DISPUTED";
    happened.push({ type: "payment.disputed", data: { amount_minor: order.amount_minor } });
    incidents.push(incident(c, "DISPUTED", order.id, "The buyer disputes this payment."));
  }
  if (refundedMinor > order.refunded_minor) {
    const amount_minor = refundedMinor - order.refunded_minor;
    const ours = s.refunds.some((refund) => refund.order_id === order.id);
    set.refunded_minor = refundedMinor;
    if (refundedMinor >= order.amount_minor) set.payment_status = "REFUNDED";
    const data = { amount_minor, refunded_minor: refundedMinor, currency: "usd" };
    happened.push({ type: "payment.refunded", data: { ...data, reason: "ORDER" } });
    if (!ours && incidents.length === 0) {
      incidents.push(incident(c, "REFUNDED_OUTSIDE", order.id, "Refunded at the provider itself."));
    }
  }
  if (happened.length === 0) return nothing(order);
  const entries = happened.map((h, i) => ({ ...h, id: c.ids.events[i]!, status: order.status }));
  const log = appendEvents(order, entries, c.now);
  return {
    reply: { orderId: order.id, refund: null, expire: [] },
    writes: [
      update("orders", { id: order.id }, { ...set, last_sequence: log.last_sequence }),
      ...log.rows.map((row) => insert("events", row)),
      ...incidents,
    ],
  };
}

export interface RefundDone {
  now: number;
  refund: RefundRow;
  eventId: string;
}

/** The provider has sent the money back. For a second payment the order's log says so (CONTRACT §5). */
export const refundDone: Rule<RefundDone, null> = {
  reads: (c) => [
    ...(c.refund.order_id ? [read("orders", { id: c.refund.order_id })] : []),
    read("refunds", { id: c.refund.id }),
  ],
  decide(c, s) {
    const refund = s.refunds[0];
    if (refund?.status !== "PENDING") return { reply: null, writes: [] };
    const done = update("refunds", { id: refund.id }, { status: "DONE", done_at: c.now });
    const order = s.orders[0];
    if (!order || refund.reason !== "PAID_TWICE") return { reply: null, writes: [done] };
    const data = { amount_minor: refund.amount_minor, currency: "usd", reason: refund.reason };
    const happened = {
      id: c.eventId,
      type: "payment.refunded",
      status: order.status,
      data,
    } as const;
    const log = appendEvents(order, [happened], c.now);
    return {
      reply: null,
      writes: [
        done,
        update("orders", { id: order.id }, { last_sequence: log.last_sequence }),
        ...log.rows.map((row) => insert("events", row)),
      ],
    };
  },
};
