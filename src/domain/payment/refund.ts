import { appendEvents } from "../order/order.ts";
import {
  type Decision,
  insert,
  type Rule,
  read,
  type State,
  update,
  type Write,
} from "../shared/command.ts";
import type { AttemptRow, IncidentRow, OrderRow, RefundRow } from "../shared/records.ts";
import { ending, LIVE } from "./attempt.ts";
import { incident, type Settle, type Settled } from "./checkout-status.ts";

const WHY = {
  PAID_TWICE: "A second payment for a quote that has its order; it is being returned in full.",
  WRONG_AMOUNT: "What was paid is not what was approved; no order, it is being returned in full.",
  PAID_TOO_LATE:
    "Paid after its session had ended, with a courtesy used elsewhere; returned in full.",
};

type GiveBack = keyof typeof WHY;

/** The same payment told again: it is on its way back, or there was nothing to send back. */
export const wasGivenBack = (attempt: AttemptRow, s: State): boolean =>
  s.refunds.some((refund) => refund.attempt_id === attempt.id) ||
  (attempt.status === "ENDED" && (attempt.outcome ?? "") in WHY);

/** Money that must not be kept: returned once, by itself, and the merchant sees an incident. */
export function giveBack(
  c: Settle,
  attempt: AttemptRow,
  order: OrderRow | undefined,
  s: State,
  reason: GiveBack,
): Decision<Settled> {
  const refund = refundRow(c, attempt, order, reason);
  const writes: Write[] = [
    ...ending(attempt, reason, c.now, s),
    update("attempts", { id: attempt.id }, { payment_ref: c.word.paymentRef }),
    ...(refund ? [insert("refunds", refund)] : []),
    incident(c, reason, attempt.quote_id, WHY[reason]),
  ];
  const other = s.attempts.some((a) => a.id !== attempt.id && LIVE.has(a.status));
  if (!order && !other) {
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

/** Null where no money came: a total of zero is "paid" without a payment. */
function refundRow(
  { ids, now, word }: Settle,
  attempt: AttemptRow,
  order: OrderRow | undefined,
  reason: GiveBack,
): RefundRow | null {
  if (!word.paymentRef || !word.totalMinor) return null;
  return {
    id: ids.refund,
    attempt_id: attempt.id,
    order_id: order?.id ?? null,
    payment_ref: word.paymentRef,
    amount_minor: word.totalMinor,
    reason,
    status: "PENDING",
    created_at: now,
    done_at: null,
  };
}

export interface RefundDone {
  now: number;
  refund: RefundRow;
  eventId: string;
}

/** The provider has sent the money back. For a second payment the order's log says so (contract §5). */
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

export interface RefundFailed {
  refund: RefundRow;
  incident: IncidentRow;
}

/** The provider will never send this money back: the merchant has to, and is told so, once. */
export const refundFailed: Rule<RefundFailed, null> = {
  reads: (c) => [read("refunds", { id: c.refund.id })],
  decide({ refund, incident }, s) {
    if (s.refunds[0]?.status !== "PENDING") return { reply: null, writes: [] };
    return {
      reply: null,
      writes: [
        update("refunds", { id: refund.id }, { status: "FAILED" }),
        insert("incidents", incident),
      ],
    };
  },
};
