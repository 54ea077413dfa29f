import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOverride,
  type ZodOpenApiPathsObject,
  type ZodOpenApiSchemaObject,
} from "zod-openapi";
import { isNoBound } from "../../core/json-schema.ts";
import { CONTRACT_VERSION, LIMITS } from "../../core/policy.ts";
import { DEFAULT_SHOP } from "../../core/shop.ts";
import { type AgentInfoInput, agentInfo } from "../../merchant/agent-info.ts";
import { afterCall, BY_PAGE, BY_QUOTE } from "../../merchant/buying.ts";
import { QuickCheckout } from "../../quotes/quick-checkout.ts";
import { CART_QUERY } from "../../quotes/quick-checkout-query.ts";
import type { Operation, Tag } from "../operation.ts";
import { describe, examplesAt } from "./describe.ts";
import { DEFAULT_REFUSAL, errorResponses, HEADERS, headers, sharedResponses } from "./responses.ts";

type Json = Record<string, unknown>;

/**
 * Builds the OpenAPI 3.1 document at /openapi.json (contract §18) from the operations. EXTRA_PATHS overrides
 * them for unusual HTTP, such as the redirect of quick checkout.
 */
export function openapi(operations: readonly Operation[], baseUrl: string): Json {
  const examples = examplesAt(baseUrl);
  const paths: ZodOpenApiPathsObject = {};
  for (const op of operations) {
    if (op.http.path in EXTRA_PATHS) continue;
    const route = { [op.http.method.toLowerCase()]: describe(op, operations, examples[op.name]) };
    paths[op.http.path] = { ...paths[op.http.path], ...route };
  }
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Coffee merchant agent service",
        version: CONTRACT_VERSION,
        description: DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: baseUrl }],
      security: [{ api_key: [] }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths: { ...paths, ...EXTRA_PATHS },
      components: {
        schemas: { AgentInfo: agentInfoSchema() },
        headers: HEADERS,
        responses: sharedResponses(operations),
        securitySchemes: {
          api_key: {
            type: "http",
            scheme: "bearer",
            description: "The key that register_agent returns.",
          },
        },
      },
    },
    { override },
  );
  return { ...document };
}

/** Drops bounds that say nothing, and that an object with known fields is open. */
const override: ZodOpenApiOverride = ({ jsonSchema }) => {
  const { properties = {}, additionalProperties } = jsonSchema;
  const isOpen = JSON.stringify(additionalProperties) === "{}";
  if (isOpen && Object.keys(properties).length > 0) delete jsonSchema.additionalProperties;
  for (const [key, value] of Object.entries(jsonSchema)) {
    if (isNoBound(key, value)) delete (jsonSchema as Json)[key];
  }
};

const DESCRIPTION =
  "Agents quote roasted coffee; people pay. " +
  `To buy: ${BY_QUOTE.map(({ tool }) => tool).join(", ")}. ` +
  "Tolerate new fields. /errors explains each code. " +
  "A local contract, not certified against any external standard.";

const TAGS: Record<Tag, string> = {
  Information: "What is sold, on which terms, and answers about the beans.",
  Agents: "A key for an agent.",
  Quotes: "An exact, immutable price, and the link on which a person pays it.",
  Orders: "What was paid: its shipments, its events, and asking to cancel it.",
  Waitlist: "A place in the queue for a bean that is short.",
  Messages: "Messages to the merchant.",
};

const document = (
  operationId: string,
  summary: string,
  description: string,
  schema: ZodOpenApiSchemaObject = { type: "object" },
) => ({
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

/** Top-level fields of /agent-info, from a shop without beans. Nested fields may grow. */
function agentInfoSchema() {
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
  const properties = { ...Object.fromEntries(types), exclusive_bean: { type: "object" } };
  return { type: "object" as const, properties };
}

const { qty, format } = CART_QUERY.shape;

/** Parameters of a link: all are optional. */
const LINK_QUERY = Object.entries({
  ...CART_QUERY.shape,
  qty: z.int().min(1).max(LIMITS.quantity_per_line).describe(qty.description!),
  format: z.enum(["json"]).describe(format.description!),
}).map(([name, field]) => [name, field.optional().describe(field.description!)]);

/** Paths that are not operations, described by hand (contract §18). */
const EXTRA_PATHS: ZodOpenApiPathsObject = {
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
        "With format=json, makes a page with bags for one recipient. " +
        afterCall("build_quick_checkout_link", BY_PAGE),
      tags: ["Quotes"],
      security: [],
      requestParams: { query: z.object(Object.fromEntries(LINK_QUERY)) },
      responses: {
        200: {
          description: "The checkout link, with format=json.",
          content: { "application/json": { schema: QuickCheckout } },
        },
        303: { description: "To the hosted checkout page.", headers: headers("Location") },
        ...errorResponses({
          errors: ["GEISHA_LOCKED", "OUT_OF_STOCK", "DISCOUNT_CODE_INVALID", "LIMIT_EXCEEDED"],
          access: "public",
          effect: "read",
        }),
      },
    },
  },
};
