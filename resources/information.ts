import type { Resource } from "../src/api/resource.ts";

const cache = { ttlMs: 60_000, cacheScope: "public" } as const;

export const agentInfo: Resource = {
  uri: "coffee://agent-info",
  name: "agent-info",
  title: "About this merchant",
  description: "Who sells, how buying works, limits, offers and instructions.",
  access: "public",
  cache,
  read: async (_call, { information }) => information.agentInfo("tools"),
};

export const policy: Resource = {
  uri: "coffee://policy",
  name: "policy",
  title: "Policy",
  description:
    "Shipping, courtesies, gift notes, refunds and cancellation, as they apply to every order.",
  access: "public",
  cache,
  read: async (_call, { information }) => information.policy(),
};

/** The same for /mcp/shop, which takes no key. */
export const shopPolicy: Resource = {
  ...policy,
  read: async (_call, { information }) => information.policy(true),
};
