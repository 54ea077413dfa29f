import { STOCKED, WAITLISTED } from "./catalog.ts";
import { about, LEAD, type Mistake, quote } from "./mistakes.ts";

/** What models get wrong about every other tool. */
export const TOOL_MISTAKES: readonly Mistake[] = [
  about("register_agent")("email instead of contact_email", {
    wrong: () => ({ name: "Agent", email: "agent@example.com" }),
  }),
  about("register_agent")("agent_name instead of name", {
    wrong: () => ({ agent_name: "Agent", contact_email: "agent@example.com" }),
  }),
  about("get_order")("order_number instead of order_id", {
    wrong: (t) => ({ order_number: t.order }),
  }),
  about("request_cancellation")("a reason of its own", {
    wrong: (t) => ({ order_id: t.order, reason_code: "BUYER_REQUEST" }),
    says: /Did you mean "CHANGED_MIND"/,
  }),
  about("list_orders")("null for what may be left out", {
    wrong: () => ({ buyer_email: null }),
    says: /Or leave it out/,
    right: () => ({}),
  }),
  about("send_feedback")("a number as idempotency_key", {
    wrong: () => ({ message: "Lovely.", idempotency_key: 1 }),
    says: /idempotency_key is text: send it in quotes/,
    right: () => ({ message: "Lovely." }),
  }),
  about("ask")("question instead of q", { wrong: () => ({ question: "Which one is decaf?" }) }),
  about("ask")("a blank question", {
    wrong: () => ({ q: " " }),
    says: /The question is blank/,
    right: () => ({ q: "Which one is decaf?" }),
  }),
  about("get_quote")("quote instead of quote_id", { wrong: (t) => ({ quote: t.quote.id }) }),
  about("get_quote")("an order's id", {
    wrong: (t) => ({ quote_id: t.order }),
    says: /this is the id of an order/,
    next: "get_order",
    right: (t) => ({ order_id: t.order }),
  }),
  about("get_order")("a quote's id", {
    wrong: (t) => ({ order_id: t.paid }),
    says: /this is the id of a quote/,
    next: "get_quote_order",
    right: (t) => ({ quote_id: t.paid }),
  }),
  about("get_order")("id instead of order_id", { wrong: (t) => ({ id: t.order }) }),
  about("get_order")("an order that is none", {
    wrong: () => ({ order_id: "ord_none" }),
    next: "list_orders",
    right: () => ({}),
  }),
  ...["get_quote", "get_quote_order", "create_checkout"].map((tool) =>
    about(tool)("a quote that is none", {
      wrong: (t) => ({
        quote_id: "qte_none",
        ...(tool === "create_checkout" && { quote_hash: t.quote.quote_hash }),
      }),
      says: /list_orders: What was ordered names its quote_id/,
      next: "list_orders",
      right: () => ({}),
    }),
  ),
  about("create_checkout")("quoteHash instead of quote_hash", {
    wrong: (t) => ({ quote_id: t.quote.id, quoteHash: t.quote.quote_hash }),
  }),
  about("create_checkout")("no hash", {
    wrong: (t) => ({ quote_id: t.quote.id }),
    right: (t) => ({ quote_id: t.quote.id, quote_hash: t.quote.quote_hash }),
  }),
  about("create_checkout")("another hash", {
    wrong: (t) => ({ quote_id: t.quote.id, quote_hash: `sha256:${"0".repeat(64)}` }),
    next: "get_quote",
    right: (t) => ({ quote_id: t.quote.id }),
  }),
  about("list_orders")("email instead of buyer_email", {
    wrong: () => ({ email: "buyer@example.com" }),
  }),
  about("list_orders")("page_size instead of limit", { wrong: () => ({ page_size: 10 }) }),
  about("list_orders")("a limit beyond the most", {
    wrong: () => ({ limit: 500 }),
    says: /At most 100/,
    right: () => ({ limit: 100 }),
  }),
  about("list_orders")("a limit as a text", {
    wrong: () => ({ limit: "10" }),
    says: /send 10 without quotes/,
    right: () => ({ limit: 10 }),
  }),
  about("list_orders")("a day instead of a time", {
    wrong: () => ({ before: "2026-01-31" }),
    says: /ISO 8601 time with its zone/,
    right: () => ({ before: "2026-01-31T00:00:00Z" }),
  }),
  about("list_order_events")("cursor instead of after", {
    wrong: (t) => ({ order_id: t.order, cursor: 0 }),
  }),
  about("list_order_events")("a wait of a minute", {
    wrong: (t) => ({ order_id: t.order, after: 0, wait: 60 }),
    says: /At most 25/,
    right: (t) => ({ order_id: t.order }),
  }),
  about("request_cancellation")("reason instead of reason_code", {
    wrong: (t) => ({ order_id: t.order, reason: "CHANGED_MIND" }),
  }),
  about("request_cancellation")("a reason in small letters", {
    wrong: (t) => ({ order_id: t.order, reason_code: "changed mind" }),
  }),
  about("request_cancellation")("a reason of one's own", {
    wrong: (t) => ({ order_id: t.order, reason_code: "TOO_EXPENSIVE" }),
    says: /One of "CHANGED_MIND"/,
    right: (t) => ({ order_id: t.order, reason_code: "OTHER" }),
  }),
  about("join_waitlist")("email beside the rest", {
    wrong: () => ({ product_id: WAITLISTED, quantity: 2, email: "waits@example.com" }),
  }),
  about("join_waitlist")("a bean without a waitlist", {
    wrong: () => ({ product_id: STOCKED, quantity: 2, buyer: { email: "waits@example.com" } }),
    next: "request_quote",
    right: quote,
  }),
  about("get_waitlist_entry")("entry_id instead of waitlist_id", {
    wrong: (t) => ({ entry_id: t.entry }),
  }),
  about("send_feedback")("feedback instead of message", { wrong: () => ({ feedback: "Lovely." }) }),
  about("send_feedback")("a card number", {
    wrong: () => ({ message: "My card is 4242 4242 4242 4242." }),
    says: /holds a card number/,
    right: () => ({ message: "My card was charged." }),
  }),
  about("send_bulk_lead")("message instead of purpose", {
    wrong: () => ({ email: LEAD.email, message: LEAD.purpose }),
  }),
  about("send_bulk_lead")("a number of bags", {
    wrong: () => ({ ...LEAD, quantity: 400 }),
    says: /send "400" in quotes/,
    right: () => ({ ...LEAD, quantity: "400" }),
  }),
  about("send_bulk_lead")("a quantity told at length, which is no limit of bags", {
    wrong: () => ({ ...LEAD, quantity: `400 bags ${"and more ".repeat(22)}` }),
    says: /^VALIDATION_FAILED: At most 200 characters/,
    next: "send_bulk_lead",
    right: () => ({ ...LEAD, quantity: "400 bags and more" }),
  }),
  about("build_quick_checkout_link")("items as in a link", {
    wrong: () => ({ items: `${STOCKED}:2` }),
    says: /a list, also of one/i,
    right: () => ({ items: [{ product_id: STOCKED, quantity: 2 }] }),
  }),
  about("build_quick_checkout_link")("email instead of buyer_email", {
    wrong: () => ({ items: [{ product_id: STOCKED, quantity: 2 }], email: "b@example.com" }),
  }),
];
