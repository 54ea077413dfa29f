import type { Minor } from "./money.ts";

/** Policy numbers and limits (contract §2, §3, §7, §17). */
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

/** Setting that counts the changes of the beans on sale. */
export const CATALOG_VERSION_SETTING = "catalog.version";

/** Setting that switches the first-order courtesy: "on" (the default) or "off". */
export const FIRST_ORDER_SETTING = "courtesy.first_order";

/** The first-order courtesy runs until the merchant ends it (contract §2). */
export const firstOrderOn = (setting: string | undefined): boolean => setting !== "off";

export const SPEND = {
  per_minor: 50_000 as Minor,
  off_minor: 10_000 as Minor,
} as const;

/** Range of a card payment. Quotes outside it are refused. */
export const ORDER_TOTAL = { min_minor: 50 as Minor, max_minor: 99_999_999 as Minor } as const;

export const LIMITS = {
  gift_note_characters: 200,
  quantity_per_line: 100,
  /** Bags of one waitlist entry. */
  waitlist_bags: 20,
  bags_per_order: 250,
  shipments_per_order: 50,
  lines_per_shipment: 20,
  feedback_characters: 2000,
  cancel_message_characters: 500,
  /** Each request and each withdrawal is mailed to the merchant, and its events are kept forever. */
  cancel_requests_per_order: 20,
  question_characters: 500,
  /** An uncompressed JSON body on every interface, just above the largest possible quote request. */
  body_bytes: 131_072,
  /** Objects and lists inside each other in JSON on every interface. */
  json_depth: 64,
  /** Values in an MCP message or batch. Tool arguments have their own limits. */
  mcp_values: 500,
  /** Messages of a JSON-RPC batch to an MCP endpoint. */
  mcp_batch_messages: 20,
  /** Text of a batch's results, after which it is refused more: a catalog may take half of it. */
  mcp_batch_text: 500_000,
  /** Open MCP streams of one key, or of one address without a key, at one instance. */
  mcp_streams: 32,
  /** All shipments of a quote request, as compact JSON in UTF-8. */
  shipments_bytes: 122_880,
  form_bytes: 16_384,
  form_fields: 60,
  /** The desk's forms have a row per shipment, and a label tool's file has long lines. */
  desk_form_bytes: 262_144,
  desk_form_fields: 400,
  /** One webhook of the payment provider. */
  webhook_bytes: 524_288,
  text_characters: 200,
  name_characters: 100,
  street_characters: 120,
  city_characters: 80,
  email_characters: 254,
  code_characters: 40,
  id_characters: 80,
  key_characters: 100,
  /** `items` of a quick-checkout link: 20 lines of the longest product_id. */
  link_items_characters: 2000,
  /** An argument of a prompt. */
  prompt_characters: 1000,
  uri_characters: 500,
  idempotency_key_characters: 255,
  /** Problems listed in one answer, besides the number of further ones. */
  problems: 50,
} as const;

/** The desk counts up to here and shows "999+" beyond, so that counting stays cheap. */
export const MOST_COUNTED = 1000;

export const TIMES = {
  /** The hosted page expires after this. */
  session_ms: 40 * MINUTE_MS,
  /** A delayed payment may take this long to settle before its bags are released. */
  processing_hold_ms: 14 * DAY_MS,
  /** Bags offered to the head of a waitlist are held this long. */
  waitlist_offer_ms: 48 * HOUR_MS,
  /** A place in a queue that nobody looks at ends after this long. */
  waitlist_place_ms: 90 * DAY_MS,
  idempotency_ms: 48 * HOUR_MS,
  finder_key_ms: 7 * DAY_MS,
  /** A letter that waited longer for a mail server is not sent. */
  mail_news_ms: 48 * HOUR_MS,
  /** A shipment without news is followed this long after it left. */
  follow_ms: 14 * DAY_MS,
  /** A step of a shipment can be undone this long. */
  undo_ms: 10 * MINUTE_MS,
  /** A retried registration gets a new key this long, in case the first answer was lost. */
  lost_registration_ms: 10 * MINUTE_MS,
} as const;

/**
 * Days that unneeded rows are kept (contract §14). Unpaid quotes (as in the database's trigger) and
 * finder keys are counted from their expiry, everything else from its creation.
 */
export const RETENTION_DAYS = {
  /** Registering again costs nothing. */
  unused_keys: 7,
  unpaid_quotes: 30,
  /** Those without a quote, from their expiry; others go with their quotes. */
  checkouts: 1,
  /** Kept as long as the questions that earned them, which could otherwise earn another key. */
  finder_keys: 90,
  finder_progress: 90,
  settled_webhooks: 30,
  sent_letters: 90,
  ended_waitlist_entries: 180,
  feedback_and_leads: 730,
  sandbox_answers: 1,
  sandbox_sessions: 180,
} as const;

/**
 * Free bytes of the disk that are reserved: quotes, keys and waitlist entries are refused first, then new
 * payments. Paid orders are settled to the last byte.
 */
export const ROOM = {
  offers_bytes: 64 * 1024 * 1024,
  payments_bytes: 32 * 1024 * 1024,
} as const;

/** "48 hours", "7 days", for sentences. */
export const span = (ms: number): string =>
  ms % DAY_MS === 0 && ms > 2 * DAY_MS
    ? `${ms / DAY_MS} days`
    : `${ms / HOUR_MS} ${ms === HOUR_MS ? "hour" : "hours"}`;

/** A time on the wire: ISO 8601 UTC with milliseconds (contract §0). */
export const iso = (ms: number): string => new Date(ms).toISOString();

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
