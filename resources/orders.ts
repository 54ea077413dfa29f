import { ownerOf, type Resource } from "../src/api/resource.ts";

/** Changes with every event, and belongs to one key. */
const cache = { ttlMs: 0, cacheScope: "private" } as const;

export const quote: Resource = {
  uri: "coffee://quotes/{quote_id}",
  name: "quote",
  title: "A quote",
  description: "A quote of this key: its fixed terms and current status.",
  access: "agent",
  tool: "get_quote",
  cache,
  read: ({ params, agent }, { quotes }) => quotes.get(params.quote_id ?? "", ownerOf(agent).id),
};

export const order: Resource = {
  uri: "coffee://orders/{order_id}",
  name: "order",
  title: "An order",
  description: "An order of this key: items, payment, and shipments with tracking.",
  access: "agent",
  tool: "get_order",
  cache,
  read: ({ params, agent }, { orders }) => orders.get(params.order_id ?? "", ownerOf(agent).id),
};
