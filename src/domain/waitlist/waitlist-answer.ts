import { z } from "zod";
import { answer, EmailAddress, NextSteps, open, Time } from "../shared/answer.ts";

export const WaitlistEntry = answer({
  id: z.string(),
  product_id: z.string(),
  quantity: z.int(),
  buyer: answer({ email: EmailAddress }),
  status: open(
    ["WAITING", "OFFERED", "CONVERTED", "EXPIRED", "LEFT"],
    "OFFERED: the bags are held until offer_expires_at.",
  ),
  position: z.int().nullable().describe("1 is the head of the queue; null unless WAITING."),
  eta: z.null().describe("Not known, and never guessed."),
  offer_expires_at: Time.optional(),
  created_at: Time,
  next: NextSteps,
}).meta({ id: "WaitlistEntry" });

export type WaitlistEntry = z.infer<typeof WaitlistEntry>;
