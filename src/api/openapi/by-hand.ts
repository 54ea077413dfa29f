import { jsonSchema } from "../../core/json-schema.ts";
import { LIMITS } from "../../core/policy.ts";
import { DEFAULT_SHOP } from "../../core/shop.ts";
import { type AgentInfoInput, agentInfo } from "../../merchant/agent-info.ts";
import { CART_QUERY } from "../../quotes/quick-checkout-query.ts";
import type { Json } from "./parts.ts";
import { DEFAULT_REFUSAL, refusal } from "./responses.ts";

/** What is more than a text among the parameters of a link. */
const MORE_THAN_TEXT: Partial<Record<string, Json>> = {
  qty: { type: "integer", minimum: 1, maximum: LIMITS.quantity_per_line },
  format: { type: "string", enum: ["json"] },
};

/** None needs to be there: where it is allowed to be left out, it may be empty. */
const cartParameters = Object.entries(
  jsonSchema(CART_QUERY, "input").properties as Record<string, Json>,
).map(([name, { description, minLength: _, ...schema }]) => ({
  name,
  in: "query",
  description,
  schema: MORE_THAN_TEXT[name] ?? schema,
}));

const document = (
  operationId: string,
  summary: string,
  description: string,
  schema: Json = { type: "object" },
): Json => ({
  get: {
    operationId,
    summary,
    description,
    tags: ["Information"],
    security: [],
    responses: {
      200: { description: summary, content: { "application/json": { schema } } },
      "4XX": DEFAULT_REFUSAL,
    },
  },
});

/** Paths that are no operations: odd HTTP, written by hand, described by hand (contract §18). */
export const EXTRA_PATHS: Record<string, Json> = {
  "/agent-info": document(
    "agent_info",
    "Merchant info and policy",
    "What is sold, how approval works, policy, offers, limits, gifting, brewing and a choosing guide.",
    { $ref: "#/components/schemas/AgentInfo" },
  ),
  "/openapi.json": document(
    "openapi",
    "This description",
    "OpenAPI 3.1, made from the operations.",
  ),
  "/v1/quick-checkout": {
    get: {
      operationId: "quick_checkout",
      summary: "Open a checkout from a link",
      description:
        "For clients that can only send GET. The buyer opens the complete URL, enters email and address, " +
        "sees the exact total and pays. Opening it stores nothing, holds nothing and calls no provider. " +
        "Give items, or bag and qty. A parameter given twice is refused, one that is not ours ignored.",
      tags: ["Quotes"],
      security: [],
      parameters: cartParameters,
      responses: {
        200: {
          description: "The checkout link, with format=json.",
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/QuickCheckout" } },
          },
        },
        303: {
          description: "To the hosted checkout page.",
          headers: { Location: { description: "The page.", schema: { type: "string" } } },
        },
        403: refusal(403, ["GEISHA_LOCKED"]),
        409: refusal(409, ["OUT_OF_STOCK"]),
        422: refusal(422, ["VALIDATION_FAILED"]),
        default: DEFAULT_REFUSAL,
      },
    },
  },
};

/** The top of /agent-info as a shop without beans answers it; what is below may grow. */
export function agentInfoSchema(): Json {
  const shop: AgentInfoInput = {
    baseUrl: "",
    catalog: { products: [] },
    supportEmail: undefined,
    shop: DEFAULT_SHOP,
    mode: "live",
    rateLimits: null,
    products: [],
    firstOrderRuns: false,
  };
  const types = Object.entries(agentInfo(shop, "endpoints")).map(([name, value]) => [
    name,
    { type: Array.isArray(value) ? "array" : typeof value },
  ]);
  return { type: "object", properties: Object.fromEntries(types) };
}
