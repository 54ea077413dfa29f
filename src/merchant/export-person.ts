import { cartOf, typedBy } from "../checkouts/checkout.ts";
import { audited, type MerchantAct } from "../core/audit.ts";
import { type Rule, readUnlocked, type State, writeRule } from "../core/command.ts";
import type { SentLetter } from "../core/letter.ts";
import { iso, isoOrNull } from "../core/policy.ts";
import type { Terms } from "../quotes/quote-answer.ts";
import { rowsOfPerson, type Traces } from "./erase.ts";

/** Everything of some rows that an erasure would cover, to be given to the person (contract §15). */
export const exportRows: Rule<{ traces: Traces }, PersonalData> = {
  reads: ({ traces }) => rowsOfPerson(traces, readUnlocked),
  decide: (_, s) => ({ reply: personalData(s), writes: [] }),
};

export const logExport = writeRule<MerchantAct & { pseudonym: string }>({
  reads: () => [],
  writes: (c) => [audited(c, "customers.export", c.pseudonym)],
});

type PersonalData = ReturnType<typeof personalData>;

/** Joins the data of several steps. */
export const joined = (parts: PersonalData[]): PersonalData => ({
  quotes: parts.flatMap(({ quotes }) => quotes),
  orders: parts.flatMap(({ orders }) => orders),
  letters: parts.flatMap(({ letters }) => letters),
  waitlist_entries: parts.flatMap(({ waitlist_entries }) => waitlist_entries),
  feedback: parts.flatMap(({ feedback }) => feedback),
  leads: parts.flatMap(({ leads }) => leads),
  agents: parts.flatMap(({ agents }) => agents),
  carts: parts.flatMap(({ carts }) => carts),
});

/** Without what would open a page or act for an agent: tokens, sessions' ids and keys. */
function personalData(s: State) {
  return {
    quotes: s.quotes.map(({ id, agent_id, buyer_email, created_at, terms }) => {
      const { buyer, shipments, pricing } = JSON.parse(terms) as Terms;
      const status = s.quote_states.find(({ quote_id }) => quote_id === id)?.status ?? null;
      const asked = { id, agent_id, buyer_email, created_at: iso(created_at), status };
      return { ...asked, buyer, shipments, pricing };
    }),
    orders: s.orders.map((row) => ({
      ...{ id: row.id, number: row.number, quote_id: row.quote_id, status: row.status },
      ...{ buyer_email: row.buyer_email, paid_at: iso(row.paid_at) },
      ...{ amount_minor: row.amount_minor, payment_ref: row.payment_ref },
      payment_method: row.payment_method,
      shipments: s.shipments
        .filter(({ order_id }) => order_id === row.id)
        .map(({ id, status, address, carrier, tracking_number, tracking_url, ...at }) => ({
          ...{ id, status, carrier, tracking_number, tracking_url },
          /** Set if it was changed after the quote. */
          address: address && (JSON.parse(address) as object),
          shipped_at: isoOrNull(at.shipped_at),
          delivered_at: isoOrNull(at.delivered_at),
        })),
      cancel_requests: s.cancel_requests
        .filter(({ order_id }) => order_id === row.id)
        .map(({ created_at, message, decision, status }) => {
          return { created_at: iso(created_at), message, decision, status };
        }),
      notes: s.order_notes
        .filter(({ order_id }) => order_id === row.id)
        .map(({ created_at, text }) => ({ created_at: iso(created_at), text })),
    })),
    letters: s.outbox.flatMap(({ letter, sent_at }) =>
      letter === null
        ? []
        : [{ ...(JSON.parse(letter) as SentLetter), sent_at: isoOrNull(sent_at) }],
    ),
    waitlist_entries: s.waitlist.map((row) => ({
      ...{ id: row.id, product_id: row.product_id, quantity: row.quantity, status: row.status },
      ...{ buyer_email: row.buyer_email, created_at: iso(row.created_at) },
    })),
    feedback: s.feedback.map(({ id, message, created_at }) => {
      return { id, message, created_at: iso(created_at) };
    }),
    leads: s.leads.map(({ id, email, purpose, quantity, organization, created_at }) => {
      return { id, email, purpose, quantity, organization, created_at: iso(created_at) };
    }),
    agents: s.agents.map(({ id, name, contact_email, created_at }) => {
      return { id, name, contact_email, created_at: iso(created_at) };
    }),
    /** Carts that are not ordered yet, with what was typed on their pages. */
    carts: s.checkouts.map((row) => ({ ...cartOf(row), typed: typedBy(row)?.values ?? null })),
  };
}
