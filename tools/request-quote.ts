import { QuoteRequest, requestProblems } from "../src/domain/quote/quote-request.ts";
import { Quote } from "../src/operations/answers.ts";
import { operation, required } from "../src/operations/operation.ts";

export const requestQuote = operation({
  name: "request_quote",
  title: "Get an exact quote",
  description:
    "Price bags for one or more US addresses: an immutable quote with the exact total, valid for days. " +
    "It orders nothing, holds no stock and charges nothing. Show the total to the buyer, then call " +
    "create_checkout. Status WAITLIST_OFFERED means too few bags: offer join_waitlist or another bean.",
  http: { method: "POST", path: "/v1/quote-requests", status: 201 },
  access: "agent",
  effect: "write",
  hints: { destructive: false, openWorld: false },
  limits: ["quotes"],
  input: QuoteRequest,
  output: Quote,
  errors: [
    "GEISHA_LOCKED",
    "FINDER_KEY_INVALID",
    "OUT_OF_STOCK",
    "DISCOUNT_CODE_INVALID",
    "DISCOUNT_NOT_ELIGIBLE",
    "LIMIT_EXCEEDED",
  ],
  alsoWrong: (input, { catalog }) => requestProblems(input, catalog),
  run: ({ input, agent, finderKey, intent }, { quotes }) =>
    quotes.create(input, { agentId: required(agent).id, finderKey }, required(intent)),
});
