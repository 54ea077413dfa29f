import { z } from "zod";
import { agentWriteWithFinderKey } from "../src/api/operation.ts";
import { alsoSpelled, identifier } from "../src/core/fields.ts";
import { afterCall } from "../src/merchant/buying.ts";
import { Checkout } from "../src/quotes/quote-answer.ts";

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
