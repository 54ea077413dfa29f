import type { Prompt, Resource } from "../src/api/resource.ts";
import { card } from "./cards.ts";
import { catalog, catalogProduct } from "./catalog.ts";
import { agentInfo, policy } from "./information.ts";
import { order, quote } from "./orders.ts";
import { buyCoffee, sendAGift } from "./prompts.ts";

/** Everything an agent can read by address (contract §13). */
export const resources: readonly Resource[] = [
  catalog,
  catalogProduct,
  agentInfo,
  policy,
  order,
  quote,
  card,
];

/** Resources of /mcp/shop. */
export const shopResources: readonly Resource[] = [catalog, catalogProduct, policy];

/** What a person can start from. */
export const prompts: readonly Prompt[] = [buyCoffee, sendAGift];
