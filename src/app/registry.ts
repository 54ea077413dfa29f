import { prompts, resources, shopResources } from "../../resources/index.ts";
import { operations } from "../../tools/index.ts";
import { shopOperations } from "../../tools/shop.ts";
import type { Contents } from "../api/resource.ts";

/** The service's table of contents. Only here does `src` know tools/ and resources/; entries use it. */
export const contents: Contents = { operations, resources, prompts };

/** The contents of /mcp/shop: nothing that needs a key. */
export const shopContents: Contents = {
  operations: shopOperations,
  resources: shopResources,
  prompts: [],
};
