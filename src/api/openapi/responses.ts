import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import { answer, NextSteps } from "../../core/answer.ts";
import { ERRORS, type ErrorCode } from "../../core/errors.ts";
import type { Operation } from "../operation.ts";

const header = (description: string) => ({ description, schema: { type: "string" as const } });

export const HEADERS = {
  RateLimit: header("What is left of the tightest limit."),
  "RateLimit-Policy": header("That limit."),
  "Retry-After": header("Seconds to wait."),
  "WWW-Authenticate": header("Bearer, and whether a key was bad."),
  Location: header("Address of the new resource or page."),
};

type HeaderName = keyof typeof HEADERS;

/** References to headers, by their names. */
export const headers = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

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

type Refusing = Pick<Operation, "errors" | "access" | "effect">;

/** Other codes of an operation, by status. */
function codesByStatus({ errors, access, effect }: Refusing): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...errors,
    ...(access === "public" ? [] : (["UNAUTHENTICATED", "KEY_REVOKED"] as const)),
    ...(effect === "write" ? (["IDEMPOTENCY_CONFLICT", "IDEMPOTENCY_IN_FLIGHT"] as const) : []),
    "VALIDATION_FAILED",
  ]);
  const own = [...codes].filter((code) => !DEFAULT.includes(code));
  return Map.groupBy(own, (code) => ERRORS[code].status);
}

/** Error responses of an operation. In OpenAPI 3.1 a description beside a reference overrides it. */
export const errorResponses = (op: Refusing) => ({
  ...Object.fromEntries(
    [...codesByStatus(op)].map(([status, codes]) => [
      status,
      { ...shared(status), description: codes.join(", ") },
    ]),
  ),
  default: DEFAULT_REFUSAL,
});

const shared = (status: number | "") => ({ $ref: `#/components/responses/Problem${status}` });

export const DEFAULT_REFUSAL = shared("");

const HEADERS_OF: Record<number, HeaderName[]> = {
  401: ["WWW-Authenticate"],
  409: ["Retry-After"],
};

/** One response for each error status. */
export function sharedResponses(operations: readonly Operation[]) {
  const statuses = new Set(operations.flatMap((op) => [...codesByStatus(op).keys()]));
  const byStatus = [...statuses].map((status) => [
    `Problem${status}`,
    problem(STATUS_CODES[status]!, HEADERS_OF[status]),
  ]);
  return {
    ...Object.fromEntries(byStatus),
    Problem: problem(DEFAULT.join(", "), ["RateLimit", "RateLimit-Policy", "Retry-After"]),
  };
}

const problem = (description: string, names: HeaderName[] = []): ZodOpenApiResponseObject => ({
  description,
  ...(names.length > 0 && { headers: headers(...names) }),
  content: { "application/problem+json": { schema: ProblemAnswer } },
});

const text = (about: string) => z.string().describe(about);

/** Body of every refusal: `ProblemBody`. */
const ProblemAnswer = answer({
  type: text("The page that explains the code."),
  title: text("The same for every error of this code."),
  status: z.int(),
  detail: text("What is wrong here, and what to do."),
  code: text("One of those at /errors; tolerate new ones."),
  retryable: z.boolean().describe("The very same request can succeed later."),
  reopens_on: z.iso.date().describe("Day on which a paused shop reopens.").optional(),
  retry_after: z.int().describe("Seconds to wait.").optional(),
  example: z.looseObject({}).describe("A minimal complete input.").optional(),
  errors: z.array(
    answer({
      pointer: text("RFC 6901 JSON Pointer into the input."),
      parameter: text("The parameter of path or query that it was sent in.").optional(),
      code: text("What kind of problem."),
      detail: text("What is expected, and what to do."),
      received: text("The rejected value, shortened.").optional(),
      did_you_mean: text(
        "The field that an unknown one was meant to be, as a pointer; otherwise the nearest right value.",
      ).optional(),
    }),
  ),
  more_errors: z.int().describe("Number of problems left out of `errors`.").optional(),
  next: NextSteps,
  request_id: text("Include it when you ask for help."),
})
  .describe("RFC 9457. `code` is stable; all problems of a request come at once in `errors`.")
  .meta({ id: "Problem" });
