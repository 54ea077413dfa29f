import { type Decision, insert, lock, type State, update, type Write } from "../core/command.ts";
import type { LetterData } from "../core/letter.ts";
import { CURRENCY, display, sum } from "../core/money.ts";
import { appendEvents, type EventType, type NewEvent } from "../core/order-log.ts";
import { refundFailedLetter } from "../core/outbox.ts";
import {
  type AttemptRow,
  type DisputeRow,
  type LedgerRow,
  newRow,
  type OrderRow,
  type RefundRow,
} from "../core/records.ts";
import { type Settle, type SettleResult, setAttempt, settled } from "./attempt.ts";
import type { ProviderDispute, ProviderRefund } from "./reported-checkout.ts";
import { nextFollow } from "./times.ts";

/** Refunds and disputes of one payment, from the provider's word to rows, log and incidents. Amounts are minor units of usd. */

/** A payment, and the order of its quote, if there is one. */
export interface PaymentSubject {
  now: number;
  attempt: AttemptRow;
  paymentRef: string;
  /** Amount paid, or null if unknown. */
  amountMinor: number | null;
  order: OrderRow | undefined;
}

export interface MoneyBack extends PaymentSubject {
  /** Whether the payment is the order's own, and not a second one. */
  isOrders: boolean;
  writes: Write[];
  /** For the order's log. */
  events: NewEvent[];
  incidents: { kind: string; detail: string }[];
  before: Pick<State, "refunds" | "disputes">;
  /** Rows after the changes. */
  refunds: RefundRow[];
  disputes: DisputeRow[];
}

function minorIn<R extends Pick<RefundRow | DisputeRow, "status" | "amount_minor">>(
  rows: readonly R[],
  ...of: R["status"][]
) {
  return sum(rows.filter(({ status }) => of.includes(status)).map((row) => row.amount_minor));
}

/** Whether the provider has not made the refund yet, so that it can be tried again. */
export const isToBeMade = ({ status, provider_ref }: RefundRow): boolean =>
  status === "PENDING" && provider_ref === null;

/** Refunded amount that has arrived. */
export const doneMinor = (refunds: readonly RefundRow[]): number => minorIn(refunds, "DONE");

/** Refunded amount that has arrived or is in progress. The rest can still be refunded. */
export const promisedMinor = (
  refunds: readonly Pick<RefundRow, "status" | "amount_minor">[],
): number => minorIn(refunds, "DONE", "PENDING");

/** Amount that banks have taken back for good. */
export const lostMinor = (disputes: readonly DisputeRow[]): number => minorIn(disputes, "LOST");

/**
 * Status of an order's payment: REFUNDED once all of it is back, DISPUTED while a dispute is open or was
 * lost. A dispute that was won leaves no mark.
 */
export function paymentStatus(
  amountMinor: number,
  refunds: readonly RefundRow[],
  disputes: readonly DisputeRow[],
): OrderRow["payment_status"] {
  if (refunds.length > 0 && doneMinor(refunds) >= amountMinor) return "REFUNDED";
  return disputes.some(({ status }) => status !== "WON") ? "DISPUTED" : "PAID";
}

const DISPUTE_STATUS = { open: "OPEN", won: "WON", lost: "LOST" } as const;

/** Applies the provider's report on one dispute, from the bank's question to its decision. */
function applyDispute(back: MoneyBack, reported: ProviderDispute): void {
  const { amountMinor: amount_minor, reason } = reported;
  const status = DISPUTE_STATUS[reported.status];
  const isOpen = status === "OPEN";
  const due_by = isOpen ? reported.dueBy : null;
  const known = back.disputes.find(({ id }) => id === reported.id);
  const isSameStatus = known?.status === status;
  if (isSameStatus && known.amount_minor === amount_minor && known.due_by === due_by) return;
  const closed_at = isSameStatus ? known.closed_at : isOpen ? null : back.now;
  const set = { status, amount_minor, due_by, closed_at };
  const amount = display(amount_minor);
  const data = { amount_minor, currency: CURRENCY, reason };
  const addEvent = (type: EventType, details: object) => {
    if (back.isOrders) back.events.push({ type, data: details });
  };
  if (known) {
    back.writes.push(update("disputes", { id: known.id }, set));
    back.disputes = back.disputes.map((row) => (row.id === known.id ? { ...row, ...set } : row));
  } else {
    const row: DisputeRow = {
      id: reported.id,
      attempt_id: back.attempt.id,
      order_id: back.order?.id ?? null,
      payment_ref: back.paymentRef,
      reason,
      created_at: reported.createdAt,
      ...set,
    };
    back.writes.push(insert("disputes", row));
    back.disputes.push(row);
  }
  // A bank may reverse its decision and ask again.
  if (!known || (isOpen && !isSameStatus)) {
    addEvent("payment.disputed", data);
    back.incidents.push({
      kind: "DISPUTED",
      detail: `The buyer's bank disputes ${amount} (${reason}). Answer it at the provider.`,
    });
  }
  if (isOpen || isSameStatus) return;
  addEvent("payment.dispute_closed", { ...data, outcome: status });
  if (status === "LOST") {
    back.incidents.push({
      kind: "DISPUTE_LOST",
      detail: `The dispute of ${amount} is lost: the money is back with the buyer.`,
    });
  }
}

