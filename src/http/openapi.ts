import { z } from "zod";
import { ERRORS, type ErrorCode } from "../domain/errors.ts";
import { CONTRACT_VERSION } from "../domain/policy.ts";
import { type Operation, pathParameters } from "../operation.ts";
import { EXTRA_PATHS, EXTRA_SCHEMAS } from "./openapi-extra.ts";

type Json = Record<string, unknown>;

/** What any operation of this kind may answer besides its own errors. */
function commonErrors(op: Operation): ErrorCode[] {
  return [
    ...(op.access === "public" ? [] : (["UNAUTHENTICATED", "KEY_REVOKED"] as const)),
    ...(op.effect === "write"
      ? ([
          "MALFORMED_JSON",
          "IDEMPOTENCY_KEY_REQUIRED",
          "IDEMPOTENCY_CONFLICT",
          "IDEMPOTENCY_IN_FLIGHT",
          "PAYLOAD_TOO_LARGE",
          "UNSUPPORTED_MEDIA_TYPE",
        ] as const)
      : []),
    "NOT_ACCEPTABLE",
    "VALIDATION_FAILED",
    "RATE_LIMITED",
    "INTERNAL",
    "STORE_UNAVAILABLE",
  ];
}

/**
 * The machine-readable description at /openapi.json (SPEC §4): OpenAPI 3.1, made from the operations
 * and, for odd HTTP such as quick checkout's redirect, from EXTRA_PATHS, which wins.
 */
export function openapi(operations: readonly Operation[], baseUrl: string): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    if (op.http.path in EXTRA_PATHS) continue;
    const route = { [op.http.method.toLowerCase()]: describe(op, components) };
    paths[op.http.path] = { ...paths[op.http.path], ...route };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Coffee merchant agent service",
      version: CONTRACT_VERSION,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: TAGS.map((name) => ({ name })),
    paths: { ...paths, ...EXTRA_PATHS },
    components: {
      schemas: { ...components.schemas, ...EXTRA_SCHEMAS, Problem: PROBLEM },
      parameters: PARAMETERS,
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description: "The key of POST /v1/agents/register.",
        },
      },
    },
  };
}

const DESCRIPTION =
  "Agents quote roasted coffee; people pay. Amounts are integer minor units (cents) of usd in fields " +
  "ending in _minor. Times are ISO 8601 UTC with milliseconds. Statuses, codes and event types are " +
  "open: tolerate new values, and new fields. Every POST and DELETE needs an Idempotency-Key. Errors " +
  "are application/problem+json with a stable `code`; see /errors. This is a local contract, not " +
  "certified against any external standard.";

const TAGS = ["Information", "Agents", "Quotes", "Orders", "Waitlist", "Messages"];

function tagOf({ http: { path } }: Operation): string {
  if (/quote/.test(path)) return "Quotes";
  if (/order/.test(path)) return "Orders";
  if (/waitlist/.test(path)) return "Waitlist";
  if (/agents/.test(path)) return "Agents";
  return /feedback|leads/.test(path) ? "Messages" : "Information";
}

/** Schemas with an id become components; every other is written in place. */
class Components {
  readonly schemas: Json = {};

  of(schema: z.ZodType, io: "input" | "output"): Json {
    const { $schema: _, $defs = {}, ...json } = z.toJSONSchema(schema, { io }) as Json;
    for (const [id, found] of Object.entries($defs as Json)) {
      this.schemas[id] = moved(without(found as Json, "id", "$schema"));
    }
    const { id, ...rest } = moved(json) as Json & { id?: string };
    if (id === undefined) return rest;
    this.schemas[id] = rest;
    return { $ref: `#/components/schemas/${id}` };
  }
}

const without = (value: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));

/** zod points into its own $defs; here the definitions live among the components. */
const moved = (json: Json): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;

