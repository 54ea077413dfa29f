import { z } from "zod";
import { Order } from "../src/domain/order/order-answer.ts";
import { identifier } from "../src/domain/shared/fields.ts";
import { agentRead } from "../src/operations/operation.ts";

export const getOrder = agentRead({
  name: "get_order",
  title: "Read an order",
  description:
    "An order as it is now: items, price, payment, shipments with tracking. The number that people " +
    "say, such as 1042, does as its id.",
  tag: "Orders",
  http: { method: "GET", path: "/v1/orders/{order_id}", status: 200 },
  input: z.strictObject({ order_id: identifier() }),
  output: Order,
  errors: ["NOT_FOUND"],
  run: ({ input, agent }, { orders }) => orders.get(input.order_id, agent.id),
});