const REFUND_STATUS = { pending: "PENDING", succeeded: "DONE", failed: "FAILED" } as const;

/** Applies the provider's report on one refund. A refund made at the provider gets a row of its own. */
function applyRefund(back: MoneyBack, reported: ProviderRefund): void {
  const { now } = back;
  const status = REFUND_STATUS[reported.status];
  const set = {
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
    changeRefund(back, row, { ...set, done_at });
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
    ...set,
  });
  back.writes.push(insert("refunds", made));
  back.refunds.push(made);
  const amount = display(made.amount_minor);
  back.incidents.push({
    kind: "REFUNDED_OUTSIDE",
    detail: `${amount} was refunded at the payment provider.`,
  });
  reportRefund(back, null, made);
}

/** Finds the row by the provider's id or by ours. */
const rowOf = (reported: ProviderRefund, rows: readonly RefundRow[]): RefundRow | undefined =>
  rows.find((row) => row.provider_ref === reported.id) ??
  rows.find((row) => row.id === reported.refundId && row.provider_ref === null);

/** Writes a refund's new state with its events and incidents. */
export function changeRefund(back: MoneyBack, row: RefundRow, set: Partial<RefundRow>): void {
  const after = { ...row, ...set };
  back.writes.push(update("refunds", { id: row.id }, set));
  back.refunds = back.refunds.map((other) => (other.id === row.id ? after : other));
  reportRefund(back, row, after);
}

function reportRefund(back: MoneyBack, before: RefundRow | null, after: RefundRow): void {
  const { paymentRef } = back;
  const { id, status, amount_minor, reason, problem } = after;
  reportWaiting(back, before, after);
  if (status === before?.status || (status !== "DONE" && status !== "FAILED")) return;
  // A second payment's refund is in the order's log but not in the order's sum.
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
      `The refund of ${display(amount_minor)} for payment ${paymentRef} failed${why}, so the buyer does not ` +
      "have the money. Refund it again, or by hand at the provider.",
  });
}

/** Problems of refunds that wait for the balance, before and after the provider accepted them. */
const FOR_BALANCE: ReadonlySet<string | null> = new Set(["BALANCE", "insufficient_funds"]);

/** Tells the merchant once that a refund waits for the balance, which they can increase. */
function reportWaiting(back: MoneyBack, before: RefundRow | null, after: RefundRow): void {
  const waits = after.status === "PENDING" && FOR_BALANCE.has(after.problem);
  if (!waits || FOR_BALANCE.has(before?.problem ?? null)) return;
  back.incidents.push({
    kind: "REFUND_WAITS",
    detail:
      `A refund of ${display(after.amount_minor)} waits until the balance at the payment provider covers it. ` +
      "Then it is sent automatically. You can add money to the balance there.",
  });
}

/** Rows that a report on refunds and disputes may change. */
export const moneyReads = (paymentRef: string) => [
  lock("refunds", { payment_ref: paymentRef }),
  lock("disputes", { payment_ref: paymentRef }),
];

/**
 * Brings refunds and disputes of one payment to the provider's report (contract §5). Reports may repeat and
 * come in any order. A refund that is not in the report does not change.
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
    before: known,
    refunds: [...known.refunds],
    disputes: [...known.disputes],
  };
  for (const one of reported.disputes) applyDispute(back, one);
  for (const one of reported.refunds) applyRefund(back, one);
  dropUnneeded(back);
  return back;
}

/**
 * After a lost dispute, cancels waiting refunds that exceed what is left. A full refund has no amount, so it
 * needs only that something is left.
 */