function describe(op: Operation, components: Components): Json {
  const { method, status } = op.http;
  const parameters = [...inputParameters(op), ...headerParameters(op)];
  return {
    operationId: op.name,
    summary: op.title,
    description: op.description,
    tags: [tagOf(op)],
    security: { public: [], agent: [{ api_key: [] }], optional: [{}, { api_key: [] }] }[op.access],
    ...(parameters.length > 0 && { parameters }),
    ...(method === "POST" && { requestBody: requestBody(op, components) }),
    responses: {
      [status]: {
        description: op.title,
        headers: responseHeaders(op),
        content: { "application/json": { schema: components.of(op.output, "output") } },
      },
      ...errorResponses(op),
    },
  };
}

function requestBody(op: Operation, components: Components): Json {
  const names = pathParameters(op.http.path);
  const { properties, required, ...schema } = components.of(op.input, "input") as Json & {
    properties: Json;
    required?: string[];
  };
  const body = {
    ...schema,
    properties: without(properties, ...names),
    ...(required && { required: required.filter((name) => !names.includes(name)) }),
  };
  return { required: true, content: { "application/json": { schema: body } } };
}

function inputParameters(op: Operation): Json[] {
  const inPath = pathParameters(op.http.path);
  const { properties = {}, required = [] } = z.toJSONSchema(op.input, { io: "input" });
  return Object.entries(properties)
    .filter(([name]) => op.http.method !== "POST" || inPath.includes(name))
    .map(([name, property]) => {
      const { description, ...schema } = property as Json;
      const place = inPath.includes(name) ? "path" : "query";
      return {
        name,
        in: place,
        required: place === "path" || required.includes(name),
        ...(description !== undefined && { description }),
        schema,
      };
    });
}

const headerParameters = (op: Operation): Json[] => [
  ...(op.effect === "write" ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ...(op.errors.includes("GEISHA_LOCKED") ? [{ $ref: "#/components/parameters/FinderKey" }] : []),
];

const PARAMETERS = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: true,
    description:
      "New for every intent, the same when it is retried. 1 to 255 visible ASCII characters; kept 48 hours.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]+$" },
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

const responseHeaders = (op: Operation): Json => ({
  "Request-Id": header("The id of this request."),
  RateLimit: header("What is left of the tightest limit."),
  "RateLimit-Policy": header("That limit."),
  ...(op.effect === "write" && {
    "Idempotent-Replayed": header('"true" where this is the repeat of an earlier answer.'),
  }),
});

function errorResponses(op: Operation): Json {
  const codes = [...new Set([...op.errors, ...commonErrors(op)])];
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, found]) => [
        status,
        {
          description: found.map((code) => `${code}: ${ERRORS[code].title}.`).join(" "),
          headers: { "Request-Id": header("The id of this request.") },
          content: {
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
          },
        },
      ]),
  );
}

const text = (description: string): Json => ({ type: "string", description });

const PROBLEM: Json = {
  type: "object",
  description: "RFC 9457. `code` is stable; all problems of a request come at once in `errors`.",
  required: [
    "type",
    "title",
    "status",
    "detail",
    "code",
    "retryable",
    "errors",
    "next",
    "request_id",
  ],
  properties: {
    type: text("The page that explains the code."),
    title: text("The same for every error of this code."),
    status: { type: "integer" },
    detail: text("What is wrong here, and what to do."),
    code: { type: "string", description: "Tolerate new values.", examples: Object.keys(ERRORS) },
    retryable: { type: "boolean", description: "The very same request can succeed later." },
    retry_after: { type: "integer", description: "Seconds to wait." },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "code", "detail"],
        properties: {
          pointer: text("RFC 6901 JSON Pointer into the request."),
          code: text("What kind of problem."),
          detail: text("What to do about it."),
        },
      },
    },
    next: {
      type: "array",
      items: {
        type: "object",
        required: ["action", "why"],
        properties: { action: text("The tool and its endpoint."), why: text("Why.") },
      },
    },
    request_id: text("Quote it when asking for help."),
  },
};
