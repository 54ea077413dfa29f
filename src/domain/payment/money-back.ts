/**
 * Refunds and disputes of one payment, brought to what the provider says, in any order, any number of
 * times (contract §5). Every refund is a row with a state of its own. Amounts are minor units of usd.
 */
import type { EventType } from "../order/order.ts";
import { insert, update, type Write } from "../shared/command.ts";
import { CURRENCY, display } from "../shared/money.ts";
import type { DisputeRow, OrderRow, RefundRow } from "../shared/records.ts";
import { followDispute } from "./follow-dispute.ts";
import type { ProviderDispute, ProviderRefund } from "./reported-checkout.ts";

/** The payment that is spoken of, and the order that hears of it. */
export interface PaymentSubject {
  attemptId: string;
  paymentRef: string;
  /** What was paid; null where that is not known. */
  amountMinor: number | null;
  order: OrderRow | undefined;
}

/** Not made for want of balance: ours, which is asked for again, or one that the provider has taken. */
const FOR_BALANCE: ReadonlySet<string | null> = new Set(["BALANCE", "insufficient_funds"]);

type RefundStanding = Pick<RefundRow, "status" | "problem" | "amount_minor">;

/**
 * Nothing is wrong, but the merchant can hurry it on: the balance at the provider is too low. Told once,
 * when it begins to wait for that.
 */
export function balanceIncident(
  before: Pick<RefundRow, "problem"> | null,
  { status, problem, amount_minor }: RefundStanding,
): { kind: string; detail: string } | null {
  const waits = status === "PENDING" && FOR_BALANCE.has(problem);
  if (!waits || FOR_BALANCE.has(before?.problem ?? null)) return null;
  return {
    kind: "REFUND_WAITS",
    detail:
      `A refund of ${display(amount_minor)} waits until the balance at the payment provider covers it. ` +
      "It is made by itself then; money can be added to the balance there.",
  };
}

/** What happened, told to the order's log and to the merchant. */
export interface MoneyNews {
  events: { type: EventType; data: Record<string, unknown> }[];
  incidents: { kind: string; detail: string }[];
}

export interface MoneyBack extends MoneyNews {
  writes: Write[];
  /** As they are afterwards. */
  refunds: RefundRow[];
  disputes: DisputeRow[];
}

/** What has gone back and arrived. */
export const doneMinor = (refunds: readonly RefundRow[]): number =>
  refunds.reduce((sum, row) => sum + (row.status === "DONE" ? row.amount_minor : 0), 0);

/** What has gone back or is on its way: the rest is what can still be given. */
export const promisedMinor = (refunds: readonly RefundRow[]): number =>
  refunds.reduce(
    (sum, row) => sum + (row.status === "DONE" || row.status === "PENDING" ? row.amount_minor : 0),
    0,
  );

/** What banks have taken back for good. */
export const lostMinor = (disputes: readonly DisputeRow[]): number =>
  disputes.reduce((sum, row) => sum + (row.status === "LOST" ? row.amount_minor : 0), 0);

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

interface KnownMoneyBack {
  refunds: readonly RefundRow[];
  disputes: readonly DisputeRow[];
}

/** Of the words only what is new changes anything; a refund that they do not name stays as it is. */
export function moneyBack(
  subject: PaymentSubject,
  reported: { refunds: readonly ProviderRefund[]; disputes: readonly ProviderDispute[] },
  known: KnownMoneyBack,
  now: number,
): MoneyBack {
  const back: MoneyBack = {
    writes: [],
    events: [],
    incidents: [],
    refunds: [...known.refunds],
    disputes: [...known.disputes],
  };
  for (const one of reported.disputes) followDispute(back, subject, one, now);
  for (const one of reported.refunds) followRefund(back, subject, one, now);
  dropUnneeded(back, subject, now);
  return back;
}

const STATUS = { pending: "PENDING", succeeded: "DONE", failed: "FAILED" } as const;

function followRefund(
  back: MoneyBack,
  subject: PaymentSubject,
  reported: ProviderRefund,
  now: number,
): void {
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
    if (
      row.status === status &&
      row.provider_ref === reported.id &&
      row.problem === reported.problem
    )
      return;
    const done_at = status === row.status ? row.done_at : status === "PENDING" ? null : now;
    changeRefund(back, subject, row, { ...said, done_at });
    return;
  }
  const made: RefundRow = {
    id: reported.id,
    attempt_id: subject.attemptId,
    order_id: subject.order?.id ?? null,
    payment_ref: subject.paymentRef,
    reason: "OUTSIDE",
    key_number: 1,
    tries: 0,
    created_at: reported.createdAt,
    done_at: status === "PENDING" ? null : now,
    ...said,
  };
  back.writes.push(insert("refunds", made));
  back.refunds.push(made);
  const amount = display(made.amount_minor);
  back.incidents.push({
    kind: "REFUNDED_OUTSIDE",
    detail: `${amount} was refunded at the provider itself.`,
  });
  tellRefund(back, subject, null, made);
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
export function changeRefund(
  back: MoneyBack,
  subject: PaymentSubject,
  row: RefundRow,
  set: Partial<RefundRow>,
): void {
  const after = { ...row, ...set };
  back.writes.push(update("refunds", { id: row.id }, set));
  back.refunds = back.refunds.map((other) => (other.id === row.id ? after : other));
  tellRefund(back, subject, row, after);
}

function tellRefund(
  back: MoneyBack,
  { order, paymentRef }: PaymentSubject,
  before: RefundRow | null,
  after: RefundRow,
): void {
  const { id, status, amount_minor, reason, problem } = after;
  const waits = balanceIncident(before, after);
  if (waits) back.incidents.push(waits);
  if (status === before?.status || (status !== "DONE" && status !== "FAILED")) return;
  // A second payment of the same quote is told in the order's log, but it is not the order's own money.
  const own = order?.payment_ref === paymentRef;
  const data = {
    refund_id: id,
    amount_minor,
    currency: CURRENCY,
    reason,
    ...(own && { refunded_minor: doneMinor(back.refunds) }),
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

/** Refunds not yet made of a payment that the bank has taken back: nothing is left to return. */
function dropUnneeded(back: MoneyBack, subject: PaymentSubject, now: number): void {
  if (subject.amountMinor === null) return;
  const lost = lostMinor(back.disputes);
  if (lost === 0 || lost + doneMinor(back.refunds) < subject.amountMinor) return;
  for (const row of back.refunds.filter((r) => r.status === "PENDING" && r.provider_ref === null)) {
    const set = {
      status: "CANCELED",
      try_at: null,
      done_at: now,
      problem: "dispute_lost",
    } as const;
    changeRefund(back, subject, row, set);
  }
}
