/**
 * Refunds and disputes of one payment, brought to what the provider says, in any order, any number of
 * times (contract §5). Every refund is a row with a state of its own. Amounts are minor units of usd.
 */
import type { NewEvent } from "../order/order-log.ts";
import { insert, type State, update, type Write } from "../shared/command.ts";
import { CURRENCY, display, sum } from "../shared/money.ts";
import {
  type AttemptRow,
  type DisputeRow,
  newRow,
  type OrderRow,
  type RefundRow,
} from "../shared/records.ts";
import { followDispute } from "./follow-dispute.ts";
import type { ProviderDispute, ProviderRefund } from "./reported-checkout.ts";

/** The payment that is spoken of, and the order that hears of it. */
export interface PaymentSubject {
  now: number;
  attempt: AttemptRow;
  paymentRef: string;
  /** What was paid; null where that is not known. */
  amountMinor: number | null;
  order: OrderRow | undefined;
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

export interface MoneyBack extends PaymentSubject {
  /** It is the payment that became the order, and not a second one. */
  isOrders: boolean;
  writes: Write[];
  /** What happened, for the order's log and for the merchant. */
  events: NewEvent[];
  incidents: { kind: string; detail: string }[];
  /** As they are afterwards. */
  refunds: RefundRow[];
  disputes: DisputeRow[];
}

function minorIn<R extends Pick<RefundRow | DisputeRow, "status" | "amount_minor">>(
  rows: readonly R[],
  ...of: R["status"][]
) {
  return sum(rows.filter(({ status }) => of.includes(status)).map((row) => row.amount_minor));
}

/** What has gone back and arrived. */
export const doneMinor = (refunds: readonly RefundRow[]): number => minorIn(refunds, "DONE");

/** What has gone back or is on its way: the rest is what can still be given. */
export const promisedMinor = (
  refunds: readonly Pick<RefundRow, "status" | "amount_minor">[],
): number => minorIn(refunds, "DONE", "PENDING");

/** What banks have taken back for good. */
export const lostMinor = (disputes: readonly DisputeRow[]): number => minorIn(disputes, "LOST");

/**
 * What the payment of an order is: refunded once all of it is back; disputed while the bank's question
 * is open or was lost. A dispute that was won leaves no mark.
 */
export function paymentStatus(
  amountMinor: number,
  refunds: readonly RefundRow[],
  disputes: readonly DisputeRow[],
): OrderRow["payment_status"] {
  if (refunds.length > 0 && doneMinor(refunds) >= amountMinor) return "REFUNDED";
  return disputes.some(({ status }) => status !== "WON") ? "DISPUTED" : "PAID";
}

/**
 * What follows from the words. Only what is new changes anything; a refund that they do not name stays
 * as it is.
 */
export function moneyBack(
  subject: PaymentSubject,
  reported: { refunds: readonly ProviderRefund[]; disputes: readonly ProviderDispute[] },
  known: Pick<State, "refunds" | "disputes">,
): MoneyBack {
  const back: MoneyBack = {
    ...subject,
    isOrders: subject.order?.payment_ref === subject.paymentRef,
    writes: [],
    events: [],
    incidents: [],
    refunds: [...known.refunds],
    disputes: [...known.disputes],
  };
  for (const one of reported.disputes) followDispute(back, one);
  for (const one of reported.refunds) followRefund(back, one);
  dropUnneeded(back);
  return back;
}

const STATUS = { pending: "PENDING", succeeded: "DONE", failed: "FAILED" } as const;

function followRefund(back: MoneyBack, reported: ProviderRefund): void {
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

/**
 * Refunds not yet made of a payment that the bank has taken back: those that are more than is left. What
 * must not be kept is asked for without an amount, so that of it whatever is left goes back.
 */
function dropUnneeded(back: MoneyBack): void {
  const { amountMinor, now: done_at } = back;
  const lost = lostMinor(back.disputes);
  if (amountMinor === null || lost === 0) return;
  const waiting = back.refunds.filter((r) => r.status === "PENDING" && r.provider_ref === null);
  let left = amountMinor - lost - promisedMinor(back.refunds) + promisedMinor(waiting);
  let dropped = 0;
  for (const row of waiting) {
    const needed = row.reason === "MERCHANT" ? row.amount_minor : 1;
    if (needed <= left) {
      left -= Math.min(left, row.amount_minor);
      continue;
    }
    const problem = "dispute_lost";
    changeRefund(back, row, { status: "CANCELED", try_at: null, done_at, problem });
    dropped += row.amount_minor;
  }
  if (dropped === 0 || left <= 0) return;
  back.incidents.push({
    kind: "REFUND_DROPPED",
    detail:
      `A refund of ${display(dropped)} was not made: with what the buyer's bank took back it is more than ` +
      `was paid. ${display(left)} can still be refunded.`,
  });
}
