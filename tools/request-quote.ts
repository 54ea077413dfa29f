import { agentWriteWithFinderKey } from "../src/api/operation.ts";
import { afterCall } from "../src/merchant/buying.ts";
import { Quote } from "../src/quotes/quote-answer.ts";
import { QuoteRequest, requestProblems } from "../src/quotes/quote-request.ts";

export const requestQuote = agentWriteWithFinderKey({
  name: "request_quote",
  title: "Get an exact quote",
  description:
    "Price bags to one or more US addresses: an exact total that never changes, valid for days. " +
    `Orders and holds nothing. ${afterCall("request_quote")}`,
  tag: "Quotes",
  http: { method: "POST", path: "/v1/quote-requests", status: 201 },
  input: QuoteRequest,
  example: (product_id) => ({
    buyer: { email: "buyer@example.com" },
    shipments: [
      {
        recipient_ref: "home",
        address: {
          name: "Ada Lovelace",
          line1: "1 Main Street",
          city: "Austin",
          region: "TX",
          postal_code: "78701",
          country: "US",
        },
        items: [{ product_id, quantity: 1 }],
      },
    ],
  }),
  output: Quote,
  errors: [
    "GEISHA_LOCKED",
    "FINDER_KEY_INVALID",
    "OUT_OF_STOCK",
    "SHOP_PAUSED",
    "DISCOUNT_CODE_INVALID",
    "DISCOUNT_NOT_ELIGIBLE",
    "LIMIT_EXCEEDED",
  ],
  catalogProblems: requestProblems,
  run: ({ input, agent, finderKey, intent }, { quotes }) =>
    quotes.create(input, { agentId: agent.id, finderKey }, intent),
});
