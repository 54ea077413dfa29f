import { z } from "zod";
import { answer, EmailAddress, Minor, NextSteps, Time } from "../../core/answer.ts";
import { type Io, isNoBound, jsonSchema } from "../../core/json-schema.ts";
import { span, TIMES } from "../../core/policy.ts";

export type Json = Record<string, unknown>;

/** Collects schemas with an id as components. Other schemas are inlined. */
export class Components {
  readonly schemas: Json = {};
  readonly parameters: Json = {};

  of(schema: z.ZodType, io: Io): Json {
    const { $schema: _, $defs = {}, ...json } = jsonSchema(schema, io);
    for (const [id, found] of Object.entries($defs as Json)) {
      this.schemas[id] ??= lean(moved(omit(found as Json, "id", "$schema")));
    }
    const { id, ...rest } = lean(moved(json)) as Json & { id?: string };
    if (id === undefined) return rest;
    this.schemas[id] ??= rest;
    return { $ref: `#/components/schemas/${id}` };
  }

  /** Describes a path's id once for all paths. */
  parameter(name: string, described: Json): Json {
    this.parameters[name] ??= described;
    return { $ref: `#/components/parameters/${name}` };
  }

  /** Adds one example to this shape. */
  example(schema: z.ZodType, value: unknown): void {
    const shape = this.schemas[String(schema.meta()?.id)] as Json;
    shape.examples ??= [value];
  }
}

export const omit = (value: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** Points zod's $defs to the components. */
const moved = (json: Json): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

/** Descriptions that the document's own description covers. */
const COVERED = new Set([Minor, EmailAddress, Time].map(({ description }) => description));

/** Drops meaningless bounds, and descriptions that the whole document covers. */
function lean<T>(json: T): T {
  if (Array.isArray(json)) return json.map(lean) as T;
  if (typeof json !== "object" || json === null) return json;
  const open = Object.keys((json as Json).properties ?? {}).length > 0 && "additionalProperties";
  const entries = Object.entries(json).filter(
    ([key, value]) => !isNoise(key, value) && !(key === open && JSON.stringify(value) === "{}"),
  );
  const isTime = (json as Json).description === Time.description;
  return {
    ...Object.fromEntries(
      entries.map(([key, value]) => [key, key === "description" ? once(value) : lean(value)]),
    ),
    ...(isTime && { format: "date-time" }),
  } as T;
}

/** Drops "tolerate new values", which the document says once. A field may be called description. */
const once = (value: unknown): unknown =>
  typeof value === "string" ? value.replace(/;? tolerate new (values|types)\b/, "") : lean(value);

const isNoise = (key: string, value: unknown): boolean =>
  isNoBound(key, value) || (key === "description" && COVERED.has(String(value)));

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

/** Body of every refusal: `ProblemBody`. */
export const ProblemAnswer = answer({
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
