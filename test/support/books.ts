import { type Hold, holdsOf } from "../../src/catalog/holds.ts";
import { lock, type Rule, readUnlocked, type State } from "../../src/core/command.ts";
import { sum } from "../../src/core/money.ts";
import {
  type DisputeRow,
  LIVE,
  type OrderRow,
  type QuoteRow,
  type RefundRow,
  SHIPMENT_STATUSES,
  UNSETTLED,
  UNSETTLED_STATUSES,
} from "../../src/core/records.ts";
import type { Store } from "../../src/db/store.ts";
import { requestedShipments } from "../../src/orders/cancel-request.ts";
import { orderStatus } from "../../src/orders/standing.ts";
import { doneMinor, lostMinor, paymentStatus } from "../../src/payments/money-back.ts";
import type { CheckoutState } from "../../src/payments/provider.ts";
import type { Terms } from "../../src/quotes/quote-answer.ts";
import { bagsByProduct } from "../../src/quotes/quote-terms.ts";

/** Everything about money and bags, read in one go. */
export interface Books extends State {
  quoteOf: Map<string, QuoteRow>;
}

/** Holds are locked with the stock, so that both are of one moment while payments go on. */
const reading: Rule<string[], State> = {
  reads: (productIds) => [
    readUnlocked("quote_states", {
      status: ["OPEN", "CHECKOUT_READY", "PROCESSING", "PAID", "INVALIDATED", "WAITLIST_OFFERED"],
    }),
    lock("stock", { product_id: productIds }),
    lock("attempts", { status: [...UNSETTLED_STATUSES, "PAID", "ENDED"] }),
    readUnlocked("orders", { payment_status: ["PAID", "DISPUTED", "REFUNDED"] }),
    readUnlocked("shipments", { status: SHIPMENT_STATUSES }),
    readUnlocked("cancel_requests", {
      status: ["REQUESTED", "ACCEPTED", "DECLINED", "WITHDRAWN"],
    }),
    readUnlocked("refunds", { status: ["PENDING", "DONE", "FAILED", "CANCELED"] }),
    readUnlocked("ledger", { kind: ["REFUND", "DISPUTE"] }),
    readUnlocked("disputes", { status: ["OPEN", "WON", "LOST"] }),
    readUnlocked("customers", { courtesy: [null, "RESERVED", "REDEEMED"] }),
    lock("waitlist", { status: ["WAITING", "OFFERED", "CONVERTED", "EXPIRED", "LEFT"] }),
    readUnlocked("webhooks", { livemode: [0, 1] }),
  ],
  decide: (_, state) => ({ reply: state, writes: [] }),
};

const eventsOf: Rule<string[], State["events"]> = {
  reads: (orderIds) => [readUnlocked("events", { order_id: orderIds })],
  decide: (_, state) => ({ reply: state.events, writes: [] }),
};

export async function readBooks(store: Store): Promise<Books> {
  const beans = (await store.queries.stock()).map((row) => row.product_id);
  const state = await store.run(reading, beans);
  const quotes = await store.queries.quotesByIds(state.quote_states.map((row) => row.quote_id));
  return {
    ...state,
    events: await store.run(
      eventsOf,
      state.orders.map(({ id }) => id),
    ),
    quoteOf: new Map(quotes.map((quote) => [quote.id, quote])),
  };
}

export interface Expected {
  /** Bags that were ever brought into stock, by bean. */
  broughtIn: Record<string, number>;
  /** Everything the provider knows. */
  sessions: readonly CheckoutState[];
}

/** Discrepancies, one line each. Empty if every promise about money and bags holds. */
export const problemsOf = (books: Books, expected: Expected): string[] => [
  ...orderProblems(books),
  ...moneyProblems(books, expected.sessions),
  ...shipmentProblems(books),
  ...stockProblems(books, expected),
  ...courtesyProblems(books),
  ...eventProblems(books),
];

/** Work in progress, one line each. Empty once the reconciler has nothing left to do. */
export function unfinished(books: Books): string[] {
  const live = books.attempts.filter((attempt) => UNSETTLED.has(attempt.status));
  const refunds = books.refunds.filter((refund) => refund.status === "PENDING");
  const webhooks = books.webhooks.filter((webhook) => webhook.settled_at === null);
  return [
    ...live.map(({ id, status }) => `attempt ${id} is still ${status}`),
    ...refunds.map(({ id, status }) => `refund ${id} is ${status}`),
    ...webhooks.map(({ id, error }) => `webhook ${id} is not settled: ${error}`),
  ];
}

