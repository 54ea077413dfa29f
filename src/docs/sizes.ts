import type { Examples } from "../api/openapi/examples.ts";
import type { Operation } from "../api/operation.ts";
import { cardsOf, type Resource } from "../api/resource.ts";
import { toolsOf } from "../mcp/schemas.ts";

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * What a model pays to know the tools, in bytes of compact JSON. Of `tools/list` at its largest: to a
 * connection that has no key, and is shown where one goes.
 */
export function toolSizes(operations: readonly Operation[], resources: readonly Resource[]) {
  const tools = toolsOf(operations, true, cardsOf(resources));
  const bare = tools.map(({ outputSchema: _, ...tool }) => tool);
  return {
    list: bytes({ tools }),
    withoutOutputs: bytes({ tools: bare }),
    tools: tools.map((tool, i) => ({
      name: tool.name,
      bytes: bytes(tool),
      withoutOutput: bytes(bare[i]),
    })),
  };
}

/** What the answers of a purchase come to, by the examples of a real run. */
export const answerSizes = (examples: Examples): [what: string, bytes: number][] =>
  Object.entries(TYPICAL).map(([name, what]) => [what, bytes(examples[name]?.response)]);

const TYPICAL = {
  get_catalog: "catalog of four beans",
  get_policy: "policy",
  register_agent: "registration",
  one_bag_quote: "quote of one bag",
  create_checkout: "review link",
  get_quote_order: "order of one shipment",
};
