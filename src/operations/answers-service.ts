import { z } from "zod";
import { answer, Email, NextSteps, open, Time } from "./answers.ts";
import { CancelRequest } from "./answers-order.ts";

/** What answers beside the purchase look like; open like all the others (contract §0). */
export const CancelAnswer = CancelRequest.extend({
  reason_code: z.string(),
  created_at: Time,
  policy_note: z.string().describe("What a request means, and what it does not."),
  next: NextSteps,
}).meta({ id: "CancelAnswer" });

export const WaitlistEntry = answer({
  id: z.string(),
  product_id: z.string(),
  quantity: z.int(),
  buyer: answer({ email: Email }),
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

export const Acknowledgement = answer({
  id: z.string(),
  status: open(["RECEIVED"], "That it has arrived."),
  order_id: z.string().optional(),
  received_at: Time,
  message: z.string(),
  next: NextSteps,
}).meta({ id: "Acknowledgement" });

export const AskAnswer = answer({
  answer: z.string(),
  facts: z
    .array(answer({ product_id: z.string(), field: z.string(), value: z.string() }))
    .describe("What the answer rests on, from the catalog."),
  declined: z
    .string()
    .optional()
    .describe("Why it was politely not answered; tolerate new values."),
  finder: answer({
    progress: z.int().describe("Good questions so far."),
    needed: z.int(),
    finder_key: z
      .string()
      .optional()
      .describe("Opens the exclusive bean to this key's quotes. Shown only this once."),
    expires_at: Time.optional().describe("When the finder key ends."),
    hint: z.string().optional(),
  })
    .optional()
    .describe("With a key only: how far it is to a finder key."),
  next: NextSteps,
}).meta({ id: "AskAnswer" });
