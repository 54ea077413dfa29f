import { insert, update } from "../core/command.ts";
import { CURRENCY, display } from "../core/money.ts";
import { newRow, type RefundRow } from "../core/records.ts";
import { doneMinor, type MoneyBack } from "./money-back.ts";
import type { ProviderRefund } from "./reported-checkout.ts";

/** A refund of a payment, from the wish to its end (contract §5): a row with a state of its own. */

const STATUS = { pending: "PENDING", succeeded: "DONE", failed: "FAILED" } as const;

export function followRefund(back: MoneyBack, reported: ProviderRefund): void {
  const { now } = back;
  const status = STATUS[reported.status];
  const said = {
    status,
    amount_minor: reported.amountMinor,
    provider_ref: reported.id,
    problem: reported.problem,
    try_at: null,
  };
  const row = rowOf(reported, back.refunds);
  if (row) {
    const { provider_ref, problem } = row;
    const known = row.status === status && provider_ref === reported.id;
    if (known && problem === reported.problem) return;
    const done_at = status === row.status ? row.done_at : status === "PENDING" ? null : now;
    changeRefund(back, row, { ...said, done_at });
    return;
  }
  const made = newRow("refunds", {
    id: reported.id,
    attempt_id: back.attempt.id,
    order_id: back.order?.id ?? null,
    payment_ref: back.paymentRef,
    reason: "OUTSIDE",
    created_at: reported.createdAt,
    done_at: status === "PENDING" ? null : now,
    ...said,
  });
  back.writes.push(insert("refunds", made));
  back.refunds.push(made);
  const amount = display(made.amount_minor);
  back.incidents.push({
    kind: "REFUNDED_OUTSIDE",
    detail: `${amount} was refunded at the provider itself.`,
  });
  tellRefund(back, null, made);
}

/** By its name at the provider, or by ours in it; rows older than such names by their amount. */
const rowOf = (reported: ProviderRefund, rows: readonly RefundRow[]): RefundRow | undefined =>
  rows.find((row) => row.provider_ref === reported.id) ??
  rows.find((row) => row.id === reported.refundId && row.provider_ref === null) ??
  rows.find(
    (row) =>
      reported.refundId === null &&
      row.provider_ref === null &&
      row.status === "DONE" &&
      row.amount_minor === reported.amountMinor,
  );

/** One row's new state, written and told. */
export function changeRefund(back: MoneyBack, row: RefundRow, set: Partial<RefundRow>): void {
  const after = { ...row, ...set };
  back.writes.push(update("refunds", { id: row.id }, set));
  back.refunds = back.refunds.map((other) => (other.id === row.id ? after : other));
  tellRefund(back, row, after);
}

function tellRefund(back: MoneyBack, before: RefundRow | null, after: RefundRow): void {
  const { paymentRef } = back;
  const { id, status, amount_minor, reason, problem } = after;
  tellWaiting(back, before, after);
  if (status === before?.status || (status !== "DONE" && status !== "FAILED")) return;
  // A second payment of the same quote is told in the order's log, but it is not the order's own money.
  const data = {
    refund_id: id,
    amount_minor,
    currency: CURRENCY,
    reason,
    ...(back.isOrders && { refunded_minor: doneMinor(back.refunds) }),
  };
  if (status === "DONE") {
    back.events.push({ type: "payment.refunded", data });
    return;
  }
  const why = problem ? ` (${problem})` : "";
  back.events.push({ type: "payment.refund_failed", data });
  back.incidents.push({
    kind: "REFUND_FAILED",
    detail:
      `The refund of ${display(amount_minor)} of payment ${paymentRef} failed${why}: ` +
      "the money is not with the buyer. Refund it again, or by hand at the provider.",
  });
}

/** Not made for want of balance: ours, which is asked for again, or one that the provider has taken. */
const FOR_BALANCE: ReadonlySet<string | null> = new Set(["BALANCE", "insufficient_funds"]);

/**
 * Nothing is wrong, but the merchant can hurry it on: the balance at the provider is too low. Told once,
 * when it begins to wait for that.
 */
function tellWaiting(back: MoneyBack, before: RefundRow | null, after: RefundRow): void {
  const waits = after.status === "PENDING" && FOR_BALANCE.has(after.problem);
  if (!waits || FOR_BALANCE.has(before?.problem ?? null)) return;
  back.incidents.push({
    kind: "REFUND_WAITS",
    detail:
      `A refund of ${display(after.amount_minor)} waits until the balance at the payment provider covers it. ` +
      "It is made by itself then; money can be added to the balance there.",
  });
}
