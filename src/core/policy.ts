import type { Minor } from "./money.ts";

/** What the merchant promises and where the limits are (contract §2, §3, §7, §17). */
export const CONTRACT_VERSION = "opc/0.1";
export const POLICY_VERSION = "policy_v1";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const FIRST_ORDER = {
  code: "FIRSTBAG",
  percent: 20,
  /** Reached at 5000 of coffee. */
  cap_minor: 1000 as Minor,
} as const;

/** The setting that counts every change of the beans on sale. */
export const CATALOG_VERSION_SETTING = "catalog.version";

/** The setting that switches the first-order courtesy: "on" (also when absent) or "off". */
export const FIRST_ORDER_SETTING = "courtesy.first_order";

/** The first-order courtesy runs until the merchant ends it (contract §2). */
export const firstOrderOn = (setting: string | undefined): boolean => setting !== "off";

export const SPEND = {
  per_minor: 50_000 as Minor,
  off_minor: 10_000 as Minor,
} as const;

/** What a card payment can carry at all; no quote outside it is made. */
export const ORDER_TOTAL = { min_minor: 50 as Minor, max_minor: 99_999_999 as Minor } as const;

export const LIMITS = {
  gift_note_characters: 200,
  quantity_per_line: 100,
  /** One waitlist entry, while one order could have fewer. */
  waitlist_bags: 20,
  bags_per_order: 250,
  shipments_per_order: 50,
  lines_per_shipment: 20,
  feedback_characters: 2000,
  cancel_message_characters: 500,
  /** Each one and its withdrawal are a letter to the merchant, and entries of a log that is for good. */
  cancel_requests_per_order: 20,
  question_characters: 500,
  /** A JSON body on every interface, uncompressed: just above the largest quote request there can be. */
  body_bytes: 131_072,
  /** Values in an MCP message or batch, beside the arguments of tools, which have bounds of their own. */
  mcp_values: 2000,
  /** Messages of a JSON-RPC batch to an MCP endpoint. */
  mcp_batch_messages: 20,
  /** Open MCP streams of one key, or of one address without a key, at one instance. */
  mcp_streams: 32,
  /** All shipments of a quote request, as compact JSON in UTF-8. */
  shipments_bytes: 122_880,
  form_bytes: 16_384,
  form_fields: 60,
  /** What the payment provider may tell us at once. */
  webhook_bytes: 524_288,
  text_characters: 200,
  name_characters: 100,
  street_characters: 120,
  city_characters: 80,
  email_characters: 254,
  code_characters: 40,
  id_characters: 80,
  key_characters: 100,
  /** The items of a quick-checkout link: so many lines of the longest product_id. */
  link_items_characters: 2000,
  /** What is typed into a prompt's blank, or looked for in it. */
  prompt_characters: 1000,
  uri_characters: 500,
  idempotency_key_characters: 255,
  /** So many problems are told in one answer, and how many more there are. */
  problems: 50,
} as const;

/** The desk counts up to here and shows "999+" beyond, so that counting stays cheap. */
export const MOST_COUNTED = 1000;

/**
 * How much of a bean may be kept without money, by unpaid attempts and waitlist offers (contract §14), in
 * percent: of its free bags for one client network and one customer, of all its bags for everybody
 * together. A network's share is the smaller one, so a stranger who uses a customer's email leaves that
 * customer the rest.
 */
export const HOLD_SHARE = {
  address_percent: 50,
  customer_percent: 75,
  all_percent: 75,
  /** So many bags may always be held, however few there are: an ordinary order. */
  small_order_bags: 4,
} as const;

export const TIMES = {
  /** Bags and courtesy of somebody who has begun to pay and has not paid are kept this long. */
  unpaid_hold_ms: 20 * MINUTE_MS,
  /** The hosted page's own end, should the provider not be reached to close it with the hold. */
  session_ms: 40 * MINUTE_MS,
  /** A delayed payment may take this long to settle before its stock is let go. */
  processing_hold_ms: 14 * DAY_MS,
  /** Bags offered to the head of a waitlist are kept this long. */
  waitlist_offer_ms: 48 * HOUR_MS,
  /** The same where nobody has confirmed the email address. */
  unconfirmed_offer_ms: 12 * HOUR_MS,
  /** Bags that an unpaid hold releases are for everybody this long, then for the waitlist. */
  freed_bags_ms: HOUR_MS,
  /** A place in a queue that nobody looks at ends after this long. */
  waitlist_place_ms: 90 * DAY_MS,
  idempotency_ms: 48 * HOUR_MS,
  finder_key_ms: 7 * DAY_MS,
  /** A letter is news this long; one that waited longer for a mail server is not sent any more. */
  mail_news_ms: 48 * HOUR_MS,
  /** A step of a shipment that was a slip can be taken back this long. */
  undo_ms: 10 * MINUTE_MS,
  /** A tracking number stands for one address this long; carriers use theirs again. */
  tracking_number_ms: 120 * DAY_MS,
  /** The answer to a registration may have been lost on its way this long. */
  lost_registration_ms: 10 * MINUTE_MS,
} as const;

/**
 * For how many days rows are kept that nothing needs any more (contract §14). An unpaid quote is
 * counted from its end, which the database's own trigger does too, and so is a finder key; everything
 * else from when it came.
 */
export const RETENTION_DAYS = {
  /** Registering again costs nothing. */
  unused_keys: 7,
  unpaid_quotes: 30,
  /** Counted from the session's end. */
  ucp_sessions: 30,
  /** Not gone before the questions that earned them: those would earn another. */
  finder_keys: 90,
  finder_progress: 90,
  settled_webhooks: 30,
  sent_letters: 90,
  ended_waitlist_entries: 365,
  feedback_and_leads: 730,
  sandbox_answers: 1,
  sandbox_sessions: 180,
} as const;

/**
 * Free bytes of the disk that are kept for what matters more: what agents send (quotes, keys, places
 * in queues) is refused first, then new payments; what is paid is settled to the last byte.
 */
export const ROOM = {
  offers_bytes: 64 * 1024 * 1024,
  payments_bytes: 32 * 1024 * 1024,
} as const;

/** "48 hours", "7 days", for prose: no sentence carries a number of its own. */
export const span = (ms: number): string =>
  ms % DAY_MS === 0 && ms > 2 * DAY_MS
    ? `${ms / DAY_MS} days`
    : `${ms / HOUR_MS} ${ms === HOUR_MS ? "hour" : "hours"}`;

/** A time on the wire: ISO 8601 UTC with milliseconds (contract §0). */
export const iso = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
