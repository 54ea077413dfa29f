import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { jsonSchema } from "../../core/json-schema.ts";
import { span, TIMES } from "../../core/policy.ts";
import { pathParameters } from "../../web/http-request.ts";
import { idsIn, locationOf, type Operation } from "../operation.ts";
import { errorResponses, headers } from "./responses.ts";

/** Operations whose responses get an example: a purchase from its quote to its order. */
const SHOWN = new Set(["request_quote", "create_checkout", "get_order", "list_order_events"]);

const SECURITY = {
  public: { security: [] },
  agent: {},
  optional: { security: [{}, { api_key: [] }] },
};

/** Describes one operation. */
export function describe(
  op: Operation,
  operations: readonly Operation[],
  { request, response }: Example = {},
): ZodOpenApiOperationObject {
  const { method, path, status } = op.http;
  const names = pathParameters(path);
  const inPath = pick(op.input, (name) => names.includes(name));
  const inQuery = pick(op.input, (name) => method !== "POST" && !names.includes(name));
  const inBody = pick(op.input, (name) => !names.includes(name));
  const shown = SHOWN.has(op.name) && { example: response };
  return {
    operationId: op.name,
    summary: op.title,
    description: op.description,
    tags: [op.tag],
    ...SECURITY[op.access],
    requestParams: { path: inPath, query: inQuery },
    parameters: [
      ...(op.effect === "write" ? [IdempotencyKey] : []),
      ...(op.takesFinderKey ? [FinderKey] : []),
    ],
    ...(method === "POST" && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: inBody, example: request } },
      },
    }),
    responses: {
      [status]: {
        description: STATUS_CODES[status]!,
        ...(locationOf(op, operations) && { headers: headers("Location") }),
        content: { "application/json": { schema: op.output, ...shown } },
        links: linksFrom(op, operations),
      },
      ...errorResponses(op),
    },
  };
}

const pick = ({ shape }: z.ZodObject, isPicked: (name: string) => boolean): z.ZodObject =>
  z.strictObject(Object.fromEntries(Object.entries(shape).filter(([name]) => isPicked(name))));

const IdempotencyKey = z
  .string()
  .max(255)
  .regex(/^[\x21-\x7E]+$/)
  .meta({
    param: {
      id: "IdempotencyKey",
      name: "Idempotency-Key",
      in: "header",
      description:
        "Make it yourself: a new UUID for every intent, the same one to retry. 1 to 255 visible ASCII characters; " +
        `kept ${span(TIMES.idempotency_ms)}. A repeated answer says Idempotent-Replayed: true.`,
      example: "b0a1e5c2-6f5e-4b60-9a0e-3f6e2c1d7a94",
    },
  });

const FinderKey = z
  .string()
  .optional()
  .meta({
    param: {
      id: "FinderKey",
      name: "Finder-Key",
      in: "header",
      description: "Opens the exclusive bean; earned by good questions.",
    },
  });

type Links = Record<string, { operationId: string; parameters: object; requestBody?: object }>;

/**
 * Links to every operation whose path takes one id of this response, so that a client gets from a quote to
 * its order with this document alone.
 */
function linksFrom(op: Operation, operations: readonly Operation[]): Links | undefined {
  const links = [...idsIn(op, operations)].flatMap(([parameter, field]) =>
    operations
      .filter((other) => other !== op && pathParameters(other.http.path).join() === parameter)
      .map((other) => [
        other.name,
        {
          operationId: other.name,
          parameters: { [parameter]: `$response.body#/${field}` },
          ...bodyFrom(other, op),
        },
      ]),
  );
  return links.length > 0 ? Object.fromEntries(links) : undefined;
}

/** The linked operation's body, if the response has all its required fields. */
function bodyFrom(other: Operation, op: Operation): { requestBody?: object } {
  const { required = [] } = jsonSchema(other.input, "input") as { required?: string[] };
  const needed = required.filter((name) => !pathParameters(other.http.path).includes(name));
  const found = needed.length > 0 && needed.every((name) => name in op.output.shape);
  if (!found) return {};
  return {
    requestBody: Object.fromEntries(needed.map((name) => [name, `$response.body#/${name}`])),
  };
}

/** One recorded request and response of an operation. */
interface Example {
  request?: unknown;
  response?: unknown;
}

export type Examples = Record<string, Example>;

/** Reads the examples, with this base URL in their links. */
export function examplesAt(baseUrl: string): Examples {
  const read = readFileSync(new URL("../../../docs/api/examples.json", import.meta.url), "utf8");
  return JSON.parse(read.replaceAll("{base_url}", baseUrl));
}