/** Each paid quote has one order and one paid attempt, and each order one paid quote. */
function orderProblems(books: Books): string[] {
  const problems: string[] = [];
  const orderOf = new Map(books.orders.map((order) => [order.quote_id, order]));
  if (orderOf.size !== books.orders.length) problems.push("a quote has two orders");
  for (const { quote_id, status, order_id } of books.quote_states) {
    const order = orderOf.get(quote_id);
    if ((status === "PAID") !== (order !== undefined)) {
      problems.push(`quote ${quote_id} is ${status} and has ${order ? "an" : "no"} order`);
    }
    if (order && order.id !== order_id) problems.push(`quote ${quote_id} names another order`);
  }
  const paid = books.attempts.filter((attempt) => attempt.status === "PAID");
  if (paid.length !== books.orders.length) {
    problems.push(`${paid.length} paid attempts for ${books.orders.length} orders`);
  }
  return problems;
}

/** Bags in stock and bags sold are all bags, and every held bag has a holder. */
function stockProblems(books: Books, { broughtIn }: Expected): string[] {
  const sold = new Map<string, number>();
  for (const order of books.orders) {
    const terms = JSON.parse(books.quoteOf.get(order.quote_id)!.terms) as Terms;
    const back = backOnStock(books, order.id);
    const kept = terms.shipments.filter((_, position) => !back.includes(position));
    for (const { product_id, quantity } of bagsByProduct(kept)) {
      sold.set(product_id, (sold.get(product_id) ?? 0) + quantity);
    }
  }
  const holds: Hold[] = books.attempts.filter(({ status }) => LIVE.has(status)).flatMap(holdsOf);
  const offers = books.waitlist.filter((entry) => entry.status === "OFFERED");
  return books.stock.flatMap(({ product_id, on_hand, held }) => {
    const problems: string[] = [];
    const all = on_hand + (sold.get(product_id) ?? 0);
    if (all !== broughtIn[product_id]) {
      problems.push(`${product_id}: ${all} bags where ${broughtIn[product_id]} were brought in`);
    }
    const own = holds.filter((hold) => hold.product_id === product_id);
    const offered = offers.filter((entry) => entry.product_id === product_id);
    const holders =
      sum(own.map((hold) => hold.fromStock)) + sum(offered.map((one) => one.quantity));
    if (held !== holders) problems.push(`${product_id}: ${held} held, ${holders} by somebody`);
    if (on_hand < 0) problems.push(`${product_id}: ${-on_hand} bags sold that are not there`);
    return problems;
  });
}

/** Positions of an order's shipments that were canceled before roasting, by its log. */
function backOnStock({ events, shipments }: Books, orderId: string): number[] {
  const before = new Map<string, string>();
  for (const event of events.filter((one) => one.order_id === orderId).toSorted(bySequence)) {
    const data = JSON.parse(event.data) as Step & { shipments: Step[] };
    const steps = event.type.startsWith("order.roasting")
      ? data.shipments
      : ["shipment.updated", "shipment.step_undone"].includes(event.type)
        ? [data]
        : [];
    for (const { shipment_id, status } of steps) {
      if (status !== "CANCELED") before.set(shipment_id, status);
    }
  }
  return shipments
    .filter(({ order_id, status }) => order_id === orderId && status === "CANCELED")
    .filter(({ id }) => (before.get(id) ?? "PENDING") === "PENDING")
    .map(({ position }) => position);
}

type Step = { shipment_id: string; status: string };
const bySequence = (a: { sequence: number }, b: { sequence: number }) => a.sequence - b.sequence;

/** An order's status follows its shipments, and each cancel request is decided once and then done. */
function shipmentProblems({ orders, shipments, cancel_requests }: Books): string[] {
  return orders.flatMap(({ id, status }) => {
    const own = shipments.filter(({ order_id }) => order_id === id);
    const requests = cancel_requests.filter(({ order_id }) => order_id === id);
    const open = requests.filter((request) => request.status === "REQUESTED");
    const undone = requests.filter(
      (request) =>
        request.status === "ACCEPTED" &&
        requestedShipments(request, own).some((row) => row.status !== "CANCELED"),
    );
    return [
      ...(orderStatus(own) === status ? [] : [`${id} is ${status}, its shipments are not`]),
      ...(open.length > 1 ? [`${id} has ${open.length} open cancel requests`] : []),
      ...(open.length > 0 && status === "CANCELED" ? [`${id} is canceled and asked to be`] : []),
      ...undone.map((request) => `${request.id} is accepted, and not all of it is canceled`),
    ];
  });
}

/** A customer has the first-order courtesy once, and only a live attempt reserves it. */
function courtesyProblems(books: Books): string[] {
  const problems: string[] = [];
  const uses = new Map<string, number>();
  for (const order of books.orders) {
    const quote = books.quoteOf.get(order.quote_id)!;
    const { pricing } = JSON.parse(quote.terms) as Terms;
    if (pricing.courtesy?.kind !== "FIRST_ORDER") continue;
    uses.set(quote.customer, (uses.get(quote.customer) ?? 0) + 1);
  }
  for (const [customer, count] of uses) {
    if (count > 1) problems.push(`${customer} had the first-order courtesy ${count} times`);
  }
  const live = new Set(books.attempts.filter((a) => LIVE.has(a.status)).map(({ id }) => id));
  for (const { email, courtesy, courtesy_attempt, paid_orders } of books.customers) {
    if (courtesy === "RESERVED" && !live.has(courtesy_attempt ?? "")) {
      problems.push(`${email}: a courtesy is reserved by no attempt`);
    }
    const orders = books.orders.filter((o) => books.quoteOf.get(o.quote_id)?.customer === email);
    if (orders.length !== paid_orders) {
      problems.push(`${email}: ${paid_orders} paid orders noted, ${orders.length} there`);
    }
  }
  return problems;
}

