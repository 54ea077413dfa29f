import { z } from "zod";
import { answer, NextSteps } from "../../core/answer.ts";
import { span, TIMES } from "../../core/policy.ts";

export type Json = Record<string, unknown>;

export const PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "New for every intent, the same when it is retried. 1 to 255 visible ASCII characters; kept " +
      `${span(TIMES.idempotency_ms)}.`,
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]+$" },
    example: "b0a1e5c2-6f5e-4b60-9a0e-3f6e2c1d7a94",
  },
  FinderKey: {
    name: "Finder-Key",
    in: "header",
    required: false,
    description: "Opens the exclusive bean; earned by good questions at GET /v1/ask.",
    schema: { type: "string" },
  },
};

const header = (description: string): Json => ({ description, schema: { type: "string" } });

export const HEADERS: Record<string, Json> = {
  RateLimit: header("What is left of the tightest limit."),
  "RateLimit-Policy": header("That limit."),
  "Retry-After": header("Seconds to wait."),
  "WWW-Authenticate": header("Bearer, and whether a key was bad."),
  Location: header("Where to read what was made."),
};

/** References to headers, by their names. */
export const headers = (...names: (keyof typeof HEADERS)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const text = (about: string) => z.string().describe(about);

/** What every refusal answers: `ProblemBody`, for who reads the document. */
export const ProblemAnswer = answer({
  type: text("The page that explains the code."),
  title: text("The same for every error of this code."),
  status: z.int(),
  detail: text("What is wrong here, and what to do."),
  code: text("One of those at /errors; tolerate new ones."),
  retryable: z.boolean().describe("The very same request can succeed later."),
  retry_after: z.int().describe("Seconds to wait.").optional(),
  example: z.looseObject({}).describe("A minimal complete input.").optional(),
  errors: z.array(
    answer({
      pointer: text("RFC 6901 JSON Pointer into the input."),
      parameter: text("The parameter of path or query that it was sent in.").optional(),
      code: text("What kind of problem."),
      detail: text("What is expected, and what to do."),
      received: text("What came, in a few characters.").optional(),
      did_you_mean: text(
        "The field that an unknown one was meant to be, as a pointer; otherwise the nearest right value.",
      ).optional(),
    }),
  ),
  more_errors: z.int().describe("So many more problems than `errors` tells.").optional(),
  next: NextSteps,
  request_id: text("Quote it when asking for help."),
})
  .describe("RFC 9457. `code` is stable; all problems of a request come at once in `errors`.")
  .meta({ id: "Problem" });
