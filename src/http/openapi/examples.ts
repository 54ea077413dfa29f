import { readFileSync } from "node:fs";

/** By operation: one request and its answer, taken from a real run. */
export type Examples = Record<string, { request?: unknown; response?: unknown }>;

const readExamples = () =>
  readFileSync(new URL("../../../docs/api/examples.json", import.meta.url), "utf8");

/** The examples with this service's address in their links. A list shows its first entry. */
export function examplesAt(baseUrl: string): Examples {
  const read = JSON.parse(readExamples().replaceAll("{base_url}", baseUrl), firstOnly) as Examples;
  // It would show the very order of get_order once more.
  const { list_orders: _, ...examples } = read;
  return examples;
}

const firstOnly = (_name: string, value: unknown): unknown =>
  Array.isArray(value) ? value.slice(0, 1) : value;
