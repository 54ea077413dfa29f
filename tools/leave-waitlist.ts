import { z } from "zod";
import { agentWrite } from "../src/api/operation.ts";
import { identifier } from "../src/core/fields.ts";
import { WaitlistEntry } from "../src/waitlist/waitlist.ts";

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
