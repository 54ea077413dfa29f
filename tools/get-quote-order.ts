import { z } from "zod";
import { Order } from "../src/domain/order/order-answer.ts";
import { identifier } from "../src/domain/shared/identifier.ts";
import { agentRead } from "../src/operations/operation.ts";

export const getQuoteOrder = agentRead({
  name: "get_quote_order",
  title: "Read the order of a quote",
  description:
    "The order that exists once the buyer has paid the quote. Before that it answers ORDER_NOT_READY: " +
    "give the buyer the review link, and ask again later. Where retryable is false, no order can come " +
    "any more.",
  tag: "Quotes",
  http: { method: "GET", path: "/v1/quotes/{quote_id}/order", status: 200 },
  input: z.strictObject({ quote_id: identifier().describe("id of the quote.") }),
  output: Order,
  errors: ["NOT_FOUND", "ORDER_NOT_READY"],
  run: ({ input, agent }, { quotes }) => quotes.order(input.quote_id, agent.id),
});
