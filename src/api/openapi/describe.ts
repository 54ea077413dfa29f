import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { acceptingNull, jsonSchema } from "../../core/json-schema.ts";
import { pathParameters } from "../../web/http-request.ts";
import { idsIn, locationOf, type Operation } from "../operation.ts";
import { type Components, headers, type Json, omit } from "./components.ts";
import { errorResponses } from "./responses.ts";

export interface DescribeOptions {
  operations: readonly Operation[];
  components: Components;
  examples: Examples;
}

/** Operations whose responses get an example: a purchase from its quote to its order. */
const SHOWN = new Set(["request_quote", "create_checkout", "get_order", "list_order_events"]);

/** Describes one operation. */
export function describe(
  op: Operation,
  { operations, components, examples }: DescribeOptions,
): Json {
  const { method, status } = op.http;
  const parameters = [
    ...inputParameters(op, components),
    ...(op.effect === "write" ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(op.takesFinderKey ? [{ $ref: "#/components/parameters/FinderKey" }] : []),
  ];
  const { request, response } = examples[op.name] ?? {};
  const schema = components.of(op.output, "output");
  if (SHOWN.has(op.name)) components.example(op.output, response);
  return {
    operationId: op.name,
    summary: op.title,
    description: op.description,
    tags: [op.tag],
    ...{ public: { security: [] }, agent: {}, optional: { security: [{}, { api_key: [] }] } }[
      op.access
    ],
    ...(parameters.length > 0 && { parameters }),
    ...(method === "POST" && { requestBody: requestBody(op, components, request) }),
    responses: {
      [status]: {
        description: STATUS_CODES[status],
        ...(locationOf(op, operations) && { headers: headers("Location") }),
        content: { "application/json": { schema } },
        ...linksFrom(op, operations),
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
  const body = acceptingNull({
    ...schema,
    properties: omit(properties, ...names),
    ...(required && { required: required.filter((name) => !names.includes(name)) }),
  });
  const content = { schema: body, ...(example !== undefined && { example }) };
  return { required: true, content: { "application/json": content } };
}

function inputParameters(op: Operation, components: Components): Json[] {
  const inPath = pathParameters(op.http.path);
  const { properties = {}, required = [] } = components.of(op.input, "input") as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties)
    .filter(([name]) => op.http.method !== "POST" || inPath.includes(name))
    .map(([name, property]) => {
      const { description, ...schema } = property as Json;
      const said = { ...(description !== undefined && { description }), schema };
      if (inPath.includes(name)) {
        return components.parameter(name, { name, in: "path", required: true, ...said });
      }
      return { name, in: "query", ...(required.includes(name) && { required: true }), ...said };
    });
}

/**
 * Links to every operation whose path takes one id of this response, so that a client gets from a quote to
 * its order with this document alone.
 */
function linksFrom(op: Operation, operations: readonly Operation[]): Json {
  const links = [...idsIn(op, operations)].flatMap(([parameter, field]) =>
    operations
      .filter((other) => other !== op && pathParameters(other.http.path).join() === parameter)
      .map((other): [string, Json] => [
        other.name,
        {
          operationId: other.name,
          parameters: { [parameter]: `$response.body#/${field}` },
          ...bodyFrom(other, op),
        },
      ]),
  );
  return links.length > 0 ? { links: Object.fromEntries(links) } : {};
}

/** The linked operation's body, if the response has all its required fields. */
function bodyFrom(other: Operation, op: Operation): Json {
  const { required = [] } = jsonSchema(other.input, "input") as { required?: string[] };
  const needed = required.filter((name) => !pathParameters(other.http.path).includes(name));
  const found = needed.length > 0 && needed.every((name) => name in op.output.shape);
  if (!found) return {};
  return {
    requestBody: Object.fromEntries(needed.map((name) => [name, `$response.body#/${name}`])),
  };
}

/** One recorded request and response per operation. */
export type Examples = Record<string, { request?: unknown; response?: unknown }>;

/** Reads the examples, with this base URL in their links. */
export function wholeExamplesAt(
  baseUrl: string,
  revive?: (name: string, value: unknown) => unknown,
): Examples {
  const read = readFileSync(new URL("../../../docs/api/examples.json", import.meta.url), "utf8");
  return JSON.parse(read.replaceAll("{base_url}", baseUrl), revive);
}

/** The same with only the first entry of each list. */
export function examplesAt(baseUrl: string): Examples {
  // list_orders repeats the order of get_order.
  const { list_orders: _, ...examples } = wholeExamplesAt(baseUrl, firstOnly);
  return examples;
}

const firstOnly = (_name: string, value: unknown): unknown =>
  Array.isArray(value) ? value.slice(0, 1) : value;
