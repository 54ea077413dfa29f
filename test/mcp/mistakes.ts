import { DECAF, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { ADDRESS } from "../support/shopper.ts";

// biome-ignore lint/suspicious/noExplicitAny: arguments as a model writes them.
export type Arguments = Record<string, any>;

/** The key's own resources that a call can confuse. */
export interface Things {
  quote: { id: string; quote_hash: string };
  paid: string;
  order: string;
  entry: string;
}

export interface Mistake {
  tool: string;
  what: string;
  wrong: (things: Things) => Arguments;
  /** The corrected arguments; by default what `did_you_mean` proposes. */
  right?: (things: Things) => Arguments;
  /** The field that the first problem names. */
  at?: string;
  /** The tool that the refusal names; by default the same. */
  next?: string;
}

const mistake = (tool: string, what: string, more: Omit<Mistake, "tool" | "what">): Mistake => ({
  tool,
  what,
  ...more,
});

const shipment = {
  recipient_ref: "home",
  address: ADDRESS,
  items: [{ product_id: STOCKED, quantity: 2 }],
};
const QUOTE: Arguments = { buyer: { email: "buyer@example.com" }, shipments: [shipment] };
const quote = (change: (q: Arguments) => void = () => {}) => {
  const made = structuredClone(QUOTE);
  change(made);
  return made;
};
const first = (q: Arguments): Arguments => q.shipments[0];
const address = (q: Arguments): Arguments => first(q).address;
const item = (q: Arguments): Arguments => first(q).items[0];

const RENAMED: [object: (q: Arguments) => Arguments, ours: string, theirs: string][] = [
  [first, "address", "shipping_address"],
  [first, "items", "line_items"],
  [address, "postal_code", "zipCode"],
];

const renamed = RENAMED.map(([object, ours, theirs]) =>
  mistake("request_quote", `${theirs} instead of ${ours}`, {
    wrong: () =>
      quote((q) => {
        const there = object(q);
        there[theirs] = there[ours];
        delete there[ours];
      }),
  }),
);

const WRONG_VALUES: [what: string, at: string, change: (q: Arguments) => void][] = [
  ["the buyer as text", "/buyer", (q) => Object.assign(q, { buyer: "buyer@example.com" })],
  ["an email without @", "/buyer/email", (q) => Object.assign(q.buyer, { email: "buyer" })],
  [
    "its own price",
    "/shipments/0/total_minor",
    (q) => Object.assign(first(q), { total_minor: 100 }),
  ],
  ["an unknown code", "/discount_code", (q) => Object.assign(q, { discount_code: "WELCOME10" })],
  ["no recipient_ref", "/shipments/0/recipient_ref", (q) => delete first(q).recipient_ref],
  [
    "an address as text",
    "/shipments/0/address",
    (q) => Object.assign(first(q), { address: "1 Main Street, Austin, TX 78701" }),
  ],
  [
    "a ZIP code of another state",
    "/shipments/0/address/postal_code",
    (q) => Object.assign(address(q), { postal_code: "97205" }),
  ],
  ["no bags", "/shipments/0/items/0/quantity", (q) => Object.assign(item(q), { quantity: 0 })],
  ["half a bag", "/shipments/0/items/0/quantity", (q) => Object.assign(item(q), { quantity: 1.5 })],
  [
    "an unknown product",
    "/shipments/0/items/0/product_id",
    (q) => Object.assign(item(q), { product_id: "house-blend" }),
  ],
  [
    "more gift notes than bags",
    "/shipments/0/gift_notes",
    (q) => Object.assign(first(q), { gift_notes: ["a", "b", "c"] }),
  ],
  [
    "a gift note that is too long",
    "/shipments/0/gift_notes/0",
    (q) => Object.assign(first(q), { gift_notes: ["x".repeat(201)] }),
  ],
];

const wrongValues = WRONG_VALUES.map(([what, at, change]) =>
  mistake("request_quote", what, { at, wrong: () => quote(change), right: () => quote() }),
);

const LEAD = { email: "office@example.com", purpose: "Coffee for an office of 40." };
const NO_QUOTE = { quote_id: "qte_none" };
const noQuote = { next: "list_orders", right: () => ({}) };

/** Mistakes of models, each with the corrected call. */
export const MISTAKES: readonly Mistake[] = [
  ...renamed,
  ...wrongValues,
  mistake("request_quote", "the buyer's email beside the shipments", {
    at: "/buyer",
    wrong: () => ({ email: "buyer@example.com", shipments: quote().shipments }),
    right: () => quote(),
  }),
  mistake("request_quote", "bags and address without a shipment", {
    at: "/shipments",
    wrong: () => ({ buyer: QUOTE.buyer, items: shipment.items, shipping_address: ADDRESS }),
    right: () => quote(),
  }),
  mistake("request_quote", "a coupon", { wrong: () => ({ ...quote(), coupon: "FIRSTBAG" }) }),
  mistake("request_quote", "a product by its name for people", {
    wrong: () => quote((q) => Object.assign(item(q), { product_id: "Cajamarca Decaf" })),
    right: () => quote((q) => Object.assign(item(q), { product_id: DECAF })),
  }),
  mistake("request_quote", "a typing error in the product", {
    wrong: () => quote((q) => Object.assign(item(q), { product_id: "kenya-nyri" })),
  }),
  mistake("request_quote", "too many bags", {
    wrong: () => quote((q) => Object.assign(item(q), { quantity: 150 })),
    next: "send_bulk_lead",
    right: () => LEAD,
  }),
  mistake("register_agent", "email instead of contact_email", {
    wrong: () => ({ name: "Agent", email: "agent@example.com" }),
  }),
  mistake("get_quote", "an order's id", { wrong: (t) => ({ quote_id: t.order }), ...noQuote }),
  mistake("get_order", "an unknown order", { wrong: () => ({ order_id: "ord_none" }), ...noQuote }),
  mistake("get_order", "the id by another name", {
    at: "/quote_id",
    wrong: (t) => ({ quote_id: t.quote.id }),
    right: (t) => ({ order_id: t.order }),
  }),
  mistake("get_quote_order", "an unknown quote", { wrong: () => NO_QUOTE, ...noQuote }),
  mistake("create_checkout", "an unknown quote", {
    wrong: (t) => ({ ...NO_QUOTE, quote_hash: t.quote.quote_hash }),
    ...noQuote,
  }),
  mistake("create_checkout", "no hash", {
    at: "/quote_hash",
    wrong: (t) => ({ quote_id: t.quote.id }),
    right: (t) => ({ quote_id: t.quote.id, quote_hash: t.quote.quote_hash }),
  }),
  mistake("create_checkout", "another hash", {
    wrong: (t) => ({ quote_id: t.quote.id, quote_hash: `sha256:${"0".repeat(64)}` }),
    next: "get_quote",
    right: (t) => ({ quote_id: t.quote.id }),
  }),
  mistake("list_orders", "page_size instead of limit", {
    at: "/page_size",
    wrong: () => ({ page_size: 10 }),
    right: () => ({ limit: 10 }),
  }),
  mistake("list_orders", "a limit below the minimum", {
    at: "/limit",
    wrong: () => ({ limit: 0 }),
    right: () => ({ limit: 100 }),
  }),
  mistake("request_cancellation", "reason instead of reason_code", {
    wrong: (t) => ({ order_id: t.order, reason: "CHANGED_MIND" }),
  }),
  mistake("request_cancellation", "an unknown reason", {
    at: "/reason_code",
    wrong: (t) => ({ order_id: t.order, reason_code: "TOO_EXPENSIVE" }),
    right: (t) => ({ order_id: t.order, reason_code: "OTHER" }),
  }),
  mistake("join_waitlist", "email beside the rest", {
    at: "/buyer",
    wrong: () => ({ product_id: WAITLISTED, quantity: 2, email: "waits@example.com" }),
    right: () => ({ product_id: WAITLISTED, quantity: 2, buyer: { email: "waits@example.com" } }),
  }),
  mistake("join_waitlist", "a product without a waitlist", {
    wrong: () => ({ product_id: STOCKED, quantity: 2, buyer: { email: "waits@example.com" } }),
    next: "request_quote",
    right: () => quote(),
  }),
  mistake("get_waitlist_entry", "entry_id instead of waitlist_id", {
    wrong: (t) => ({ entry_id: t.entry }),
  }),
  mistake("send_feedback", "a card number", {
    at: "/message",
    wrong: () => ({ message: "My card is 4242 4242 4242 4242." }),
    right: () => ({ message: "My card was charged." }),
  }),
  mistake("build_quick_checkout_link", "items as in a link", {
    at: "/items",
    wrong: () => ({ items: `${STOCKED}:2` }),
    right: () => ({ items: [{ product_id: STOCKED, quantity: 2 }] }),
  }),
];
