import { readFileSync } from "node:fs";

/** By operation: one request and its answer, taken from a real run. */
export type Examples = Record<string, { request?: unknown; response?: unknown }>;

const readExamples = () =>
  readFileSync(new URL("../../../docs/api/examples.json", import.meta.url), "utf8");

/** The examples with this service's address in their links. */
export const examplesAt = (baseUrl: string): Examples =>
  JSON.parse(readExamples().replaceAll("{base_url}", baseUrl)) as Examples;
