import { prompts, resources, shopResources } from "../../resources/index.ts";
import { operations } from "../../tools/index.ts";
import { shopOperations } from "../../tools/shop.ts";
import type { Operation } from "../api/operation.ts";
import type { Prompt, Resource } from "../api/resource.ts";

export interface Contents {
  operations: readonly Operation[];
  resources: readonly Resource[];
  prompts: readonly Prompt[];
}

/** The service's table of contents. Only here does `src` know tools/ and resources/; entries use it. */
export const contents: Contents = { operations, resources, prompts };

/** The contents of /mcp/shop: nothing that needs a key. */
export const shopContents: Contents = {
  operations: shopOperations,
  resources: shopResources,
  prompts: [],
};
