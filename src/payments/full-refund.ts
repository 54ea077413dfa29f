import { insert, type State, type Write } from "../core/command.ts";
import type { OrderId } from "../core/ids.ts";
import { notOrderedLetter } from "../core/outbox.ts";
import { type AttemptRow, LIVE, newRow, type RefundRow } from "../core/records.ts";
import { setQuoteState } from "../quotes/standing.ts";
import { endUnpaid, type Settle, setAttempt } from "./attempt.ts";
import { nextCheck } from "./times.ts";

const WHY = {
  PAID_TWICE: "A second payment for a quote that has an order. It is being refunded in full.",
  WRONG_AMOUNT:
    "The payment differs from the approved quote, so there is no order. It is being refunded in full.",
  PAID_TOO_LATE: "Paid when others had its bags or discount. It is being refunded in full.",
};

type FullRefundReason = keyof typeof WHY;

/** A repeated report of a payment that is being refunded in full, or had nothing to refund. */
export const isRefundedInFull = (attempt: AttemptRow, s: State): boolean =>
  s.refunds.some((refund) => refund.attempt_id === attempt.id) ||
  (attempt.status === "ENDED" && (attempt.outcome ?? "") in WHY);

/** Returns a payment that must not be kept, once, and tells the merchant with an incident. */
export function refundInFull(c: Settle, attempt: AttemptRow, s: State, reason: FullRefundReason) {
  const order = s.orders[0];
  const refund = refundRow(c, attempt, order?.id ?? null, reason);
  const outcome = refund && {
    outcome: reason,
    amount_minor: refund.amount_minor,
    refund_id: refund.id,
  };
  const writes: Write[] = [
    ...endUnpaid(attempt, reason, c.now, s),
    // Checked later like an order's payment: its refund may fail, and a bank may dispute it.
    setAttempt(attempt, {
      payment_ref: c.reported.paymentRef,
      check_at: nextCheck({ ...attempt, status: "ENDED" }, c.now),
    }),
    ...(refund ? [insert("refunds", refund)] : []),
    ...(outcome && !order ? [notOrderedLetter(attempt, outcome, c.now)] : []),
    insert("incidents", {
      id: c.ids.incidents[0]!,
      kind: reason,
      subject: attempt.quote_id,
      detail: WHY[reason],
      created_at: c.now,
    }),
  ];
  const other = s.attempts.some(
    (a) => a.quote_id === c.quote.id && a.id !== attempt.id && LIVE.has(a.status),
  );
  // Bags and discounts may come back, so a quote whose payment was late can still be paid.
  if (!order && !other && reason !== "PAID_TOO_LATE") {
    const never = { status: "INVALIDATED", reason, paying_until: null } as const;
    writes.push(setQuoteState(c.quote.id, { ...never, updated_at: c.now }));
  }
  return { reply: { orderId: order?.id ?? null, calling: null, refund, expire: [] }, writes };
}

/** Null if no money came: a total of zero is "paid" without a payment. */
function refundRow(
  { ids, now, reported }: Settle,
  attempt: AttemptRow,
  order_id: OrderId | null,
  reason: FullRefundReason,
): RefundRow | null {
  if (!reported.paymentRef || !reported.amountMinor) return null;
  return newRow("refunds", {
    id: ids.refund,
    attempt_id: attempt.id,
    order_id,
    payment_ref: reported.paymentRef,
    amount_minor: reported.amountMinor,
    reason,
    status: "PENDING",
    try_at: now,
    created_at: now,
  });
}
