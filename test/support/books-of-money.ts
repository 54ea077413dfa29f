import type { State } from "../../src/core/command.ts";
import type { DisputeRow, OrderRow, RefundRow } from "../../src/core/records.ts";
import { doneMinor, lostMinor, paymentStatus } from "../../src/payments/money-back.ts";
import type { CheckoutState } from "../../src/payments/provider.ts";

interface Payment {
  session: CheckoutState;
  refunds: RefundRow[];
  disputes: DisputeRow[];
}

/**
 * Every payment is an order's, or it must not be kept; and of each, every refund and dispute that the
 * provider knows stands in our books with the same amount and the same state.
 */
export function moneyProblems(books: State, sessions: readonly CheckoutState[]): string[] {
  const refunds = Map.groupBy(books.refunds, (row) => row.payment_ref);
  const disputes = Map.groupBy(books.disputes, (row) => row.payment_ref);
  const paid = sessions.filter(({ payment }) => payment === "paid");
  const problems = paid.flatMap((session) => {
    const ref = session.paymentRef ?? "";
    const payment = {
      session,
      refunds: refunds.get(ref) ?? [],
      disputes: disputes.get(ref) ?? [],
    };
    return [...wordProblems(payment), ...ownerProblems(books, payment)];
  });
  problems.push(...books.orders.flatMap((order) => toldProblems(books, order)));
  const known = new Set(paid.map(({ paymentRef }) => paymentRef));
  const never = books.orders.filter((order) => !known.has(order.payment_ref));
  return [...problems, ...never.map(({ id }) => `${id} was never paid`)];
}

const STATUS = { pending: "PENDING", succeeded: "DONE", failed: "FAILED" } as const;

/** What the provider says of each refund and dispute is what our rows say. */
function wordProblems({ session, refunds, disputes }: Payment): string[] {
  const theirs = [
    ...session.refunds.map((r) => `refund ${r.id} ${r.amountMinor} ${STATUS[r.status]}`),
    ...session.disputes.map((d) => `dispute ${d.id} ${d.amountMinor} ${d.status.toUpperCase()}`),
  ];
  const ours = [
    ...refunds
      .filter((row) => row.provider_ref !== null)
      .map((row) => `refund ${row.provider_ref} ${row.amount_minor} ${row.status}`),
    ...disputes.map((row) => `dispute ${row.id} ${row.amount_minor} ${row.status}`),
  ];
  const back = session.refunds.filter(({ status }) => status !== "failed");
  const sum = back.reduce((minor, refund) => minor + refund.amountMinor, 0);
  return [
    ...theirs.filter((line) => !ours.includes(line)).map((line) => `we do not know of ${line}`),
    ...ours.filter((line) => !theirs.includes(line)).map((line) => `the provider has no ${line}`),
    ...(sum > (session.totalMinor ?? 0)
      ? [`${session.sessionId}: ${sum} went back, too much`]
      : []),
  ];
}

/** The order's events tell what has gone back. */
function toldProblems({ events }: State, { id, refunded_minor }: OrderRow): string[] {
  const told = events
    .filter((event) => event.order_id === id)
    .sort((a, b) => b.sequence - a.sequence)
    .map(({ data }) => (JSON.parse(data) as { refunded_minor?: number }).refunded_minor)
    .find((minor) => minor !== undefined);
  return (told ?? 0) === refunded_minor ? [] : [`${id} has ${refunded_minor} back, told ${told}`];
}

/** An order's payment says what is true of it; what is no order's goes back whole, once. */
function ownerProblems(books: State, { session, refunds, disputes }: Payment): string[] {
  const { sessionId, attemptId, paymentRef, totalMinor } = session;
  const order = books.orders.find((one) => one.payment_ref === paymentRef);
  const done = doneMinor(refunds);
  if (order) {
    const { id, amount_minor, refunded_minor, payment_status } = order;
    const status = paymentStatus(amount_minor, refunds, disputes);
    return [
      ...(amount_minor !== totalMinor ? [`${id} is not what was paid`] : []),
      ...(refunded_minor !== done ? [`${id}: ${done} went back, it says ${refunded_minor}`] : []),
      ...(payment_status !== status ? [`${id} is ${payment_status} and should be ${status}`] : []),
    ];
  }
  const byItself = refunds.filter(({ reason }) => reason !== "MERCHANT" && reason !== "OUTSIDE");
  // What the bank sent back, or has not decided about, is the merchant's to look after: an incident
  // says so.
  const open =
    refunds.some((r) => r.status === "FAILED") || disputes.some((d) => d.status === "OPEN");
  if (byItself.length === 1 && (done + lostMinor(disputes) === totalMinor || open)) return [];
  const attempt = books.attempts.find(({ id }) => id === attemptId);
  const of = `${attempt?.status} ${attempt?.outcome}, page ${attempt?.session_id}`;
  return [`${sessionId} was paid and is no order's: ${done} of ${totalMinor} back; attempt ${of}`];
}