/** Each order's events are numbered 1, 2, 3 … up to its counter. */
function eventProblems(books: Books): string[] {
  const ofOrder = Map.groupBy(books.events, (event) => event.order_id);
  return books.orders.flatMap(({ id, last_sequence }) => {
    const numbers = (ofOrder.get(id) ?? []).map((event) => event.sequence).sort((a, b) => a - b);
    const whole = numbers.length === last_sequence && numbers.every((n, i) => n === i + 1);
    return whole ? [] : [`${id} has events ${numbers.join(" ")}, counter ${last_sequence}`];
  });
}

interface Payment {
  session: CheckoutState;
  refunds: RefundRow[];
  disputes: DisputeRow[];
}

/**
 * Every payment belongs to an order or goes back. Our books have each of the provider's refunds and
 * disputes, with the same amount and status.
 */
function moneyProblems(books: State, sessions: readonly CheckoutState[]): string[] {
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
  problems.push(...authorizationProblems(books, sessions));
  const known = new Set(paid.map(({ paymentRef }) => paymentRef));
  const never = books.orders.filter((order) => !known.has(order.payment_ref));
  return [...problems, ...never.map(({ id }) => `${id} was never paid`)];
}

/** An authorized payment is under way here: it will be captured or released. */
const authorizationProblems = ({ attempts }: State, sessions: readonly CheckoutState[]) =>
  sessions
    .filter(({ payment }) => payment === "authorized")
    .flatMap(({ sessionId, attemptId }) => {
      const attempt = attempts.find(({ id }) => id === attemptId);
      const isUnderWay = attempt && UNSETTLED.has(attempt.status);
      return isUnderWay ? [] : [`${sessionId} is authorized, its attempt is ${attempt?.status}`];
    });

const STATUS = { pending: "PENDING", succeeded: "DONE", failed: "FAILED" } as const;

/** The provider and our rows agree on each refund and dispute. */
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

/** The order's events report the refunded amount. */
function toldProblems({ events }: State, { id, refunded_minor }: OrderRow): string[] {
  const told = events
    .filter((event) => event.order_id === id)
    .sort((a, b) => b.sequence - a.sequence)
    .map(({ data }) => (JSON.parse(data) as { refunded_minor?: number }).refunded_minor)
    .find((minor) => minor !== undefined);
  return (told ?? 0) === refunded_minor ? [] : [`${id} has ${refunded_minor} back, told ${told}`];
}

/** An order reports its payment correctly. A payment without an order is refunded in full, once. */
function ownerProblems(books: State, { session, refunds, disputes }: Payment): string[] {
  const { sessionId, attemptId, paymentRef, amountMinor } = session;
  const order = books.orders.find((one) => one.payment_ref === paymentRef);
  const done = doneMinor(refunds);
  if (order) {
    const { id, amount_minor, refunded_minor, payment_status } = order;
    const status = paymentStatus(amount_minor, refunds, disputes);
    const gone = done + lostMinor(disputes);
    const lines = books.ledger.filter((line) => line.payment_ref === paymentRef);
    const back = lines.reduce((minor, line) => minor + line.amount_minor, 0);
    return [
      ...(amount_minor !== amountMinor ? [`${id} is not what was paid`] : []),
      ...(back !== -gone ? [`${id}: ${gone} is gone, the ledger says ${-back}`] : []),
      ...(refunded_minor !== done ? [`${id}: ${done} went back, it says ${refunded_minor}`] : []),
      ...(payment_status !== status ? [`${id} is ${payment_status} and should be ${status}`] : []),
    ];
  }
  const byItself = refunds.filter(({ reason }) => reason !== "MERCHANT" && reason !== "OUTSIDE");
  // An incident asks the merchant to look after failed refunds and open disputes.
  const open =
    refunds.some((r) => r.status === "FAILED") || disputes.some((d) => d.status === "OPEN");
  if (byItself.length === 1 && (done + lostMinor(disputes) === amountMinor || open)) return [];
  const attempt = books.attempts.find(({ id }) => id === attemptId);
  const of = `${attempt?.status} ${attempt?.outcome}, page ${attempt?.session_id}`;
  return [`${sessionId} was paid and is no order's: ${done} of ${amountMinor} back; attempt ${of}`];
}
