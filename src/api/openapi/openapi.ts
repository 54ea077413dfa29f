import { jsonSchema } from "../../core/json-schema.ts";
import { namedAll } from "../../core/next-step.ts";
import { CONTRACT_VERSION, LIMITS } from "../../core/policy.ts";
import { DEFAULT_SHOP } from "../../core/shop.ts";
import { type AgentInfoInput, agentInfo } from "../../merchant/agent-info.ts";
import { afterCall, BY_PAGE, BY_QUOTE } from "../../merchant/buying.ts";
import { QuickCheckout } from "../../quotes/quick-checkout.ts";
import { CART_QUERY } from "../../quotes/quick-checkout-query.ts";
import type { Operation, Tag } from "../operation.ts";
import { Components, HEADERS, type Json, PARAMETERS, ProblemAnswer } from "./components.ts";
import { describe, type Examples, examplesAt } from "./describe.ts";
import { DEFAULT_REFUSAL, refusal, sharedResponses } from "./responses.ts";

/**
 * Builds the OpenAPI 3.1 document at /openapi.json (contract §18) from the operations. EXTRA_PATHS overrides
 * them for unusual HTTP, such as the redirect of quick checkout.
 */
export function openapi(operations: readonly Operation[], baseUrl: string): Json {
  const components = new Components();
  const examples: Examples = examplesAt(baseUrl);
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    if (op.http.path in EXTRA_PATHS) continue;
    const described = describe(op, { operations, components, examples });
    const route = { [op.http.method.toLowerCase()]: described };
    paths[op.http.path] = { ...paths[op.http.path], ...route };
  }
  for (const schema of [QuickCheckout, ProblemAnswer]) components.of(schema, "output");
  const description = {
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
      schemas: { ...components.schemas, AgentInfo: agentInfoSchema() },
      parameters: { ...PARAMETERS, ...components.parameters },
      headers: HEADERS,
      responses: sharedResponses(operations),
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description: "The key of POST /v1/agents/register.",
        },
      },
    },
  };
  return namedAll(description, "endpoints");
}

const DESCRIPTION =
  "Agents quote roasted coffee; people pay. " +
  `To buy: ${BY_QUOTE.map(({ tool }) => `{${tool}}`).join(", ")}. ` +
  "Amounts are integer minor units (cents) of usd in fields ending in _minor. Times are ISO 8601 UTC with milliseconds. Statuses, codes and event types are " +
  "open: tolerate new values, and new fields. Every POST and DELETE needs an Idempotency-Key; a " +
  "repeated answer says Idempotent-Replayed: true. Every " +
  "answer has a Request-Id, and RateLimit with RateLimit-Policy where something is counted. Errors are " +
  "application/problem+json with a stable `code`; /errors explains each. This is a local contract, " +
  "not certified against any external standard.";

const TAGS: Record<Tag, string> = {
  Information: "What is sold, on which terms, and answers about the beans.",
  Agents: "A key for an agent.",
  Quotes: "An exact, immutable price, and the link on which a person pays it.",
  Orders: "What was paid: its shipments, its events, and asking to cancel it.",
  Waitlist: "A place in the queue for a bean that is short.",
  Messages: "Messages to the merchant.",
};

/** Schemas of link parameters that are not plain text. */
const NOT_TEXT: Partial<Record<string, Json>> = {
  qty: { type: "integer", minimum: 1, maximum: LIMITS.quantity_per_line },
  format: { type: "string", enum: ["json"] },
};

/** All are optional and may be empty. */
const cartParameters = Object.entries(
  jsonSchema(CART_QUERY, "input").properties as Record<string, Json>,
).map(([name, { description, minLength: _, ...schema }]) => ({
  name,
  in: "query",
  description,
  schema: NOT_TEXT[name] ?? schema,
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

/** Paths that are not operations, described by hand (contract §18). */
const EXTRA_PATHS: Record<string, Json> = {
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
        "For clients that can only send GET: with format=json, makes a page with bags for one recipient. " +
        `${afterCall("build_quick_checkout_link", BY_PAGE)} Give items, or bag and qty. ` +
        "A parameter given twice or misspelled is refused, an unrelated one ignored.",
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
        422: refusal(422, ["VALIDATION_FAILED", "DISCOUNT_CODE_INVALID", "LIMIT_EXCEEDED"]),
        default: DEFAULT_REFUSAL,
      },
    },
  },
};

/** Top-level fields of /agent-info, from a shop without beans. Nested fields may grow. */
function agentInfoSchema(): Json {
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
  return { type: "object", properties };
}
