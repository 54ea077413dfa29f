import { CancelWish } from "../src/domain/order/cancel-request.ts";
import { identifier } from "../src/domain/shared/identifier.ts";
import { CancelAnswer } from "../src/operations/answers-service.ts";
import { operation, required } from "../src/operations/operation.ts";

export const requestCancellation = operation({
  name: "request_cancellation",
  title: "Ask to cancel an order",
  description:
    "Ask the seller to cancel an order when the buyer wants that. It is a request only: the seller " +
    "decides, and refunds are not promised. Follow list_order_events for the decision.",
  http: { method: "POST", path: "/v1/orders/{order_id}/cancel-requests", status: 202 },
  access: "agent",
  effect: "write",
  hints: { destructive: true, openWorld: false },
  limits: [],
  input: CancelWish.extend({ order_id: identifier().describe("id of the order.") }),
  output: CancelAnswer,
  errors: ["NOT_FOUND", "CANCEL_REQUEST_OPEN", "ILLEGAL_STEP", "SECRET_IN_MESSAGE"],
  run: ({ input, agent, intent }, { cancellations }) => {
    const { order_id, ...wish } = input;
    return cancellations.request(order_id, wish, required(agent).id, required(intent));
  },
});
