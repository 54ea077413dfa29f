import { prompts, resources, shopResources } from "../../resources/index.ts";
import { operations } from "../../tools/index.ts";
import { shopOperations } from "../../tools/shop.ts";
import type { Contents } from "../api/resource.ts";

/** All operations and resources of the service. Only this file imports tools/ and resources/. */
export const contents: Contents = { operations, resources, prompts };

/** Contents of /mcp/shop, which takes no key. */
export const shopContents: Contents = {
  operations: shopOperations,
  resources: shopResources,
  prompts: [],
};
