import { z } from "zod";
import { agentRead, agentWriteWithFinderKey } from "../src/api/operation.ts";
import { alsoSpelled, identifier, WaitSeconds } from "../src/core/fields.ts";
import { afterCall } from "../src/merchant/buying.ts";
import { Order } from "../src/orders/order-answer.ts";
import { Checkout, Quote } from "../src/quotes/quote-answer.ts";
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

export const getQuote = agentRead({
  name: "get_quote",
  title: "Read a quote",
  description: "A quote as it is now.",
  tag: "Quotes",
  http: { method: "GET", path: "/v1/quotes/{quote_id}", status: 200 },
  input: z.strictObject({ quote_id: identifier() }),
  output: Quote,
  errors: ["NOT_FOUND"],
  run: ({ input, agent }, { quotes }) => quotes.get(input.quote_id, agent.id),
});

const QuoteHash = alsoSpelled(
  identifier(100, "quote_hash", "Read the quote to get it."),
  (value) => {
    const [, digits] = /^(?:sha256:)?([0-9a-f]{64})$/i.exec(String(value)) ?? [];
    return digits === undefined ? value : `sha256:${digits.toLowerCase()}`;
  },
);

export const createCheckout = agentWriteWithFinderKey({
  name: "create_checkout",
  title: "Get the buyer's review link",
  description: `The link where the buyer reviews and pays this exact quote. ${afterCall("create_checkout")}`,
  tag: "Quotes",
  http: { method: "POST", path: "/v1/quotes/{quote_id}/checkout", status: 200 },
  hints: { openWorld: true },
  input: z.strictObject({
    quote_id: identifier(),
    quote_hash: QuoteHash.describe("From the quote that the buyer saw."),
  }),
  output: Checkout,
  errors: [
    "NOT_FOUND",
    "QUOTE_HASH_MISMATCH",
    "QUOTE_EXPIRED",
    "QUOTE_NOT_PAYABLE",
    "QUOTE_ALREADY_PAID",
    "LIMIT_EXCEEDED",
    "GEISHA_LOCKED",
    "FINDER_KEY_INVALID",
  ],
  run: ({ input, agent, finderKey, intent }, { quotes }) =>
    quotes.checkout(input, { agentId: agent.id, finderKey }, intent),
});

export const getQuoteOrder = agentRead({
  name: "get_quote_order",
  title: "Read the order of a quote",
  description:
    "The order of a quote, once the buyer has paid. With wait, it responds once paid or a first try failed. " +
    "Until then, ORDER_NOT_READY says what is missing.",
  tag: "Quotes",
  http: { method: "GET", path: "/v1/quotes/{quote_id}/order", status: 200 },
  input: z.strictObject({ quote_id: identifier(), wait: WaitSeconds }),
  output: Order,
  errors: ["NOT_FOUND", "ORDER_NOT_READY"],
  run: ({ input, agent, gone }, { orders }) =>
    orders.ofQuote(input.quote_id, agent.id, input.wait * 1000, gone),
});
