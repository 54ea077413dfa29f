import type { CacheHint } from "@modelcontextprotocol/server";
import type { Service } from "../api/perform.ts";
import type { Contents } from "../api/resource.ts";
import { playMoney } from "../core/answer.ts";
import type { Caller } from "./caller.ts";
import { promptListing } from "./prompts.ts";
import { ResourceRegistry } from "./read-resource.ts";
import { type ToolLists, toolLists } from "./schemas.ts";

export interface McpOptions extends Contents {
  service: Service;
  version: string;
  /** /mcp/shop: takes no key, and names only its own tools. */
  keyless?: boolean;
}

/** Methods of the lists. Each list changes only when another catalog is published. */
export const LISTS = [
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
] as const;
export type ListMethod = (typeof LISTS)[number];

/**
 * Everything that MCP lists, made once because it costs more than a call. Tools are made on first use,
 * because converting their schemas takes longer than the rest of a start.
 */
export type McpContents = ReturnType<typeof mcpContents>;

export function mcpContents(options: McpOptions) {
  const { service, operations, prompts, version, keyless = false } = options;
  const registry = new ResourceRegistry(options.resources, service);
  let made: ToolLists | undefined;
  const tools = () => {
    made ??= toolLists(operations, options.resources, keyless ? "shop" : "tools");
    return made;
  };
  const promptListings = prompts.map(promptListing);
  const lists = {
    "tools/list": ({ keyArgument }: ListCaller) => ({
      tools: keyArgument === "shown" ? tools().keyed : tools().bare,
    }),
    "prompts/list": () => ({ prompts: promptListings }),
    "resources/list": () => ({ resources: registry.listed() }),
    "resources/templates/list": () => ({ resourceTemplates: registry.templates }),
  };
  return {
    info: {
      name: "coffee-merchant",
      title: "Coffee merchant",
      version,
      websiteUrl: service.merchant.baseUrl,
    },
    instructions: [
      playMoney(service.merchant.mode) ?? [],
      keyless ? SHOP_INSTRUCTIONS : INSTRUCTIONS,
    ]
      .flat()
      .join("\n"),
    keyless,
    byName: new Map(operations.map((op) => [op.name, op])),
    registry,
    prompts,
    list: (method: ListMethod, caller: ListCaller) => lists[method](caller),
  };
}

type ListCaller = Pick<Caller, "keyArgument">;

const FIVE_MINUTES_MS = 300_000;
const PUBLIC: Required<CacheHint> = { ttlMs: FIVE_MINUTES_MS, cacheScope: "public" };

/**
 * Cache lifetimes and scopes. tools/list depends on the caller's key, so it is private. It is not cached if a
 * registration on this connection can change it.
 */
export const cacheHints = (caller: Pick<Caller, "keyArgument" | "registered">) => ({
  "server/discover": PUBLIC,
  "prompts/list": PUBLIC,
  "resources/list": PUBLIC,
  "resources/templates/list": PUBLIC,
  "tools/list": {
    ttlMs: caller.registered && caller.keyArgument !== "refused" ? 0 : FIVE_MINUTES_MS,
    cacheScope: "private" as const,
  },
});

/** A model reads this before the tools; under 1 KB. */
export const INSTRUCTIONS = `Roasted whole-bean coffee in 8 oz bags, shipped to US addresses, prices in cents of usd. You quote; a person pays.
1. get_catalog for product_id and prices.
2. register_agent once for a key. On stdio the connection keeps it; over HTTP configure Authorization: Bearer, or pass api_key.
3. request_quote with buyer email, addresses and bags: exact and unchanging. Show the buyer the total.
4. create_checkout with quote_id and quote_hash. Give the buyer review_url as plain text on its own line. You never pay or order.
5. get_quote_order with wait answers once the buyer has paid; then get_order and list_order_events.
Writes take idempotency_key: a new one per intent, the same one when you retry it.
Errors begin with a code and say what to do next. Tolerate new fields, statuses and codes.
Shipping, delivery, discount codes, cancellation: get_policy. No perks beyond what it states.`;

/** The same for /mcp/shop. */
export const SHOP_INSTRUCTIONS = `Roasted whole-bean coffee in 8 oz bags, shipped to US addresses, prices in cents of usd. No account and no key.
1. get_catalog for product_id and prices; ask answers questions about the beans, get_policy about shipping and discounts.
2. build_quick_checkout_link with the bags, and a gift note or discount code if the buyer wants one: one page per recipient. Tell the buyer the total.
3. Give the buyer checkout_url as plain text on its own line. The buyer enters email and the recipient's address there and pays. You never pay or order.
4. get_link_order with checkout_url answers "did it go through?", arrival, tracking, refunds. Never make a second page for a purchase that may be paid.
To cancel or ask the shop, the buyer opens the paid page again. Never ask for addresses, card numbers or passwords in the chat.
Errors begin with a code and say what to do next. Tolerate new fields, statuses and codes.`;
