import type { Prompt, Resource } from "../src/api/resource.ts";
import { card } from "./cards.ts";
import { catalog, catalogProduct } from "./catalog.ts";
import { agentInfo, policy, shopPolicy } from "./information.ts";
import { order, quote } from "./orders.ts";
import { buyCoffee, sendAGift } from "./prompts.ts";

/** All resources (contract §13). */
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
export const shopResources: readonly Resource[] = [catalog, catalogProduct, shopPolicy];

/** All prompts. */
export const prompts: readonly Prompt[] = [buyCoffee, sendAGift];
