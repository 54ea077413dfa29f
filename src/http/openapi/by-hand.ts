import { CART_PARAMETERS } from "../../domain/quick-checkout/quick-checkout-query.ts";
import { LIMITS } from "../../domain/shared/policy.ts";
import type { Json } from "./parts.ts";
import { DEFAULT_REFUSAL, refusal } from "./responses.ts";

/** What is more than a text among the parameters of a link. */
const CART_SCHEMAS: Partial<Record<string, Json>> = {
  qty: { type: "integer", minimum: 1, maximum: LIMITS.quantity_per_line },
  gift_note: { maxLength: LIMITS.gift_note_characters },
  format: { enum: ["json"] },
};

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
      200: {
        description: summary,
        content: { "application/json": { schema } },
      },
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
      parameters: Object.entries(CART_PARAMETERS).map(([name, description]) => ({
        name,
        in: "query",
        description,
        schema: { type: "string", ...CART_SCHEMAS[name] },
      })),
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

/** The top of /agent-info; what is below may grow. A test holds the list to what is served. */
const AGENT_INFO = {
  merchant: "object",
  contract_version: "string",
  support: "object",
  catalog: "string",
  openapi: "string",
  mcp: "string",
  errors: "string",
  currency: "string",
  ship_to: "array",
  approval_policy: "object",
  gifting: "object",
  brewing: "array",
  choosing_guide: "array",
  beans: "array",
  exclusive_bean: "object",
  policy: "object",
  offers: "array",
  limits: "object",
  unpaid_holds: "object",
  rate_limits: "object",
  retention: "object",
  waitlist: "object",
  ask: "object",
  feedback: "object",
  bulk_leads: "object",
};

export const EXTRA_SCHEMAS: Record<string, Json> = {
  AgentInfo: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(AGENT_INFO).map(([name, type]) => [name, { type }]),
    ),
  },
};
