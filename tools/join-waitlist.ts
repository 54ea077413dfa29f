import { agentWrite } from "../src/api/operation.ts";
import { field } from "../src/core/fields.ts";
import { beanProblems } from "../src/quotes/quote-request.ts";
import { WaitlistEntry, WaitlistRequest } from "../src/waitlist/waitlist.ts";

export const joinWaitlist = agentWrite({
  name: "join_waitlist",
  title: "Join a waitlist",
  description:
    "Put a buyer who agrees in the queue for a waitlist bean that is short. Give the buyer status_url. " +
    "Joining again changes the quantity.",
  tag: "Waitlist",
  http: { method: "POST", path: "/v1/waitlist", status: 201 },
  input: WaitlistRequest,
  example: (product_id) => ({ product_id, quantity: 1, buyer: { email: "buyer@example.com" } }),
  output: WaitlistEntry,
  errors: ["WAITLIST_NOT_OFFERED", "IN_STOCK", "LIMIT_EXCEEDED"],
  catalogProblems: (input, catalog) =>
    beanProblems([{ pointer: "/product_id", id: field(input, "product_id") }], catalog),
  run: ({ input, agent, intent }, { waitlist }) => waitlist.join(input, agent.id, intent),
});