function dropUnneeded(back: MoneyBack): void {
  const { amountMinor, now: done_at } = back;
  const lost = lostMinor(back.disputes);
  if (amountMinor === null || lost === 0) return;
  const waiting = back.refunds.filter(isToBeMade);
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
      `A refund of ${display(dropped)} was canceled, because the buyer's bank took money back. ` +
      `${display(left)} can still be refunded.`,
  });
}

/** Writes the changes: rows, the order's state and log, and incidents about the order or the quote. */
export function writeMoneyBack(
  back: MoneyBack,
  ids: { events: readonly string[]; incidents: readonly string[] },
): Write[] {
  if (back.writes.length === 0) return [];
  const { order, now, attempt } = back;
  const subject = order?.id ?? attempt.quote_id;
  const incidents = back.incidents.map((one, i) =>
    insert("incidents", { ...one, id: ids.incidents[i]!, subject, created_at: now }),
  );
  const answers = attempt.answers + 1;
  const changed = [...back.writes, setAttempt(attempt, { answers, ...earlierCheck(back) })];
  // A payment without an order has no log, so the buyer gets a letter.
  const unlogged = order ? [] : back.events.filter(({ type }) => type === "payment.refund_failed");
  const letters = unlogged.map(({ data }) => refundFailedLetter(attempt, data as LetterData, now));
  if (!order) return [...changed, ...letters, ...incidents];
  const log = appendEvents(order, back.events, { now, eventIds: ids.events });
  const set = {
    ...(back.isOrders && changedMoney(order, back)),
    ...(back.events.length > 0 && { last_sequence: log.last_sequence }),
  };
  return [
    ...changed,
    ...(back.isOrders ? ledgerLines(back, order) : []),
    ...(Object.keys(set).length > 0 ? [update("orders", { id: order.id }, set)] : []),
    ...log.writes,
    ...incidents,
  ];
}

/** A line for each refund or dispute that returned another amount than before. */
function ledgerLines({ before, attempt, now, ...after }: MoneyBack, order: OrderRow): Write[] {
  const known = new Map(
    [...before.refunds, ...before.disputes].map((row) => [row.id as string, returnedMinor(row)]),
  );
  const lines = (kind: LedgerRow["kind"], rows: readonly (RefundRow | DisputeRow)[]) =>
    rows.flatMap((row) => {
      const amount_minor = (known.get(row.id) ?? 0) - returnedMinor(row);
      if (amount_minor === 0) return [];
      const { id: order_id, payment_ref } = order;
      const id = `${row.id}:${attempt.answers + 1}`;
      const line = { id, order_id, payment_ref, kind, cause: row.id, amount_minor, at: now };
      return [insert("ledger", line)];
    });
  return [...lines("REFUND", after.refunds), ...lines("DISPUTE", after.disputes)];
}

const returnedMinor = ({ status, amount_minor }: RefundRow | DisputeRow): number =>
  status === "DONE" || status === "LOST" ? amount_minor : 0;

/** The fields of the order that change. */
function changedMoney(order: OrderRow, { refunds, disputes }: MoneyBack): Partial<OrderRow> {
  const refunded_minor = doneMinor(refunds);
  const payment_status = paymentStatus(order.amount_minor, refunds, disputes);
  return {
    ...(refunded_minor !== order.refunded_minor && { refunded_minor }),
    ...(payment_status !== order.payment_status && { payment_status }),
  };
}

/**
 * Applies a report on a payment that was made (contract §5). A report requested before the last one was
 * written may be older, and would undo later changes: it changes nothing, and the provider is asked again.
 */
export function followPayment(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const { now, reported, ids } = c;
  const { paymentRef, amountMinor } = reported;
  if (paymentRef === null) return settled(s);
  const subject = { now, attempt, paymentRef, amountMinor, order: s.orders[0] };
  const back = moneyBack(subject, reported, s);
  const isOld = c.seen.answers !== attempt.answers;
  if (isOld && back.writes.length > 0) return settled(s, [setAttempt(attempt, { check_at: now })]);
  return settled(s, writeMoneyBack(back, ids));
}

/** Moves the next check forward after money has moved. */
function earlierCheck(back: MoneyBack): Partial<AttemptRow> {
  const { check_at } = back.attempt;
  const next = nextFollow(back.attempt, back, back.now);
  return next === null || (check_at !== null && check_at <= next) ? {} : { check_at: next };
}
