import type { Resource } from "../src/api/resource.ts";

/** Hosts with MCP Apps show it in the chat. Others show the same facts as text. */
export const card: Resource = {
  uri: "ui://coffee/card",
  name: "card",
  title: "Quote and order card",
  description: "For hosts that show MCP Apps. It has nothing for a model to read.",
  access: "public",
  cache: { ttlMs: 3_600_000, cacheScope: "public" },
  shows: ["request_quote", "create_checkout", "get_quote_order", "get_order"],
  read: async (_call, { catalog }) => catalog,
};
