import { z } from "zod";
import { answer, NextSteps, Time } from "../core/answer.ts";

export const AskAnswer = answer({
  answer: z.string(),
  facts: z
    .array(answer({ product_id: z.string(), field: z.string(), value: z.string() }))
    .describe("What the answer rests on, from the catalog; empty where it rests on policy."),
  declined: z
    .string()
    .optional()
    .describe("Why it was politely not answered; tolerate new values."),
  not_answered: z
    .array(z.string())
    .optional()
    .describe("Parts of the question that stay open, in its own words."),
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
    .describe("With a key only, when this question changed it: how far it is to a finder key."),
  next: NextSteps,
}).meta({ id: "AskAnswer" });

export type AskAnswer = z.infer<typeof AskAnswer>;
