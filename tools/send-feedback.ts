import { Acknowledgement, Feedback } from "../src/domain/messages/messages.ts";
import { agentWrite } from "../src/operations/operation.ts";

export const sendFeedback = agentWrite({
  name: "send_feedback",
  title: "Send feedback",
  description:
    "Tell the shop owner what a buyer or an agent thinks, about an order or in general. Leave out card " +
    "numbers, keys and other secrets: such a message is refused and not stored. To cancel, call " +
    "request_cancellation instead.",
  tag: "Messages",
  http: { method: "POST", path: "/v1/feedback", status: 201 },
  limits: ["feedback"],
  input: Feedback,
  output: Acknowledgement,
  errors: ["NOT_FOUND", "SECRET_IN_MESSAGE"],
  run: ({ input, agent, intent }, { messages }) => messages.feedback(input, agent.id, intent),
});
