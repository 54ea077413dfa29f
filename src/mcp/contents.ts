import type { CacheHint } from "@modelcontextprotocol/server";
import type { Service } from "../api/perform.ts";
import type { Contents } from "../api/resource.ts";
import { playMoney } from "../core/answer.ts";
import { BY_PAGE, BY_QUOTE, buyingSteps, numbered } from "../merchant/buying.ts";
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
    made ??= toolLists(operations, options.resources);
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

const SOLD =
  "Roasted whole-bean coffee in 8 oz bags, never ground, shipped to US addresses, priced in US dollars (`_minor` fields in cents).";
const TOLERATE =
  "Errors begin with a code and say what to do next. Tolerate new fields, statuses and codes.";

/** A model reads this before the tools; under 1 KB. */
export const INSTRUCTIONS = [
  `${SOLD} You quote; a person pays. No perks beyond the policy.`,
  numbered(buyingSteps(BY_QUOTE, "tools")),
  TOLERATE,
].join("\n");

/** The same for /mcp/shop. */
export const SHOP_INSTRUCTIONS = [
  `${SOLD} No account and no key.`,
  numbered(buyingSteps(BY_PAGE, "shop")),
  `Never ask for addresses, card numbers or passwords in the chat. ${TOLERATE}`,
].join("\n");
