import { STATUS_CODES } from "node:http";
import { ERRORS, type ErrorCode } from "../../core/errors.ts";
import type { Operation } from "../operation.ts";
import { headers, type Json } from "./components.ts";

const WITH_A_KEY: readonly ErrorCode[] = ["UNAUTHENTICATED", "KEY_REVOKED"];

const OF_A_WRITE: readonly ErrorCode[] = ["IDEMPOTENCY_CONFLICT", "IDEMPOTENCY_IN_FLIGHT"];

const COMMON: readonly ErrorCode[] = [...WITH_A_KEY, ...OF_A_WRITE, "VALIDATION_FAILED"];

const commonOf = (op: Operation): ErrorCode[] => [
  ...(op.access === "public" ? [] : WITH_A_KEY),
  ...(op.effect === "write" ? OF_A_WRITE : []),
  "VALIDATION_FAILED",
];

/** Codes that set each header. */
const HEADERS_OF: Record<string, readonly ErrorCode[]> = {
  "WWW-Authenticate": ["UNAUTHENTICATED"],
  RateLimit: ["RATE_LIMITED"],
  "RateLimit-Policy": ["RATE_LIMITED"],
  "Retry-After": ["RATE_LIMITED", "IDEMPOTENCY_IN_FLIGHT"],
};

/** Codes that any operation can return, in its `default` response. */
const DEFAULT: readonly ErrorCode[] = [
  "MALFORMED_JSON",
  "IDEMPOTENCY_KEY_REQUIRED",
  "RATE_LIMITED",
  "NOT_ACCEPTABLE",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "INTERNAL",
  "STORE_UNAVAILABLE",
];

/** Name of the shared response of a status. */
const nameOf = (status: number): string => `Problem${status}`;

const inWords = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `${code}: ${ERRORS[code].title}.`).join(" ");

/** Describes the common codes of each error status once. */
export function sharedResponses(operations: readonly Operation[]): Json {
  const codes = new Set([...COMMON, ...operations.flatMap(({ errors }) => errors)]);
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const shared = [...byStatus]
    .filter(([, found]) => !found.every((code) => DEFAULT.includes(code)))
    .map(([status, found]): [string, Json] => {
      const usual = inWords(found.filter((code) => COMMON.includes(code)));
      return [nameOf(status), problem(usual || STATUS_CODES[status]!, headersOf(found))];
    });
  return { ...Object.fromEntries(shared), Problem: problem(inWords(DEFAULT), headersOf(DEFAULT)) };
}

const problem = (description: string, more: Json): Json => ({
  description,
  ...more,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

function headersOf(codes: readonly ErrorCode[]): Json {
  const names = Object.keys(HEADERS_OF).filter((name) =>
    HEADERS_OF[name]!.some((code) => codes.includes(code)),
  );
  return names.length > 0 ? { headers: headers(...names) } : {};
}

/** Error responses of an operation, with its own codes beside the reference. */
export function errorResponses(op: Operation): Json {
  const codes = new Set([...op.errors, ...commonOf(op)]);
  const own = [...codes].filter((code) => !DEFAULT.includes(code));
  const byStatus = Map.groupBy(own, (code) => ERRORS[code].status);
  const refusals = [...byStatus].map(([status, found]) => [status, refusal(status, found)]);
  return { ...Object.fromEntries(refusals), default: DEFAULT_REFUSAL };
}

export const DEFAULT_REFUSAL: Json = { $ref: "#/components/responses/Problem" };

/** In OpenAPI 3.1 a description beside a reference overrides it. */
export function refusal(status: number, codes: readonly ErrorCode[]): Json {
  const usual = COMMON.filter((code) => ERRORS[code].status === status);
  const same = usual.length === codes.length && codes.every((code) => usual.includes(code));
  return {
    $ref: `#/components/responses/${nameOf(status)}`,
    ...(!same && { description: codes.join(", ") }),
  };
}
