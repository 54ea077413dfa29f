import { z } from "zod";
import { agentRead } from "../src/api/operation.ts";
import { identifier } from "../src/core/fields.ts";
import { Order } from "../src/orders/order-answer.ts";

export const getOrder = agentRead({
  name: "get_order",
  title: "Read an order",
  description:
    "An order as it is now: items, price, payment, shipments with tracking. Accepts an order number " +
    "(1042) or an id.",
  tag: "Orders",
  http: { method: "GET", path: "/v1/orders/{order_id}", status: 200 },
  input: z.strictObject({ order_id: identifier() }),
  output: Order,
  errors: ["NOT_FOUND"],
  run: ({ input, agent }, { orders }) => orders.get(input.order_id, agent.id),
});
