import { z } from "zod";
import { agentWrite } from "../src/api/operation.ts";
import { identifier } from "../src/core/fields.ts";
import { CancelAnswer } from "../src/orders/order-answer.ts";

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
