import type { Cart } from "../checkouts/cart.ts";
import type { Address } from "../core/address.ts";
import {
  lock,
  type Rule,
  type State,
  stateOf,
  update,
  updateEach,
  type Write,
} from "../core/command.ts";
import { withoutCustomer } from "../core/email.ts";
import { canonicalJson } from "../core/hash.ts";
import type { OrderId, QuoteId } from "../core/ids.ts";
import { ERASED, type OrderRow, type QuoteRow, UNSETTLED } from "../core/records.ts";
import { NO_PAYER } from "../payments/attempt.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { setQuoteState } from "../quotes/standing.ts";
import { isQueued } from "../waitlist/waitlist.ts";

/** Ids of the rows that name a person. */
export type Traces = Record<
  "waitlist" | "leads" | "feedback" | "agents" | "sandbox" | "checkouts",
  string[]
> & { quotes: QuoteId[]; orders: OrderId[] };

interface ErasePerson {
  now: number;
  /** The canonical email. */
  customer: string;
  /** Some of the person's rows, with all orders of their quotes. */
  traces: Traces;
}

/** Every row that names a person. An export shows them, and an erasure changes them. */
export const rowsOfPerson = (traces: Traces, read: typeof lock) => [
  read("agents", { id: traces.agents }),
  read("quotes", { id: traces.quotes }),
  read("quote_states", { quote_id: traces.quotes }),
  read("attempts", { quote_id: traces.quotes }),
  // Includes an order that was paid after the traces were found.
  read("orders", { quote_id: traces.quotes }),
  read("shipments", { order_id: traces.orders }),
  read("cancel_requests", { order_id: traces.orders }),
  read("waitlist", { id: traces.waitlist }),
  read("order_notes", { order_id: traces.orders }),
  read("feedback", { id: traces.feedback }),
  read("leads", { id: traces.leads }),
  read("sandbox", { id: traces.sandbox }),
  read("checkouts", { id: traces.checkouts }),
  read("outbox", { order_id: traces.orders }),
  read("outbox", { subject: [...traces.quotes, ...traces.waitlist] }),
];

/** Rows of each kind, as the merchant counts them. */
export const countsOf = (rows: { [N in keyof Traces]: readonly unknown[] }) => ({
  orders: rows.orders.length,
  quotes: rows.quotes.length,
  waitlist_entries: rows.waitlist.length,
  messages: rows.feedback.length + rows.leads.length,
  keys: rows.agents.length,
});

export type ErasedCounts = ReturnType<typeof countsOf> & {
  /** Quotes and waitlist entries that can't be erased before their order or payment ends. */
  under_way: number;
  /** Numbers of the orders among them. */
  orders_under_way: number[];
};

