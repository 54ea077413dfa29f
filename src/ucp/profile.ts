import { type Document, json } from "../web/documents.ts";

/** The one UCP release that is served. */
export const RELEASE = "2026-04-08";

const PUBLISHED = `https://ucp.dev/${RELEASE}`;
const SHOPPING = "dev.ucp.shopping";

export const CAPABILITIES = {
  search: `${SHOPPING}.catalog.search`,
  lookup: `${SHOPPING}.catalog.lookup`,
  cart: `${SHOPPING}.cart`,
  checkout: `${SHOPPING}.checkout`,
  discount: `${SHOPPING}.discount`,
} as const;

export const PROFILE_PATH = "/.well-known/ucp";

/** What the shop offers over UCP, at the address where clients look for it (contract §20). */
export const ucpProfile = (baseUrl: string): Document =>
  json(PROFILE_PATH, () => profile(baseUrl), { maxAge: 300 });

function profile(baseUrl: string) {
  const service = (transport: string, path: string, schema: string) => ({
    version: RELEASE,
    spec: `${PUBLISHED}/specification/overview`,
    transport,
    endpoint: `${baseUrl}${path}`,
    schema: `${PUBLISHED}/services/shopping/${schema}`,
  });
  const capability = (page: string, more: object = {}) => [
    {
      version: RELEASE,
      spec: `${PUBLISHED}/specification/${page}`,
      schema: `${PUBLISHED}/schemas/shopping/${page.replace("/", "_")}.json`,
      ...more,
    },
  ];
  return {
    ucp: {
      version: RELEASE,
      services: {
        [SHOPPING]: [
          service("rest", "/ucp", "rest.openapi.json"),
          service("mcp", "/ucp/mcp", "mcp.openrpc.json"),
        ],
      },
      capabilities: {
        [CAPABILITIES.search]: capability("catalog/search"),
        [CAPABILITIES.lookup]: capability("catalog/lookup"),
        [CAPABILITIES.cart]: capability("cart"),
        [CAPABILITIES.checkout]: capability("checkout"),
        [CAPABILITIES.discount]: capability("discount", {
          extends: [CAPABILITIES.cart, CAPABILITIES.checkout],
        }),
      },
      // Nobody pays through the API: the buyer pays on the shop's page.
      payment_handlers: {},
    },
  };
}
