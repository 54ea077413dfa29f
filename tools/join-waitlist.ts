import { productProblems } from "../src/domain/quote/quote-request.ts";
import { field } from "../src/domain/shared/fields.ts";
import { hours, TIMES } from "../src/domain/shared/policy.ts";
import { WaitlistRequest } from "../src/domain/waitlist/waitlist.ts";
import { WaitlistEntry } from "../src/domain/waitlist/waitlist-answer.ts";
import { agentWrite } from "../src/operations/operation.ts";

export const joinWaitlist = agentWrite({
  name: "join_waitlist",
  title: "Join a waitlist",
  description:
    "Put a buyer in the queue for a waitlist bean of which there are too few bags, once the buyer " +
    "agrees. First come, first served; when it cannot be said. It orders nothing, and where there are " +
    "enough bags it answers IN_STOCK. Look again with get_waitlist_entry: OFFERED means that the bags " +
    `are held for ${hours(TIMES.waitlist_offer_ms)} for a quote.`,
  tag: "Waitlist",
  http: { method: "POST", path: "/v1/waitlist", status: 201 },
  limits: ["waitlist"],
  input: WaitlistRequest,
  output: WaitlistEntry,
  errors: ["WAITLIST_NOT_OFFERED", "IN_STOCK", "ALREADY_WAITING", "LIMIT_EXCEEDED"],
  catalogProblems: (input, catalog) =>
    productProblems(field(input, "product_id"), "/product_id", catalog),
  run: ({ input, agent, intent }, { waitlist }) => waitlist.join(input, agent.id, intent),
});
