import { z } from "zod";
import { agentRead } from "../src/api/operation.ts";
import { atMost, identifier, WaitSeconds, whole } from "../src/core/fields.ts";
import { OrderEvents } from "../src/orders/order-answer.ts";

/** More events than an order can have. */
const MOST_SEQUENCE = 999_999_999_999_999;

export const listOrderEvents = agentRead({
  name: "list_order_events",
  title: "Follow an order",
  description:
    "Events of an order, oldest first. Pass next_after as after. With wait, it responds as soon as " +
    "something happens.",
  tag: "Orders",
  http: { method: "GET", path: "/v1/orders/{order_id}/events", status: 200 },
  input: z.strictObject({
    order_id: identifier(),
    after: whole({ least: 0, most: MOST_SEQUENCE })
      .default(0)
      .describe("A sequence number; 0 for all."),
    limit: atMost({ least: 1, most: 100 }).default(50),
    wait: WaitSeconds,
  }),
  output: OrderEvents,
  errors: ["NOT_FOUND"],
  run: ({ input, agent, gone }, { orders }) =>
    orders.events(
      input.order_id,
      agent.id,
      { after: input.after, limit: input.limit, waitMs: input.wait * 1000 },
      gone,
    ),
});
