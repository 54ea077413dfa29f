import type { Resource } from "../src/api/resource.ts";

/** Shown in chats by hosts that speak MCP Apps; the others show what the tools answer, which is the same. */
export const card: Resource = {
  uri: "ui://coffee/card",
  name: "card",
  title: "Quote and order card",
  description: "For hosts that show MCP Apps. There is nothing in it for a model to read.",
  access: "public",
  limits: ["catalog"],
  cache: { ttlMs: 3_600_000, cacheScope: "public" },
  shows: ["request_quote", "create_checkout", "get_quote_order", "get_order"],
  read: async (_call, { catalog }) => catalog,
};
