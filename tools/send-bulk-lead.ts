import { agentWrite } from "../src/api/operation.ts";
import { Acknowledgement, BulkLead } from "../src/merchant/feedback.ts";

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
