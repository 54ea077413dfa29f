/** The contract's numbers as literals: tests import most of them from the sources. */
import { expect, test } from "vitest";
import { ERRORS } from "../../src/core/errors.ts";
import {
  FIRST_ORDER,
  LIMITS,
  ORDER_TOTAL,
  RETENTION_DAYS,
  SPEND,
  TIMES,
} from "../../src/core/policy.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test("prices", () => {
  expect(FIRST_ORDER).toEqual({ code: "FIRSTBAG", percent: 20, cap_minor: 1000 });
  expect(SPEND).toEqual({ per_minor: 50_000, off_minor: 10_000 });
  expect(ORDER_TOTAL).toEqual({ min_minor: 50, max_minor: 99_999_999 });
  expect(DEFAULT_SHOP).toMatchObject({
    ...{ shipping_per_address_minor: 1000, free_shipping_from_minor: 4000, delivery_days: [5, 14] },
  });
});

test("times", () => {
  expect(TIMES).toEqual({
    ...{ session_ms: 40 * 60_000, processing_hold_ms: 14 * DAY, idempotency_ms: 48 * HOUR },
    ...{ waitlist_offer_ms: 48 * HOUR, waitlist_place_ms: 90 * DAY, finder_key_ms: 7 * DAY },
    ...{ mail_news_ms: 48 * HOUR, follow_ms: 14 * DAY, undo_ms: 10 * 60_000 },
    lost_registration_ms: 10 * 60_000,
  });
});

test("days that rows are kept", () => {
  expect(RETENTION_DAYS).toEqual({
    ...{ unused_keys: 7, unpaid_quotes: 30, checkouts: 1, finder_keys: 90, finder_progress: 90 },
    ...{ settled_webhooks: 30, sent_letters: 90, ended_waitlist_entries: 180 },
    ...{ feedback_and_leads: 730, sandbox_answers: 1, sandbox_sessions: 180 },
  });
});

test("sizes of requests", () => {
  expect(LIMITS).toMatchObject({
    ...{ quantity_per_line: 100, bags_per_order: 250, shipments_per_order: 50 },
    ...{ lines_per_shipment: 20, waitlist_bags: 20, cancel_requests_per_order: 20 },
    ...{ gift_note_characters: 200, feedback_characters: 2000, cancel_message_characters: 500 },
    ...{ question_characters: 500, body_bytes: 131_072, shipments_bytes: 122_880 },
    ...{ idempotency_key_characters: 255, email_characters: 254, problems: 50 },
  });
});

test("statuses of errors, and which can be retried unchanged", () => {
  const statuses = Object.groupBy(Object.entries(ERRORS), ([, { status }]) => status);
  const codes = Object.entries(statuses).map(([status, rows]) => [
    Number(status),
    rows!.map(([code]) => code).sort(),
  ]);
  expect(Object.fromEntries(codes)).toEqual({
    400: ["IDEMPOTENCY_KEY_REQUIRED", "MALFORMED_JSON", "MALFORMED_REQUEST"],
    401: ["KEY_REVOKED", "UNAUTHENTICATED"],
    403: ["FINDER_KEY_INVALID", "GEISHA_LOCKED", "HOST_REFUSED", "ORIGIN_REFUSED"],
    404: ["NOT_FOUND", "ORDER_NOT_READY"],
    405: ["METHOD_NOT_ALLOWED"],
    406: ["NOT_ACCEPTABLE"],
    408: ["REQUEST_TIMEOUT"],
    409: [
      ...["API_KEY_ALREADY_ISSUED", "CANCEL_REQUEST_OPEN", "IDEMPOTENCY_IN_FLIGHT"],
      ...["ILLEGAL_STEP", "IN_STOCK", "OUT_OF_STOCK", "QUOTE_ALREADY_PAID", "QUOTE_EXPIRED"],
      ...["QUOTE_HASH_MISMATCH", "QUOTE_NOT_PAYABLE", "SHOP_PAUSED"],
    ],
    413: ["PAYLOAD_TOO_LARGE"],
    415: ["UNSUPPORTED_MEDIA_TYPE"],
    422: [
      ...["DISCOUNT_CODE_INVALID", "DISCOUNT_NOT_ELIGIBLE", "IDEMPOTENCY_CONFLICT"],
      ...["LIMIT_EXCEEDED", "SECRET_IN_MESSAGE", "VALIDATION_FAILED", "WAITLIST_NOT_OFFERED"],
    ],
    429: ["RATE_LIMITED"],
    431: ["HEADERS_TOO_LARGE"],
    500: ["INTERNAL"],
    503: ["PROVIDER_UNAVAILABLE", "STORE_UNAVAILABLE"],
  });
  const retryable = Object.entries(ERRORS).flatMap(([code, row]) => (row.retryable ? [code] : []));
  expect(retryable.sort()).toEqual([
    ...["IDEMPOTENCY_IN_FLIGHT", "INTERNAL", "ORDER_NOT_READY", "PROVIDER_UNAVAILABLE"],
    ...["RATE_LIMITED", "REQUEST_TIMEOUT", "STORE_UNAVAILABLE"],
  ]);
});
