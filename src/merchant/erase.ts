import type { Cart } from "../checkouts/cart.ts";
import type { Address } from "../core/address.ts";
import { audited, type MerchantAct } from "../core/audit.ts";
import {
  lock,
  type Rule,
  readUnlocked,
  type State,
  update,
  updateEach,
  type Write,
  writeRule,
} from "../core/command.ts";
import { wholeEmails } from "../core/email.ts";
import { illegalStep } from "../core/errors.ts";
import { canonicalJson } from "../core/hash.ts";
import { step } from "../core/next-step.ts";
import { ERASED, isUnpaid, type OrderRow, type QuoteRow, UNSETTLED } from "../core/records.ts";
import { NO_PAYER } from "../payments/attempt.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { setQuoteState } from "../quotes/standing.ts";

/** Ids of the rows that name a person. */
export type Traces = Record<
  "quotes" | "orders" | "waitlist" | "leads" | "feedback" | "agents" | "sandbox" | "checkouts",
  string[]
>;

export interface ErasePerson extends MerchantAct {
  /** The canonical email. */
  customer: string;
  /** Every spelling of the email, trimmed and lower-cased. */
  emails: string[];
  /** Identifies the person only with the email and the installation's secret. */
  pseudonym: string;
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
];

type ErasedCounts = Record<"orders" | "quotes" | "waitlist_entries" | "messages" | "keys", number>;

/**
 * Erases a person and keeps what the books need: amounts, bags, dates, hashes and the order's state
 * (contract §15). Orders and payments under way need the address, so they must end first.
 */
export const erasePerson: Rule<ErasePerson, ErasedCounts> = {
  reads: ({ traces, customer }) => [
    ...rowsOfPerson(traces, lock),
    lock("customers", { email: customer }),
  ],
  decide(c, s) {
    refuseUnderWay(s);
    const { orders, quotes, waitlist, feedback, leads, agents } = s;
    const whole = wholeEmails(c.emails);
    const reply: ErasedCounts = {
      orders: orders.length,
      quotes: quotes.length,
      waitlist_entries: waitlist.length,
      messages: feedback.length + leads.length,
      keys: agents.length,
    };
    return {
      reply,
      writes: [
        ...quotes.filter((row) => row.customer !== ERASED).map(eraseQuote),
        // Retention removes the emptied row, also after a crash.
        ...s.customers.map(({ email }) => update("customers", { email }, NOTHING_KNOWN)),
        ...closeQuotes(s, c.now),
        ...updateEach("attempts", s.attempts, NO_PAYER),
        ...updateEach("orders", orders, { buyer_email: ERASED }),
        ...s.shipments.map(({ id, address }) =>
          update("shipments", { id }, { address: address && erasedAddress(address) }),
        ),
        ...updateEach("cancel_requests", s.cancel_requests, { message: null, decision: null }),
        ...updateEach("order_notes", s.order_notes, { text: ERASED }),
        ...updateEach("waitlist", waitlist, { buyer_email: ERASED, customer: ERASED }),
        ...updateEach("feedback", feedback, { message: ERASED }),
        ...updateEach("leads", leads, LEAD_ERASED),
        ...updateEach("agents", agents, { name: ERASED, contact_email: ERASED }),
        ...s.sandbox.map(({ id, body }) =>
          update("sandbox", { id }, { body: withoutEmails(body, whole) }),
        ),
        ...s.checkouts.map(({ id, cart }) =>
          update("checkouts", { id }, { cart: withoutBuyer(cart), buyer: null }),
        ),
        audited(c, "customers.erase", c.pseudonym, { ...reply }),
      ],
    };
  },
};

/** Refuses what `erasePerson` would refuse, before places in queues are given up for good. */
export const mayErasePerson = writeRule<Pick<Traces, "quotes">>({
  reads: ({ quotes }) => [
    readUnlocked("orders", { quote_id: quotes }),
    readUnlocked("attempts", { quote_id: quotes }),
  ],
  writes(_, s) {
    refuseUnderWay(s);
    return [];
  },
});

const NOTHING_KNOWN = { paid_orders: 0, courtesy: null, courtesy_attempt: null };

const LEAD_ERASED = { email: ERASED, purpose: ERASED, quantity: null, organization: null };

export const ENDED: ReadonlySet<OrderRow["status"]> = new Set(["COMPLETED", "CANCELED"]);

function refuseUnderWay(s: State): void {
  const open = s.orders.filter(({ status }) => !ENDED.has(status)).map(({ id }) => id);
  if (open.length > 0) {
    throw illegalStep(
      `Still under way: ${open.join(", ")}. Deliver or cancel first; then erase.`,
      step("get_order", "See what is missing.", open[0]),
    );
  }
  const paying = s.attempts.find(({ status }) => UNSETTLED.has(status));
  if (!paying) return;
  throw illegalStep(
    isUnpaid(paying)
      ? "A payment page of this person could not be closed, because the payment provider does not answer. Erase again in an hour."
      : "A payment of this person is being settled. Erase when it has settled: a bank debit takes days, a card seconds.",
  );
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

/** Replaces the emails in every string of a JSON document. */
const withoutEmails = (body: string, whole: RegExp): string =>
  JSON.stringify(
    JSON.parse(body, (_, value) =>
      typeof value === "string" ? value.replaceAll(whole, ERASED) : value,
    ),
  );
