import { ERRORS, type ErrorCode } from "../../domain/shared/errors.ts";
import { jsonSchema } from "../../domain/shared/json-schema.ts";
import { type Operation, pathParameters } from "../../operations/operation.ts";
import { type Components, omit } from "./components.ts";
import type { Examples } from "./examples.ts";
import { header, type Json } from "./parts.ts";

/** One operation as OpenAPI has it. */
export function describe(op: Operation, components: Components, examples: Examples): Json {
  const { method, status } = op.http;
  const parameters = [...inputParameters(op), ...headerParameters(op)];
  const { request, response } = examples[op.name] ?? {};
  return {
    operationId: op.name,
    summary: op.title,
    description: op.description,
    tags: [op.tag],
    security: { public: [], agent: [{ api_key: [] }], optional: [{}, { api_key: [] }] }[op.access],
    ...(parameters.length > 0 && { parameters }),
    ...(method === "POST" && { requestBody: requestBody(op, components, request) }),
    responses: {
      [status]: {
        description: op.title,
        headers: responseHeaders(op),
        content: {
          "application/json": {
            schema: components.of(op.output, "output"),
            ...(response !== undefined && { example: response }),
          },
        },
      },
      ...errorResponses(op),
    },
  };
}

function requestBody(op: Operation, components: Components, example: unknown): Json {
  const names = pathParameters(op.http.path);
  const { properties, required, ...schema } = components.of(op.input, "input") as Json & {
    properties: Json;
    required?: string[];
  };
  const body = {
    ...schema,
    properties: omit(properties, ...names),
    ...(required && { required: required.filter((name) => !names.includes(name)) }),
  };
  const content = { schema: body, ...(example !== undefined && { example }) };
  return { required: true, content: { "application/json": content } };
}

function inputParameters(op: Operation): Json[] {
  const inPath = pathParameters(op.http.path);
  const { properties = {}, required = [] } = jsonSchema(op.input, "input") as {
    properties?: Json;
    required?: string[];
  };
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
  ...(op.takesFinderKey ? [{ $ref: "#/components/parameters/FinderKey" }] : []),
];

const REQUEST_ID = { "Request-Id": header("The id of this request.") };

const RATE_LIMIT = {
  RateLimit: header("What is left of the tightest limit."),
  "RateLimit-Policy": header("That limit."),
};

const responseHeaders = (op: Operation): Json => ({
  ...REQUEST_ID,
  ...RATE_LIMIT,
  ...(op.effect === "write" && {
    "Idempotent-Replayed": header('"true" where this is the repeat of an earlier answer.'),
  }),
});

const errorHeaders = (status: number, codes: readonly ErrorCode[]): Json => ({
  ...REQUEST_ID,
  ...(status === 401 && { "WWW-Authenticate": header("Bearer, and whether a key was bad.") }),
  ...(status === 429 && RATE_LIMIT),
  ...(codes.some((code) => WAITS.has(code)) && { "Retry-After": header("Seconds to wait.") }),
});

/** Refusals that say when to come back. */
const WAITS = new Set<ErrorCode>([
  "RATE_LIMITED",
  "IDEMPOTENCY_IN_FLIGHT",
  "STORE_UNAVAILABLE",
  "INTERNAL",
]);

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

function errorResponses(op: Operation): Json {
  const codes = [...new Set([...op.errors, ...commonErrors(op)])];
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const schema = { $ref: "#/components/schemas/Problem" };
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, found]) => [
        status,
        {
          description: found.map((code) => `${code}: ${ERRORS[code].title}.`).join(" "),
          headers: errorHeaders(status, found),
          content: { "application/problem+json": { schema } },
        },
      ]),
  );
}
