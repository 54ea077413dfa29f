import { type Decision, insert, lock, type State, update, type Write } from "../core/command.ts";
import type { LetterData } from "../core/letter.ts";
import { display } from "../core/money.ts";
import { appendEvents } from "../core/order-log.ts";
import { refundFailedLetter } from "../core/outbox.ts";
import type { AttemptRow, OrderRow } from "../core/records.ts";
import { setAttempt } from "./attempt.ts";
import { followDispute } from "./follow-dispute.ts";
import { changeRefund, followRefund } from "./follow-refund.ts";
import {
  doneMinor,
  isToBeMade,
  lostMinor,
  type MoneyBack,
  type PaymentSubject,
  paymentStatus,
  promisedMinor,
} from "./money-back.ts";
import { nextFollow } from "./next-check.ts";
import type { ProviderDispute, ProviderRefund, Settle, SettleResult } from "./reported-checkout.ts";

/** The rows that a word on refunds and disputes may change. */
export const moneyReads = (paymentRef: string) => [
  lock("refunds", { payment_ref: paymentRef }),
  lock("disputes", { payment_ref: paymentRef }),
];

/**
 * Refunds and disputes of one payment, brought to what the provider says, in any order, any number of
 * times (contract §5). Only what is new changes anything; a refund that is not named stays as it is.
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

/**
 * Refunds not yet made of a payment that the bank has taken back: those that are more than is left. What
 * must not be kept is asked for without an amount, so that of it whatever is left goes back.
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
      `A refund of ${display(dropped)} was not made: with what the buyer's bank took back it is more than ` +
      `was paid. ${display(left)} can still be refunded.`,
  });
}

/**
 * What moved, written: rows, the order's state and log, and what the merchant must see. That is about
 * the order, or about the quote where there is none.
 */
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
  const moved = [...back.writes, setAttempt(attempt, { answers, ...askedSooner(back) })];
  // No log tells of a payment that made no order.
  const unlogged = order ? [] : back.events.filter(({ type }) => type === "payment.refund_failed");
  const letters = unlogged.map(({ data }) => refundFailedLetter(attempt, data as LetterData, now));
  if (!order) return [...moved, ...letters, ...incidents];
  const log = appendEvents(order, back.events, { now, eventIds: ids.events });
  const set = {
    ...(back.isOrders && moneyOf(order, back)),
    ...(back.events.length > 0 && { last_sequence: log.last_sequence }),
  };
  return [
    ...moved,
    ...(Object.keys(set).length > 0 ? [update("orders", { id: order.id }, set)] : []),
    ...log.writes,
    ...incidents,
  ];
}

/** Only what changes. */
function moneyOf(order: OrderRow, { refunds, disputes }: MoneyBack): Partial<OrderRow> {
  const refunded_minor = doneMinor(refunds);
  const payment_status = paymentStatus(order.amount_minor, refunds, disputes);
  return {
    ...(refunded_minor !== order.refunded_minor && { refunded_minor }),
    ...(payment_status !== order.payment_status && { payment_status }),
  };
}

/**
 * A payment that was made, of an order or on its way back: refunds and disputes (contract §5). Of two
 * who ask at once the later may be heard first. What was asked for before the last answer was written
 * may be older than that, and would take back what has happened since: it is asked for again.
 */
export function followPayment(c: Settle, attempt: AttemptRow, s: State): Decision<SettleResult> {
  const { now, reported, ids } = c;
  const { paymentRef, totalMinor: amountMinor } = reported;
  if (paymentRef === null) return settled(s);
  const subject = { now, attempt, paymentRef, amountMinor, order: s.orders[0] };
  const back = moneyBack(subject, reported, s);
  const isOld = c.answers !== attempt.answers;
  if (isOld && back.writes.length > 0) return settled(s, [setAttempt(attempt, { check_at: now })]);
  return settled(s, writeMoneyBack(back, ids));
}

/** In time for what money that has just moved may still do. */
function askedSooner(back: MoneyBack): Partial<AttemptRow> {
  const { check_at } = back.attempt;
  const next = nextFollow(back.attempt, back, back.now);
  return next === null || (check_at !== null && check_at <= next) ? {} : { check_at: next };
}

/** Nothing is left to be done outside. */
export const settled = ({ orders }: State, writes: Write[] = []): Decision<SettleResult> => ({
  reply: { orderId: orders[0]?.id ?? null, refund: null, expire: [] },
  writes,
});
