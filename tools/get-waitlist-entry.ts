import { z } from "zod";
import { agentRead } from "../src/api/operation.ts";
import { identifier, WaitSeconds } from "../src/core/fields.ts";
import { WaitlistEntry } from "../src/waitlist/waitlist.ts";

export const getWaitlistEntry = agentRead({
  name: "get_waitlist_entry",
  title: "Read a waitlist entry",
  description:
    "A place in the queue. With wait, it responds as soon as bags are there. OFFERED: they are held; quote for this buyer, " +
    "who must pay before offer_expires_at.",
  tag: "Waitlist",
  http: { method: "GET", path: "/v1/waitlist/{waitlist_id}", status: 200 },
  input: z.strictObject({ waitlist_id: identifier(), wait: WaitSeconds }),
  output: WaitlistEntry,
  errors: ["NOT_FOUND"],
  run: ({ input, agent, gone }, { waitlist }) =>
    waitlist.get(input.waitlist_id, agent.id, input.wait * 1000, gone),
});
