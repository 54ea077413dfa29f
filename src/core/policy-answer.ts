import { z } from "zod";
import { answer, Minor, Mode, NextSteps } from "./answer.ts";

export const PolicyPassage = answer({ topic: z.string(), text: z.string() }).meta({
  id: "PolicyPassage",
});

/** Policy and offers (contract §17), each in a sentence that can be told to a buyer. */
export const PolicyAnswer = answer({
  policy_version: z.string(),
  mode: Mode,
  contact: z.string().nullable().describe("Where people write to; null where none is named."),
  ship_to: z.array(z.string()),
  substitutions: z.string(),
  refunds: z.string(),
  cancellation: z.string(),
  delivery: z.string(),
  shipping: answer({
    rule: z.string(),
    per_address_minor: Minor,
    free_from_minor: Minor,
    currency: z.string(),
  }),
  gift_notes: z.string(),
  courtesies: z.string(),
  tax: z.string(),
  payment: z.string(),
  offers: z.array(
    answer({
      kind: z.string(),
      code: z.string().nullable(),
      active: z.boolean(),
      rule: z.string(),
    }),
  ),
  limits: z
    .record(z.string(), z.int())
    .describe("Of a request: bags, addresses, characters, bytes."),
  unpaid_holds: answer({
    rule: z.string(),
    minutes: z.int(),
    address_percent: z.int().describe("Of a bean's free bags, what one address may hold unpaid."),
    customer_percent: z.int().describe("The same for one customer."),
    small_order_bags: z.int().describe("So many bags may always be held."),
  }),
  passages: z.array(PolicyPassage),
  rate_limits: z.record(z.string(), z.string()).describe("As in 30 per minute per key."),
  next: NextSteps,
}).meta({ id: "Policy" });

export type PolicyAnswer = z.infer<typeof PolicyAnswer>;
