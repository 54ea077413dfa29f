import { z } from "zod";
import { agentRead } from "../src/api/operation.ts";
import { identifier, WaitSeconds } from "../src/core/fields.ts";
import { Order } from "../src/orders/order-answer.ts";

export const getQuoteOrder = agentRead({
  name: "get_quote_order",
  title: "Read the order of a quote",
  description:
    "The order of a quote, once the buyer has paid. With wait, it responds as soon as the payment is decided. " +
    "Until then, ORDER_NOT_READY says what is missing.",
  tag: "Quotes",
  http: { method: "GET", path: "/v1/quotes/{quote_id}/order", status: 200 },
  input: z.strictObject({ quote_id: identifier(), wait: WaitSeconds }),
  output: Order,
  errors: ["NOT_FOUND", "ORDER_NOT_READY"],
  run: ({ input, agent, gone }, { orders }) =>
    orders.ofQuote(input.quote_id, agent.id, input.wait * 1000, gone),
});
