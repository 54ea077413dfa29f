import { agentWrite } from "../src/api/operation.ts";
import { Acknowledgement, BulkLead, Feedback } from "../src/merchant/feedback.ts";

export const sendFeedback = agentWrite({
  name: "send_feedback",
  title: "Send feedback",
  description:
    "Tell the merchant what a buyer needs or thinks: a new address, a damaged or missing shipment, " +
    "single bags to cancel. To cancel shipments, call request_cancellation.",
  tag: "Messages",
  http: { method: "POST", path: "/v1/feedback", status: 201 },
  input: Feedback,
  output: Acknowledgement,
  errors: ["NOT_FOUND", "SECRET_IN_MESSAGE"],
  run: ({ input, agent, intent }, { messages }) => messages.feedback(input, agent.id, intent),
});

export const sendBulkLead = agentWrite({
  name: "send_bulk_lead",
  title: "Ask for a bulk order",
  description:
    "Ask for more than a quote allows. The merchant answers by email. Nothing is promised or ordered.",
  tag: "Messages",
  http: { method: "POST", path: "/v1/bulk-leads", status: 201 },
  input: BulkLead,
  output: Acknowledgement,
  errors: ["SECRET_IN_MESSAGE"],
  run: ({ input, agent, intent }, { messages }) => messages.lead(input, agent.id, intent),
});
