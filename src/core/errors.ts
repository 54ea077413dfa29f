import { LIMITS } from "./policy.ts";

/** One mistake in a request. `pointer` is a JSON Pointer into the input, even for a path or query parameter. */
export interface Problem {
  pointer: string;
  /** Over HTTP: name of the path or query parameter, if it was not sent in the body. */
  parameter?: string;
  code: string;
  /** Expected value, and how to correct it. */
  detail: string;
  /** The received value in a few characters. */
  received?: string;
  /** Pointer to the field that an unknown one probably means; otherwise the nearest valid value. */
  did_you_mean?: string;
}

/**
 * Every error of the service: the source of problem+json responses, MCP tool errors and the page
 * `/errors` (contract §11). The first sentence is the title, the rest is the next step.
 */
const BY_STATUS = {
  400: {
    MALFORMED_REQUEST: "Malformed request. Send a valid HTTP/1.1 request.",
    MALFORMED_JSON: "Malformed JSON. Send one JSON object, UTF-8, with no trailing text.",
    IDEMPOTENCY_KEY_REQUIRED:
      "Idempotency key required. Send one with every write: 1 to 255 visible ASCII characters, a " +
      "new one per intent, the same one when you retry it.",
  },
  401: {
    UNAUTHENTICATED: "No valid key. Register for one, and send it with every call.",
    KEY_REVOKED: "Key revoked. The merchant has revoked this key. Write to support.",
  },
  403: {
    GEISHA_LOCKED:
      "Bean locked. Earn a finder key by asking good questions with your API key. Then send it with " +
      "quote and checkout.",
    FINDER_KEY_INVALID:
      "Invalid finder key. It is unknown, expired, revoked or another agent's. Earn a new one " +
      "by asking good questions.",
    ORIGIN_REFUSED:
      "Foreign origin. Open the page at its own address and send the form from there.",
    HOST_REFUSED:
      "Unknown host name. Use the address in the shop's links. The operator can allow other names " +
      "with ALLOWED_HOSTS.",
  },
  404: {
    NOT_FOUND: "Not found. Check the id. Only what this key has created can be seen with it.",
    ORDER_NOT_READY:
      "Not ordered yet. The buyer has not paid. Give the buyer the review link, then read the order " +
      "again.",
  },
  405: { METHOD_NOT_ALLOWED: "Method not allowed. Use one of the methods in the Allow header." },
  406: { NOT_ACCEPTABLE: "Not acceptable. Accept application/json." },
  408: {
    REQUEST_TIMEOUT: "Request timed out. Send the whole request again at once.",
  },
  409: {
    API_KEY_ALREADY_ISSUED:
      "Key already issued. A key is shown once. Register again with a new idempotency key if " +
      "it was lost.",
    CANCEL_REQUEST_OPEN: "Cancellation already requested. Wait for the merchant's decision.",
    IDEMPOTENCY_IN_FLIGHT:
      "Request in progress. Wait retry_after seconds, then send it again with the same " +
      "idempotency key.",
    ILLEGAL_STEP: "Step not possible. Read the current status; statuses only move forward.",
    IN_STOCK: "In stock. There are enough bags: request a quote instead of waiting.",
    OUT_OF_STOCK: "Out of stock. Take fewer bags or choose another bean.",
    QUOTE_ALREADY_PAID: "Already paid. Read the order of this quote.",
    QUOTE_EXPIRED: "Quote expired. Request a new quote.",
    QUOTE_HASH_MISMATCH:
      "Wrong quote hash. Read the quote again, show it to the buyer, and send its quote_hash.",
    SHOP_PAUSED:
      "Shop on a break. Tell the buyer the day in reopens_on; quotes and payments work again then.",
    QUOTE_NOT_PAYABLE: "Quote cannot be paid. Request a new quote.",
  },
  413: { PAYLOAD_TOO_LARGE: "Body too large. Send compact JSON of at most 128 KiB, in UTF-8." },
  415: {
    UNSUPPORTED_MEDIA_TYPE:
      "Unsupported media type. Send Content-Type: application/json, in UTF-8 and without Content-Encoding.",
  },
  422: {
    VALIDATION_FAILED: "Invalid input. Correct every field in errors, then send it again.",
    IDEMPOTENCY_CONFLICT:
      "Key used for another request. Use a new idempotency key for each intent, and the same one " +
      "only for retries.",
    DISCOUNT_CODE_INVALID: "Unknown discount code. Leave discount_code out, or correct it.",
    DISCOUNT_NOT_ELIGIBLE:
      "Discount not available. This code cannot be used for this buyer. Leave discount_code out.",
    LIMIT_EXCEEDED: "Over a limit. Stay within the published limits, or send a bulk lead.",
    SECRET_IN_MESSAGE:
      "Secret in the text. Take card numbers, keys and passwords out of the text. Nothing was " +
      "stored.",
    WAITLIST_NOT_OFFERED:
      "No waitlist for this bean. Only beans with availability WAITLIST have one. Order it, or " +
      "choose another.",
  },
  429: { RATE_LIMITED: "Too many requests. Wait retry_after seconds." },
  431: {
    HEADERS_TOO_LARGE:
      "URL or headers too large. Keep them under 16 KiB together, and send texts in the body.",
  },
  500: { INTERNAL: "Internal error. Try again later with the same idempotency key." },
  503: {
    PROVIDER_UNAVAILABLE:
      "The payment provider does not answer. Try again in a moment; nothing was charged.",
    STORE_UNAVAILABLE: "The store does not answer. Try again in a moment.",
  },
} as const satisfies Record<number, Record<string, string>>;