/** "order #1001", "orders #1001 and #1002, 1 payment or waitlist offer". */
export function underWayText({
  under_way,
  orders_under_way: numbers,
}: Pick<ErasedCounts, "under_way" | "orders_under_way">): string {
  const others = under_way - numbers.length;
  const names = new Intl.ListFormat("en").format(numbers.map((number) => `#${number}`));
  return [
    numbers.length > 0 && `${numbers.length > 1 ? "orders" : "order"} ${names}`,
    others > 0 &&
      `${others} ${others > 1 ? "payments or waitlist offers" : "payment or waitlist offer"}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * Erases some rows of a person and keeps what the books need: amounts, bags, dates, hashes and the order's
 * state (contract §15). A carrier's page leads from a tracking number to an address, so the number goes.
 * Orders and payments under way need the address, so their rows stay until they end. Strangers can pay under
 * anybody's email, which must not delay the rest.
 */
export const erasePerson: Rule<ErasePerson, ErasedCounts> = {
  reads: ({ traces }) => rowsOfPerson(traces, lock),
  decide(c, all) {
    const { erasable: s, ...waiting } = withoutUnderWay(all, c.customer);
    const { orders, quotes, waitlist, feedback, leads, agents } = s;
    return {
      reply: { ...countsOf(s), ...waiting },
      writes: [
        ...quotes.map(eraseQuote),
        ...closeQuotes(s, c.now),
        ...updateEach("attempts", s.attempts, NO_PAYER),
        ...updateEach("orders", orders, { buyer_email: ERASED }),
        ...s.shipments.map(({ id, address }) =>
          update("shipments", { id }, { ...NO_LABEL, address: address && erasedAddress(address) }),
        ),
        ...updateEach("cancel_requests", s.cancel_requests, { message: null, decision: null }),
        ...updateEach("order_notes", s.order_notes, { text: ERASED }),
        ...waitlist.map((row) =>
          update("waitlist", { id: row.id }, isQueued(row) ? PLACE_LEFT : PLACE_ERASED),
        ),
        ...updateEach("feedback", feedback, { message: ERASED }),
        ...updateEach("leads", leads, LEAD_ERASED),
        ...updateEach("agents", agents, { name: ERASED, contact_email: ERASED }),
        ...s.sandbox.map(({ id, body }) =>
          update("sandbox", { id }, { body: withoutEmails(body, c.customer) }),
        ),
        ...updateEach("outbox", s.outbox, { letter: null, data: "{}" }),
        ...s.checkouts.map(({ id, cart }) =>
          update("checkouts", { id }, { cart: withoutBuyer(cart), buyer: null }),
        ),
      ],
    };
  },
};

/** The last step can't be undone any more, and may hold an older label. */
const NO_LABEL = {
  ...{ carrier: null, tracking_number: null, tracking_key: null, tracking_url: null },
  ...{ step: null, step_at: null },
};

const PLACE_ERASED = { buyer_email: ERASED, customer: ERASED };
const PLACE_LEFT = { ...PLACE_ERASED, status: "LEFT" } as const;

const LEAD_ERASED = { email: ERASED, purpose: ERASED, quantity: null, organization: null };

export const ENDED: ReadonlySet<OrderRow["status"]> = new Set(["COMPLETED", "CANCELED"]);

/** Leaves out orders and payments that have not ended, offers, and rows erased since they were found. */
function withoutUnderWay(s: State, customer: string) {
  const open = s.orders.filter(({ status }) => !ENDED.has(status));
  const paying = s.attempts.filter(({ status }) => UNSETTLED.has(status));
  const busy = new Set([...open, ...paying].map(({ quote_id }) => quote_id));
  const all = s.quotes.filter((row) => row.customer === customer);
  const places = s.waitlist.filter((row) => row.customer === customer);
  const quotes = all.filter(({ id }) => !busy.has(id));
  // Another rule gives up the held bags of an offer.
  const waitlist = places.filter(({ status }) => status !== "OFFERED");
  const quoteIds = new Set(quotes.map(({ id }) => id));
  const isTheirs = (row: { quote_id: QuoteId }) => quoteIds.has(row.quote_id);
  const orders = s.orders.filter(isTheirs);
  const orderIds = new Set(orders.map(({ id }) => id));
  const isErased = (id: string) => quotes.some((row) => row.id === id);
  const waitlistIds = new Set<string>(waitlist.map(({ id }) => id));
  const isOfTheirs = (row: { order_id: OrderId }) => orderIds.has(row.order_id);
  const erasable = stateOf({
    ...s,
    ...{ quotes, orders, waitlist },
    quote_states: s.quote_states.filter(isTheirs),
    attempts: s.attempts.filter(isTheirs),
    shipments: s.shipments.filter(isOfTheirs),
    cancel_requests: s.cancel_requests.filter(isOfTheirs),
    order_notes: s.order_notes.filter(isOfTheirs),
    outbox: s.outbox.filter(
      ({ order_id, subject }) =>
        (order_id !== null && orderIds.has(order_id)) ||
        (subject !== null && (isErased(subject) || waitlistIds.has(subject))),
    ),
  });
  const under_way = all.length - quotes.length + places.length - waitlist.length;
  const orders_under_way = open
    .filter(({ quote_id }) => all.some(({ id }) => id === quote_id))
    .map(({ number }) => number)
    .sort((a, b) => a - b);
  return { erasable, under_way, orders_under_way };
}

function eraseQuote(row: QuoteRow): Write {
  const terms = canonicalJson(withoutPerson(JSON.parse(row.terms) as Terms));
  return update("quotes", { id: row.id }, { terms, buyer_email: ERASED, customer: ERASED });
}

/** The terms without the person; their hash stays that of what was approved. */
const withoutPerson = (terms: Terms): Terms => ({
  ...terms,
  buyer: { email: ERASED },
  shipments: terms.shipments.map((shipment, i) => ({
    ...shipment,
    recipient_ref: `shipment ${i + 1}`,
    address: withoutStreet(shipment.address),
    gift_notes: [],
  })),
});

/** The books keep the state, by which sales are taxed. */
const withoutStreet = ({ region, country }: Address): Address => ({
  ...{ name: ERASED, line1: ERASED, city: ERASED, postal_code: "00000" },
  ...{ region, country },
});

const erasedAddress = (address: string): string =>
  JSON.stringify(withoutStreet(JSON.parse(address) as Address));

/** A quote without a person cannot be paid any more. */
const closeQuotes = (s: State, now: number): Write[] =>
  s.quote_states
    .filter(({ status }) => status === "OPEN" || status === "CHECKOUT_READY")
    .map(({ quote_id }) =>
      setQuoteState(quote_id, { status: "INVALIDATED", reason: "ERASED", updated_at: now }),
    );

/** A checkout's cart, down to its bags and code. */
function withoutBuyer(cart: string): string {
  const { items, discount_code } = JSON.parse(cart) as Cart;
  return JSON.stringify({ items, discount_code } satisfies Cart);
}

/** Replaces the person's address in every string of a JSON document. */
const withoutEmails = (body: string, customer: string): string =>
  JSON.stringify(
    JSON.parse(body, (_, value) =>
      typeof value === "string" ? withoutCustomer(value, customer, ERASED) : value,
    ),
  );
