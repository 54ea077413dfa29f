import { LIMITS } from "./policy.ts";
import type { Problem } from "./problem.ts";

export type { Problem } from "./problem.ts";

/**
 * Every way the service says no, as data: the one list behind problem+json answers, MCP tool errors
 * and the page at `/errors` (contract §11).
 */
interface ErrorKind {
  status: number;
  title: string;
  /** True where sending the very same request again later can succeed. */
  retryable: boolean;
  /** What to do next, for the page at `/errors` and as a last resort in answers. */
  help: string;
}

const kind = (status: number, title: string, help: string, retryable = false): ErrorKind => ({
  status,
  title,
  help,
  retryable,
});

export const ERRORS = {
  MALFORMED_REQUEST: kind(400, "Malformed request", "Send a valid HTTP/1.1 request."),
  HEADERS_TOO_LARGE: kind(
    431,
    "Address or headers too large",
    "Send an address and headers of under 16 KiB together; texts go into a body.",
  ),
  MALFORMED_JSON: kind(
    400,
    "Malformed JSON",
    "Send one JSON object, UTF-8, with no trailing text.",
  ),
  IDEMPOTENCY_KEY_REQUIRED: kind(
    400,
    "Idempotency key required",
    "Send {idempotency_key} with every write: 1 to 255 visible ASCII characters, a new one per intent, " +
      "the same one when you retry it.",
  ),
  UNAUTHENTICATED: kind(401, "No valid key", "Register with {register_agent} and send {api_key}."),
  KEY_REVOKED: kind(401, "Key revoked", "The merchant has revoked this key. Write to support."),
  GEISHA_LOCKED: kind(
    403,
    "This bean is locked",
    "Earn a finder key by good questions, with your key, to {ask}; then send it as {finder_key}.",
  ),
  FINDER_KEY_INVALID: kind(
    403,
    "Finder key not valid",
    "The finder key is unknown, expired, revoked or another agent's. Earn a new one with {ask}.",
  ),
  ORIGIN_REFUSED: kind(
    403,
    "Foreign origin",
    "Open the page from its own address and send the form from there.",
  ),
  HOST_REFUSED: kind(
    403,
    "Foreign host name",
    "Call the shop by the address in its links; other names it should know go into ALLOWED_HOSTS.",
  ),
  NOT_FOUND: kind(
    404,
    "Not found",
    "Check the id. Only what this key has created can be seen with it.",
  ),
  ORDER_NOT_READY: kind(
    404,
    "Not ordered yet",
    "The buyer has not paid yet. Give the buyer the review link, then ask again.",
    true,
  ),
  METHOD_NOT_ALLOWED: kind(
    405,
    "Method not allowed",
    "Use one of the methods in the Allow header.",
  ),
  NOT_ACCEPTABLE: kind(406, "Not acceptable", "Accept application/json."),
  API_KEY_ALREADY_ISSUED: kind(
    409,
    "Key already issued",
    "A key is shown once. Register again with a new {idempotency_key} if it was lost.",
  ),
  ALREADY_WAITING: kind(
    409,
    "Already waiting",
    "There is an entry for this bean and buyer: read it, or leave it before joining again.",
  ),
  CANCEL_REQUEST_OPEN: kind(
    409,
    "Cancellation already requested",
    "Wait for the merchant's decision.",
  ),
  IDEMPOTENCY_IN_FLIGHT: kind(
    409,
    "The same request is under way",
    "Wait for as many seconds as retry_after says, and send it again with the same {idempotency_key}.",
    true,
  ),
  ILLEGAL_STEP: kind(
    409,
    "Not a possible step",
    "Read the current status; statuses only move forward.",
  ),
  BAGS_HELD: kind(
    409,
    "Bags held by another payment",
    "Others are paying for these bags right now. Press pay again after retry_after seconds.",
    true,
  ),
  COURTESY_HELD: kind(
    409,
    "Courtesy held by another payment",
    "Press pay again after retry_after seconds, or pay the same order without the courtesy.",
    true,
  ),
  IN_STOCK: kind(409, "In stock", "There are enough bags: request a quote instead of waiting."),
  OUT_OF_STOCK: kind(409, "Out of stock", "Take fewer bags or choose another bean."),
  QUOTE_ALREADY_PAID: kind(409, "Already paid", "Read the order of this quote."),
  QUOTE_EXPIRED: kind(409, "Quote expired", "Request a new quote."),
  QUOTE_HASH_MISMATCH: kind(
    409,
    "Wrong quote hash",
    "Read the quote again, show it to the buyer, and send the quote_hash it carries.",
  ),
  QUOTE_NOT_PAYABLE: kind(409, "Quote cannot be paid", "Request a new quote."),
  REQUEST_TIMEOUT: kind(
    408,
    "Request not complete in time",
    "Send the request again, all of it at once.",
    true,
  ),
  PAYLOAD_TOO_LARGE: kind(413, "Body too large", "Send compact JSON of at most 128 KiB, in UTF-8."),
  UNSUPPORTED_MEDIA_TYPE: kind(
    415,
    "Unsupported media type",
    "Send Content-Type: application/json.",
  ),
  VALIDATION_FAILED: kind(
    422,
    "Not valid",
    "Correct every field named in errors and send it again.",
  ),
  IDEMPOTENCY_CONFLICT: kind(
    422,
    "Key used for another request",
    "Use a new {idempotency_key} for a new intent; the same one only for the same request.",
  ),
  DISCOUNT_CODE_INVALID: kind(
    422,
    "Unknown discount code",
    "Leave discount_code out, or correct it.",
  ),
  DISCOUNT_NOT_ELIGIBLE: kind(
    422,
    "Discount not available",
    "This code cannot be used for this buyer. Leave discount_code out.",
  ),
  LIMIT_EXCEEDED: kind(
    422,
    "Over a limit",
    "Stay within the limits in {agent_info}, or send a bulk lead with {send_bulk_lead}.",
  ),
  SECRET_IN_MESSAGE: kind(
    422,
    "Secret in the text",
    "Take card numbers, keys and passwords out of the text. Nothing was stored.",
  ),
  WAITLIST_NOT_OFFERED: kind(
    422,
    "No waitlist for this bean",
    "Only beans with availability WAITLIST have one. Order it, or choose another.",
  ),
  RATE_LIMITED: kind(429, "Too many requests", "Wait for retry_after seconds.", true),
  INTERNAL: kind(
    500,
    "Something failed here",
    "Try again later with the same {idempotency_key}.",
    true,
  ),
  PROVIDER_UNAVAILABLE: kind(
    503,
    "The payment provider does not answer",
    "Try again in a moment; nothing was charged.",
    true,
  ),
  STORE_UNAVAILABLE: kind(503, "The store does not answer", "Try again in a moment.", true),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** A sensible next step: `action` names the tool and the endpoint (contract §0). */
export interface NextStep {
  action: string;
  why: string;
}

/** A refusal. Its detail is written for the caller: no internals, and what to do next. */
export class MerchantError extends Error {
  readonly code: ErrorCode;
  /** As many as an answer tells. */
  readonly problems: Problem[];
  /** How many there are besides. */
  readonly moreProblems: number;
  readonly next: NextStep[];
  /** The very same request can succeed later. */
  readonly retryable: boolean;
  /** Whole seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      problems?: Problem[];
      moreProblems?: number;
      next?: NextStep[];
      retryAfter?: number;
      /** Where it depends on more than the code. */
      retryable?: boolean;
    } = {},
  ) {
    super(detail);
    this.name = "MerchantError";
    this.code = code;
    const problems = more.problems ?? [];
    this.problems = problems.slice(0, LIMITS.problems);
    this.moreProblems = (more.moreProblems ?? 0) + problems.length - this.problems.length;
    this.next = more.next ?? [];
    this.retryAfter = more.retryAfter;
    this.retryable = more.retryable ?? ERRORS[code].retryable;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