type ByStatus = typeof BY_STATUS;

export type ErrorCode = { [S in keyof ByStatus]: keyof ByStatus[S] }[keyof ByStatus];

/** The same request can succeed later. */
const RETRYABLE: ReadonlySet<string> = new Set<ErrorCode>([
  "ORDER_NOT_READY",
  "IDEMPOTENCY_IN_FLIGHT",
  "REQUEST_TIMEOUT",
  "RATE_LIMITED",
  "INTERNAL",
  "PROVIDER_UNAVAILABLE",
  "STORE_UNAVAILABLE",
]);

export const ERRORS = Object.fromEntries(
  Object.entries(BY_STATUS).flatMap(([status, kinds]) =>
    Object.entries<string>(kinds).map(([code, text]) => {
      const [title, ...help] = text.split(". ");
      const retryable = RETRYABLE.has(code);
      return [code, { status: Number(status), title, help: help.join(". "), retryable }];
    }),
  ),
) as Record<ErrorCode, { status: number; title: string; help: string; retryable: boolean }>;

/** A step before an interface has named it (contract §0). `action`: a tool, or what somebody does. */
export interface NextStep {
  action: string;
  /** The tool's endpoint, such as "GET /v1/orders/ord_1". */
  http?: string;
  why: string;
  /** The credential that this step takes. Each interface adds to `why` where to send it. */
  sends?: "idempotency_key" | "finder_key";
}

/** A refusal. Its detail is for the caller: no internals, and the next step. */
export class MerchantError extends Error {
  readonly code: ErrorCode;
  /** At most LIMITS.problems. */
  readonly problems: Problem[];
  /** Number of problems beyond those. */
  readonly moreProblems: number;
  readonly next: NextStep[];
  /** A minimal complete input, if the sent one has the wrong shape. */
  readonly example: object | undefined;
  /** The same request can succeed later. */
  readonly retryable: boolean;
  /** Whole seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** Day on which a paused shop reopens. */
  readonly reopensOn: string | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      problems?: Problem[];
      /** JSON Pointer to the only mistake, which `detail` explains. */
      at?: string;
      moreProblems?: number;
      next?: NextStep[];
      example?: object;
      retryAfter?: number;
      reopensOn?: string;
      /** Overrides the code's default. */
      retryable?: boolean;
    } = {},
  ) {
    super(detail);
    this.name = "MerchantError";
    this.code = code;
    const one = more.at === undefined ? [] : [{ pointer: more.at, code, detail }];
    const problems = more.problems ?? one;
    this.problems = problems.slice(0, LIMITS.problems);
    this.moreProblems = (more.moreProblems ?? 0) + problems.length - this.problems.length;
    this.next = more.next ?? [];
    this.example = more.example;
    this.retryAfter = more.retryAfter;
    this.reopensOn = more.reopensOn;
    this.retryable = more.retryable ?? ERRORS[code].retryable;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** A refusal with a reason and next steps only. */
export const refusal = (code: ErrorCode, detail: string, ...next: NextStep[]): MerchantError =>
  new MerchantError(code, detail, { next });

/** Refuses a step that the current state does not allow. */
export const illegalStep = (detail: string, ...next: NextStep[]): MerchantError =>
  refusal("ILLEGAL_STEP", detail, ...next);

export const unknownTo = (what: string): MerchantError =>
  new MerchantError("NOT_FOUND", `There is no such ${what}.`);
