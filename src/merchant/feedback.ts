import { z } from "zod";
import { answer, NextSteps, open, Time } from "../core/answer.ts";
import { insert, type Rule } from "../core/command.ts";
import { Email } from "../core/email.ts";
import { identifier, prose } from "../core/fields.ts";
import { step } from "../core/next-step.ts";
import { iso, LIMITS } from "../core/policy.ts";
import type { FeedbackRow, LeadRow } from "../core/records.ts";
import { noSecrets } from "../core/secrets.ts";

/** Messages of agents (contract §18): feedback, and leads for more bags than a quote takes. */
const freeText = (most: number, what: string) => prose(what, most, noSecrets);

export const MessageText = freeText(LIMITS.feedback_characters, "The message");

export const Feedback = z.strictObject({
  message: MessageText.describe("No card numbers, keys or other secrets."),
  order_id: identifier().optional().describe("What it is about."),
});

export type Feedback = z.infer<typeof Feedback>;

export const BulkLead = z.strictObject({
  email: Email.describe("Where the merchant answers."),
  purpose: freeText(LIMITS.feedback_characters, "The purpose").describe(
    "What for, and when. No secrets.",
  ),
  quantity: freeText(LIMITS.text_characters, "The quantity")
    .optional()
    .describe('In words: "about 400 bags a month".'),
  organization: freeText(LIMITS.text_characters, "The organization").optional(),
});

export type BulkLead = z.infer<typeof BulkLead>;

export const Acknowledgement = answer({
  id: z.string(),
  status: open(["RECEIVED"], "That it has arrived."),
  order_id: z.string().optional(),
  received_at: Time,
  message: z.string(),
  next: NextSteps,
}).meta({ id: "Acknowledgement" });

export type Acknowledgement = z.infer<typeof Acknowledgement>;

export const sendFeedback: Rule<{ feedback: FeedbackRow }, Acknowledgement> = {
  reads: () => [],
  decide: ({ feedback }) => ({
    reply: feedbackReceived(feedback),
    writes: [insert("feedback", feedback)],
  }),
};

export const feedbackReceived = (
  row: Pick<FeedbackRow, "id" | "order_id" | "created_at">,
): Acknowledgement => ({
  id: row.id,
  status: "RECEIVED",
  ...(row.order_id !== null && { order_id: row.order_id }),
  received_at: iso(row.created_at),
  message: "Thank you. The merchant reads every message and answers by email.",
  next: [
    row.order_id === null
      ? step("get_catalog", "Go on with the catalog.")
      : step("get_order", "Read the order as it is now.", row.order_id),
  ],
});

export const sendLead: Rule<{ lead: LeadRow }, Acknowledgement> = {
  reads: () => [],
  decide: ({ lead }) => ({ reply: leadReceived(lead), writes: [insert("leads", lead)] }),
};

export const leadReceived = (
  row: Pick<LeadRow, "id" | "email" | "created_at">,
): Acknowledgement => ({
  id: row.id,
  status: "RECEIVED",
  received_at: iso(row.created_at),
  message:
    `The merchant follows up by email to ${row.email}. ` +
    "No pricing, availability or timing is promised.",
  next: [step("get_catalog", "What the catalog has can be quoted right away.")],
});
