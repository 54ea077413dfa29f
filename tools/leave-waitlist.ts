import { z } from "zod";
import { identifier } from "../src/domain/shared/fields.ts";
import { WaitlistEntry } from "../src/domain/waitlist/waitlist.ts";
import { agentWrite } from "../src/operations/operation.ts";

export const leaveWaitlist = agentWrite({
  name: "leave_waitlist",
  title: "Leave a waitlist",
  description: "Give up a place in the queue, and any bags held for it. It cannot be undone.",
  tag: "Waitlist",
  http: { method: "DELETE", path: "/v1/waitlist/{waitlist_id}", status: 200 },
  limits: ["changes"],
  hints: { destructive: true },
  input: z.strictObject({ waitlist_id: identifier() }),
  output: WaitlistEntry,
  errors: ["NOT_FOUND", "ILLEGAL_STEP"],
  run: ({ input, agent, intent }, { waitlist }) =>
    waitlist.leave(input.waitlist_id, agent.id, intent),
});
