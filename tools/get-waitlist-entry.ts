import { z } from "zod";
import { identifier } from "../src/domain/shared/identifier.ts";
import { WaitlistEntry } from "../src/operations/answers-service.ts";
import { operation, required } from "../src/operations/operation.ts";

export const getWaitlistEntry = operation({
  name: "get_waitlist_entry",
  title: "Read a waitlist entry",
  description:
    "Where a buyer stands in the queue for a bean. OFFERED: request a quote for this buyer before " +
    "offer_expires_at, and the held bags are used.",
  http: { method: "GET", path: "/v1/waitlist/{waitlist_id}", status: 200 },
  access: "agent",
  effect: "read",
  hints: { destructive: false, openWorld: false },
  limits: [],
  input: z.strictObject({
    waitlist_id: identifier().describe("id of the waitlist entry."),
  }),
  output: WaitlistEntry,
  errors: ["NOT_FOUND"],
  run: async ({ input, agent }, { waitlist }) => ({
    body: await waitlist.get(input.waitlist_id, required(agent).id),
  }),
});
