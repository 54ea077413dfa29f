import { z } from "zod";
import { identifier } from "../src/domain/shared/identifier.ts";
import { WaitlistEntry } from "../src/domain/waitlist/waitlist-answer.ts";
import { agentRead } from "../src/operations/operation.ts";

export const getWaitlistEntry = agentRead({
  name: "get_waitlist_entry",
  title: "Read a waitlist entry",
  description:
    "Where a buyer stands in the queue for a bean. OFFERED: request a quote for this buyer before " +
    "offer_expires_at, and the held bags are used.",
  tag: "Waitlist",
  http: { method: "GET", path: "/v1/waitlist/{waitlist_id}", status: 200 },
  input: z.strictObject({
    waitlist_id: identifier().describe("id of the waitlist entry."),
  }),
  output: WaitlistEntry,
  errors: ["NOT_FOUND"],
  run: ({ input, agent }, { waitlist }) => waitlist.get(input.waitlist_id, agent.id),
});
