import { agentWrite } from "../src/api/operation.ts";
import { identifier } from "../src/core/fields.ts";
import { CancelWish } from "../src/orders/cancel-request.ts";
import { CancelAnswer } from "../src/orders/order-answer.ts";

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
