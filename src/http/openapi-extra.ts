/** Paths that are no operations: odd HTTP, written by hand, described by hand (SPEC §4). */
type Json = Record<string, unknown>;

const query = (name: string, description: string, schema: Json = { type: "string" }): Json => ({
  name,
  in: "query",
  required: false,
  description,
  schema,
});

const problem = (description: string): Json => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

const document = (operationId: string, summary: string, description: string): Json => ({
  get: {
    operationId,
    summary,
    description,
    tags: ["Information"],
    security: [],
    responses: {
      200: {
        description: summary,
        content: { "application/json": { schema: { type: "object" } } },
      },
      406: problem("NOT_ACCEPTABLE: accept application/json."),
      429: problem("RATE_LIMITED: wait for Retry-After seconds."),
    },
  },
});

export const EXTRA_PATHS: Record<string, Json> = {
  "/agent-info": document(
    "agent_info",
    "Merchant info and policy",
    "What is sold, how approval works, policy, offers, limits, gifting, brewing and a choosing guide.",
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
        "Give items, or bag and qty. A parameter given twice, or an unknown one, is refused.",
      tags: ["Quotes"],
      security: [],
      parameters: [
        query("items", "Comma-separated <product_id>:<number of bags>."),
        query("bag", "product_id, with qty."),
        query("qty", "Number of bags, with bag.", { type: "integer", minimum: 1, maximum: 100 }),
        query("discount_code", "Only if the buyer is eligible."),
        query("gift_note", "At most 200 characters, URL-encoded.", {
          type: "string",
          maxLength: 200,
        }),
        query("buyer_email", "Only if known."),
        query("format", "json answers the link as JSON instead of a redirect.", {
          type: "string",
          enum: ["json"],
        }),
      ],
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
        403: problem("GEISHA_LOCKED: the exclusive bean is never sold over a link."),
        409: problem("OUT_OF_STOCK: not enough bags."),
        422: problem("Everything wrong with the link at once."),
        429: problem("RATE_LIMITED: wait for Retry-After seconds."),
      },
    },
  },
};

const minor: Json = { type: "integer", description: "Integer minor units (cents) of usd." };

export const EXTRA_SCHEMAS: Record<string, Json> = {
  QuickCheckout: {
    type: "object",
    required: ["checkout_url", "expires_at", "items", "pricing", "message_for_buyer"],
    properties: {
      checkout_url: { type: "string", description: "Give it whole, on its own line." },
      expires_at: { type: "string", description: "ISO 8601 UTC with milliseconds." },
      items: {
        type: "array",
        items: {
          type: "object",
          properties: {
            product_id: { type: "string" },
            name: { type: "string" },
            quantity: { type: "integer" },
            unit_price_minor: minor,
          },
        },
      },
      pricing: {
        type: "object",
        properties: {
          currency: { type: "string" },
          subtotal_minor: minor,
          courtesy: { type: ["object", "null"] },
          shipping_minor: minor,
          total_minor: minor,
          total_display: { type: "string" },
        },
      },
      message_for_buyer: { type: "string" },
    },
  },
};
