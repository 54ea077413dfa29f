import { z } from "zod";
import { agentRead, agentWrite } from "../src/api/operation.ts";
import { Email } from "../src/core/email.ts";
import { atMost, identifier, text, WaitSeconds, whole } from "../src/core/fields.ts";
import { CancelWish } from "../src/orders/cancel-request.ts";
import { CancelAnswer, Order, OrderEvents, OrderList } from "../src/orders/order-answer.ts";

const NO_TIME = "Send an ISO 8601 time with its zone, such as 2026-01-31T09:30:00.000Z.";

export const listOrders = agentRead({
  name: "list_orders",
  title: "List orders",
  description:
    "Orders of this key, newest first. view=summary is shorter; get_order has everything. For more, " +
    "pass next_before as before until it is null.",
  tag: "Orders",
  http: { method: "GET", path: "/v1/orders", status: 200 },
  input: z.strictObject({
    buyer_email: Email.optional().describe("Only this person's orders."),
    limit: atMost({ least: 1, most: 100 }).default(50),
    before: text({ what: "before", most: 40, rules: [(value) => (isTime(value) ? null : NO_TIME)] })
      .optional()
      .describe("ISO 8601 time; only older orders."),
    view: z.enum(["full", "summary"]).default("full"),
  }),
  output: OrderList,
  run: ({ input, agent }, { orders }) => orders.list(agent.id, input),
});

function isTime(value: string): boolean {
  const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
  if (!shape.test(value) || Number.isNaN(Date.parse(value))) return false;
  // JavaScript reads February 30 as March 2.
  const day = value.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

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

/** More events than an order can have. */
const MOST_SEQUENCE = 999_999_999_999_999;

export const listOrderEvents = agentRead({
  name: "list_order_events",
  title: "Follow an order",
  description:
    "Events of an order, oldest first. Pass next_after as after. With wait, it responds once something happens.",
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

export const requestCancellation = agentWrite({
  name: "request_cancellation",
  title: "Ask to cancel an order",
  description:
    "Ask the merchant to cancel an order or some of its shipments, if the buyer wants that. For single " +
    "bags use send_feedback. The merchant " +
    "decides; until then the order goes on. No refund is promised. The decision is an event.",
  tag: "Orders",
  http: { method: "POST", path: "/v1/orders/{order_id}/cancel-requests", status: 202 },
  hints: { destructive: true },
  input: CancelWish.extend({ order_id: identifier() }),
  output: CancelAnswer,
  errors: ["NOT_FOUND", "CANCEL_REQUEST_OPEN", "ILLEGAL_STEP", "SECRET_IN_MESSAGE"],
  run: ({ input, agent, intent }, { cancellations }) => {
    const { order_id, ...wish } = input;
    return cancellations.request(order_id, wish, agent.id, intent);
  },
});

export const withdrawCancellation = agentWrite({
  name: "withdraw_cancellation",
  title: "Take back a cancel request",
  description: "Take back a cancel request that the merchant has not decided yet.",
  tag: "Orders",
  http: { method: "DELETE", path: "/v1/orders/{order_id}/cancel-requests", status: 200 },
  input: z.strictObject({ order_id: identifier() }),
  output: CancelAnswer,
  errors: ["NOT_FOUND", "ILLEGAL_STEP"],
  run: ({ input, agent, intent }, { cancellations }) =>
    cancellations.withdraw(input.order_id, agent.id, intent),
});
