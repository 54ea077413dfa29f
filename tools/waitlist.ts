import { z } from "zod";
import { agentRead, agentWrite } from "../src/api/operation.ts";
import { field, identifier, WaitSeconds } from "../src/core/fields.ts";
import { beanProblems } from "../src/quotes/quote-request.ts";
import { WaitlistEntry, WaitlistRequest } from "../src/waitlist/waitlist.ts";

export const joinWaitlist = agentWrite({
  name: "join_waitlist",
  title: "Join a waitlist",
  description:
    "Put a buyer who agrees in the queue for a waitlist bean that is short. Give the buyer status_url. " +
    "Joining again changes the quantity, unless bags are held.",
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

export const getWaitlistEntry = agentRead({
  name: "get_waitlist_entry",
  title: "Read a waitlist entry",
  description:
    "A place in the queue. With wait, it responds once bags are there. OFFERED: they are held; quote for this buyer, " +
    "who must pay before offer_expires_at.",
  tag: "Waitlist",
  http: { method: "GET", path: "/v1/waitlist/{waitlist_id}", status: 200 },
  input: z.strictObject({ waitlist_id: identifier(), wait: WaitSeconds }),
  output: WaitlistEntry,
  errors: ["NOT_FOUND"],
  run: ({ input, agent, gone }, { waitlist }) =>
    waitlist.get(input.waitlist_id, agent.id, input.wait * 1000, gone),
});

export const leaveWaitlist = agentWrite({
  name: "leave_waitlist",
  title: "Leave a waitlist",
  description: "Give up a place in the queue and its held bags. This can't be undone.",
  tag: "Waitlist",
  http: { method: "DELETE", path: "/v1/waitlist/{waitlist_id}", status: 200 },
  hints: { destructive: true },
  input: z.strictObject({ waitlist_id: identifier() }),
  output: WaitlistEntry,
  errors: ["NOT_FOUND", "ILLEGAL_STEP"],
  run: ({ input, agent, intent }, { waitlist }) =>
    waitlist.leave(input.waitlist_id, agent.id, intent),
});
