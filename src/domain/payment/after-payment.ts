import { appendEvents } from "../order/order.ts";
import { type Decision, insert, lock, type State, update, type Write } from "../shared/command.ts";
import type { AttemptRow, OrderRow } from "../shared/records.ts";
import { nextFollow } from "./attempt.ts";
import type { Settle, SettleResult } from "./checkout-status.ts";
import { doneMinor, type MoneyBack, moneyBack, paymentStatus } from "./money-back.ts";

/** The rows that a word on refunds and disputes may change. */
export const moneyReads = (paymentRef: string) => [
  lock("refunds", { payment_ref: paymentRef }),
  lock("disputes", { payment_ref: paymentRef }),
];

interface FreshIds {
  now: number;
  events: readonly string[];
  incidents: readonly string[];
}

/** What moved, written: rows, the order's state and log, and what the merchant must see. */
export function writeMoneyBack(
  back: MoneyBack,
  {
    order,
    paymentRef,
    subject,
  }: { order: OrderRow | undefined; paymentRef: string; subject: string },
  fresh: FreshIds,
): Write[] {
  const told = order ? back.events : [];
  const entries = told.map((e, i) => ({ ...e, id: fresh.events[i]!, status: order!.status }));
  const incidents = back.incidents.map((one, i) =>
    insert("incidents", { ...one, id: fresh.incidents[i]!, subject, created_at: fresh.now }),
  );
  if (!order) return [...back.writes, ...incidents];
  const log = appendEvents(order, entries, fresh.now);
  const set = {
    ...(order.payment_ref === paymentRef && moneyOf(order, back)),
    ...(entries.length > 0 && { last_sequence: log.last_sequence }),
  };
  return [
    ...back.writes,
    ...(Object.keys(set).length > 0 ? [update("orders", { id: order.id }, set)] : []),
    ...log.rows.map((row) => insert("events", row)),
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

/** A payment that was made, of an order or on its way back: refunds and disputes (contract §5). */
export function followPayment(
  c: Settle,
  attempt: AttemptRow,
  order: OrderRow | undefined,
  s: State,
): Decision<SettleResult> {
  const reply = { orderId: order?.id ?? null, refund: null, expire: [] };
  const { paymentRef, totalMinor } = c.reported;
  if (paymentRef === null) return { reply, writes: [] };
  const subject = { attemptId: attempt.id, paymentRef, amountMinor: totalMinor, order };
  const back = moneyBack(subject, c.reported, s, c.now);
  const about = { order, paymentRef, subject: order?.id ?? attempt.quote_id };
  const { events, incidents } = c.ids;
  return {
    reply,
    writes: [
      ...writeMoneyBack(back, about, { now: c.now, events, incidents }),
      ...followOn(attempt, back, c.now),
    ],
  };
}

/** Asked about again in time for what money that moved may still do. */
function followOn(attempt: AttemptRow, { refunds, disputes }: MoneyBack, now: number): Write[] {
  if (refunds.length === 0 && disputes.length === 0) return [];
  const times = [...refunds, ...disputes].map((row) => row.created_at);
  const movedAt = Math.max(attempt.created_at, ...times);
  const open =
    refunds.some(({ status }) => status === "PENDING") ||
    disputes.some(({ status }) => status === "OPEN");
  const next = nextFollow({ movedAt, open }, now);
  if (next === null || (attempt.check_at !== null && attempt.check_at <= next)) return [];
  return [update("attempts", { id: attempt.id }, { check_at: next })];
}
