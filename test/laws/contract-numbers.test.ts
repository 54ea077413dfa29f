/** Every number of the policy stands in the contract, in the sentence that promises it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plainDollars } from "../../src/domain/shared/money.ts";
import {
  DELIVERY_DAYS,
  FIRST_ORDER,
  HOLD_SHARE,
  LIMITS,
  ORDER_TOTAL,
  RETENTION_DAYS,
  ROOM,
  SHIPPING,
  SPEND,
  span,
  TIMES,
} from "../../src/domain/shared/policy.ts";
import { LIMIT_TABLE as RATES } from "../../src/domain/shared/rate-limits.ts";
import { ROOT } from "./reading.ts";

const contract = readFileSync(join(ROOT, "docs/contract.md"), "utf8");

const many = (n: number) => n.toLocaleString("en-US");
const kib = (bytes: number) => `${bytes / 1024} KiB`;
const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
const minutes = (ms: number) => `${ms / 60_000} minutes`;
const days = (ms: number) => `${ms / 86_400_000} days`;
const years = (n: number) => ({ 365: "a year", 730: "two years" })[n] ?? `${n} days`;
const each = (name: keyof typeof RATES) => RATES[name].points;

/** By the name of each number what the contract says of it; a number without a sentence does not compile. */
const PROMISES: Record<string, string> = {
  ...({
    gift_note_characters: `at most ${LIMITS.gift_note_characters} Unicode code points`,
    quantity_per_line: `from 1 to ${LIMITS.quantity_per_line} in one line`,
    bags_per_order: `${LIMITS.bags_per_order} bags an order`,
    shipments_per_order: `${LIMITS.shipments_per_order} shipments,`,
    lines_per_shipment: `${LIMITS.lines_per_shipment} lines in a shipment`,
    feedback_characters: `feedback | at most ${many(LIMITS.feedback_characters)} characters`,
    cancel_message_characters: `message | at most ${LIMITS.cancel_message_characters} characters`,
    cancel_requests_per_order: `${LIMITS.cancel_requests_per_order} requests in all per order`,
    question_characters: `\`ask\` | at most ${LIMITS.question_characters} characters`,
    body_bytes: `JSON body | ${kib(LIMITS.body_bytes)}`,
    mcp_values: `MCP message | at most ${many(LIMITS.mcp_values)} values`,
    mcp_streams: `MCP streams | ${LIMITS.mcp_streams} open`,
    shipments_bytes: `at most ${kib(LIMITS.shipments_bytes)} as compact JSON`,
    form_bytes: `a page's form ${kib(LIMITS.form_bytes)}`,
    form_fields: `and ${LIMITS.form_fields} fields`,
    webhook_bytes: `notice ${kib(LIMITS.webhook_bytes)}`,
    text_characters: `of a bulk lead at most ${LIMITS.text_characters} characters`,
    name_characters: `address | at most ${LIMITS.name_characters}, `,
    street_characters: `, ${LIMITS.street_characters} and `,
    city_characters: `and ${LIMITS.city_characters} characters`,
    email_characters: `email | at most ${LIMITS.email_characters} characters`,
    code_characters: `parameters of a link at most ${LIMITS.code_characters},`,
    id_characters: `ids at most ${LIMITS.id_characters},`,
    key_characters: `keys at most ${LIMITS.key_characters};`,
    link_items_characters: `its \`items\` at most ${many(LIMITS.link_items_characters)}`,
    prompt_characters: `prompt at most ${many(LIMITS.prompt_characters)},`,
    uri_characters: `resource's address at most ${LIMITS.uri_characters}`,
    idempotency_key_characters: `1 to ${LIMITS.idempotency_key_characters} visible ASCII`,
    problems: `at most ${LIMITS.problems}, and how many more`,
  } satisfies Record<keyof typeof LIMITS, string>),
  ...({
    address_percent: `at most ${HOLD_SHARE.address_percent} % per address`,
    customer_percent: `${HOLD_SHARE.customer_percent} % per customer`,
    small_order_bags: `${HOLD_SHARE.small_order_bags} bags always`,
  } satisfies Record<keyof typeof HOLD_SHARE, string>),
  ...({
    unpaid_hold_ms: `unpaid hold lasts ${minutes(TIMES.unpaid_hold_ms)}`,
    session_ms: `ends by itself, ${minutes(TIMES.session_ms)} after`,
    processing_hold_ms: `${days(TIMES.processing_hold_ms)} at most`,
    waitlist_offer_ms: `their bags held for ${span(TIMES.waitlist_offer_ms)}`,
    idempotency_ms: `It is kept ${span(TIMES.idempotency_ms)}`,
    finder_key_ms: `valid for ${days(TIMES.finder_key_ms)}`,
    mail_news_ms: `older than ${span(TIMES.mail_news_ms)} is not sent`,
    undo_ms: "taken back for ten minutes",
    tracking_number_ms: `a number of the last ${days(TIMES.tracking_number_ms)} is`,
    lost_registration_ms: `and body, within ${minutes(TIMES.lost_registration_ms)} and while`,
  } satisfies Record<keyof typeof TIMES, string>),
  ...({
    unpaid_quotes: `unpaid quote: ${years(RETENTION_DAYS.unpaid_quotes)}`,
    finder_keys: `Finder keys: ${years(RETENTION_DAYS.finder_keys)}`,
    finder_progress: `what earned them: ${years(RETENTION_DAYS.finder_progress)}`,
    settled_webhooks: `were settled: ${years(RETENTION_DAYS.settled_webhooks)}`,
    sent_letters: `were sent: ${years(RETENTION_DAYS.sent_letters)}`,
    ended_waitlist_entries: `whose offer ended: ${years(RETENTION_DAYS.ended_waitlist_entries)}`,
    feedback_and_leads: `Feedback and leads: ${years(RETENTION_DAYS.feedback_and_leads)}`,
    sandbox_answers: `sandbox: answers ${years(RETENTION_DAYS.sandbox_answers)}`,
    sandbox_sessions: `payment pages ${years(RETENTION_DAYS.sandbox_sessions)}`,
  } satisfies Record<keyof typeof RETENTION_DAYS, string>),
  ...({
    register_hour: `${each("register_hour")} an hour and `,
    register_day: `${each("register_day")} a day per address`,
    register_attempts: `${each("register_attempts")} tries a minute`,
    key: `all calls of a key | ${each("key")} a minute`,
    quotes: `quotes, checkout | ${each("quotes")} and `,
    checkout: `and ${each("checkout")} a minute per key`,
    quote_bytes: `${mib(each("quote_bytes"))} of quote requests a day`,
    courtesy_buyers: `${each("courtesy_buyers")} different ones a day`,
    waitlist: `waitlist | ${each("waitlist")} an hour`,
    changes: `leaving a queue | ${each("changes")} an hour per key`,
    feedback: `feedback, leads | ${each("feedback")} an hour each`,
    leads: `feedback, leads | ${each("leads")} an hour each`,
    ask: `ask, quick checkout, catalog | ${each("ask")}, `,
    quick_checkout: `, ${each("quick_checkout")} and `,
    catalog: `and ${each("catalog")} a minute per address`,
    mcp: `and ${each("mcp")} a minute per address in all`,
    pay: `pressing pay | ${each("pay")} a minute`,
    pay_day: `and ${each("pay_day")} a day per link`,
    desk_sign_in: `sign-in | ${each("desk_sign_in")} a minute per address`,
    desk_sign_in_total: `${each("desk_sign_in_total")} in all`,
  } satisfies Record<keyof typeof RATES, string>),
  offers_bytes: `below ${mib(ROOM.offers_bytes)} of free bytes`,
  payments_bytes: `below ${mib(ROOM.payments_bytes)})`,
  order_total: `between ${ORDER_TOTAL.min_minor} and ${many(ORDER_TOTAL.max_minor)} cents`,
  shipping: `${plainDollars(SHIPPING.per_address_minor)} for each shipping address`,
  free_from: `${plainDollars(SHIPPING.free_from_minor)} or more before any courtesy`,
  first_order: `${FIRST_ORDER.percent} % off the coffee`,
  first_order_cap: `at most ${plainDollars(FIRST_ORDER.cap_minor)}`,
  spend: `${plainDollars(SPEND.off_minor)} off for every full ${plainDollars(SPEND.per_minor)}`,
  delivery: `${DELIVERY_DAYS.earliest} to ${DELIVERY_DAYS.latest} days from the order date`,
};

test.each(Object.entries(PROMISES))("%s", (_, promise) => {
  expect(contract.replaceAll("**", "")).toContain(promise);
});
