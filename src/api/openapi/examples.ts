import { readFileSync } from "node:fs";

/** By operation: one request and its answer, taken from a real run. */
export type Examples = Record<string, { request?: unknown; response?: unknown }>;

/** The examples with this service's address in their links. */
export function wholeExamplesAt(
  baseUrl: string,
  revive?: (name: string, value: unknown) => unknown,
): Examples {
  const read = readFileSync(new URL("../../../docs/api/examples.json", import.meta.url), "utf8");
  return JSON.parse(read.replaceAll("{base_url}", baseUrl), revive);
}

/** The same for a document that is to stay small: of a list its first entry. */
export function examplesAt(baseUrl: string): Examples {
  // list_orders would show the very order of get_order once more.
  const { list_orders: _, ...examples } = wholeExamplesAt(baseUrl, firstOnly);
  return examples;
}

const firstOnly = (_name: string, value: unknown): unknown =>
  Array.isArray(value) ? value.slice(0, 1) : value;
