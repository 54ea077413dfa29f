import { z } from "zod";
import { agentWriteWithFinderKey } from "../src/api/operation.ts";
import { identifier } from "../src/core/fields.ts";
import { Checkout } from "../src/quotes/quote-answer.ts";

export const createCheckout = agentWriteWithFinderKey({
  name: "create_checkout",
  title: "Get the buyer's review link",
  description:
    "The link where the buyer reviews and pays this exact quote, once they have seen the total. Give " +
    "review_url as plain text on its own line; you never pay. Then call {get_quote_order}.",
  tag: "Quotes",
  http: { method: "POST", path: "/v1/quotes/{quote_id}/checkout", status: 200 },
  hints: { openWorld: true },
  limits: ["checkout"],
  input: z.strictObject({
    quote_id: identifier(),
    quote_hash: identifier(100, "The quote's hash").describe("Of the quote the buyer has seen."),
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
