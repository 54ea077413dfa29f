import { z } from "zod";
import { answer, NextSteps, Time } from "../core/answer.ts";
import { PolicyPassage } from "../core/shop.ts";

const BeanLines = z.array(answer({ product_id: z.string(), text: z.string() }));

export const AskAnswer = answer({
  answer: z.string().describe("What is declined or withheld, and that nothing else is stated."),
  beans: BeanLines.describe("All coffees: those meant in full, the others in short."),
  policy: z
    .array(PolicyPassage)
    .optional()
    .describe("The whole policy, unless the question is about coffees only."),
  not_given: z.array(z.string()).optional(),
  declined: z.string().optional().describe("Why a part is declined; tolerate new values."),
  finder: answer({
    progress: z.int(),
    needed: z.int(),
    hint: z.string().describe("Whether this question counted, and what is missing."),
    finder_key: z.string().optional().describe("Opens the exclusive bean to this key's quotes."),
    expires_at: Time.optional(),
  })
    .optional()
    .describe("With a key: how far it is to a finder key."),
  next: NextSteps,
}).meta({ id: "AskAnswer" });

export type AskAnswer = z.infer<typeof AskAnswer>;
