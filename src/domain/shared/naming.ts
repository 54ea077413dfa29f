import { ENDPOINTS } from "./next-step.ts";

/** How a caller knows what it can call: by tools over MCP, by endpoints over HTTP (contract §13). */
export type Naming = "tools" | "endpoints";

/** What is an argument over MCP and a header over HTTP, and other words for one thing. */
const WORDS: Record<string, Record<Naming, string>> = {
  idempotency_key: { tools: "idempotency_key", endpoints: "Idempotency-Key" },
  finder_key: { tools: "finder_key", endpoints: "Finder-Key" },
  api_key: { tools: "api_key", endpoints: "Authorization: Bearer <API_KEY>" },
  agent_info: { tools: "coffee://agent-info", endpoints: "/agent-info" },
  ...Object.fromEntries(
    Object.entries(ENDPOINTS).map(([tool, endpoint]) => [
      tool,
      { tools: tool, endpoints: endpoint },
    ]),
  ),
};

/**
 * A text of ours in the words of its reader: `{request_quote}` is the tool over MCP and its endpoint over
 * HTTP. Never for what others wrote, which is told as it came.
 */
export const namedText = (text: string, naming: Naming): string =>
  text.replace(/\{(\w+)\}/g, (whole, word: string) => WORDS[word]?.[naming] ?? whole);

/** The same for all texts in something of ours. */
export function namedAll<V>(value: V, naming: Naming): V {
  if (typeof value === "string") return namedText(value, naming) as V;
  if (Array.isArray(value)) return value.map((one) => namedAll(one, naming)) as V;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, namedAll(one, naming)]),
  ) as V;
}
