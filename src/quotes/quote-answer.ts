import { z } from "zod";
import { Address } from "../core/address.ts";
import {
  answer,
  Buyer,
  Display,
  Estimate,
  IN_MODE,
  Minor,
  NextSteps,
  open,
  Time,
} from "../core/answer.ts";

export const Courtesy = answer({
  kind: open(["FIRST_ORDER", "SPEND"], "Which courtesy."),
  code: z.string().optional(),
  amount_minor: Minor,
});

export const Pricing = answer({
  subtotal_minor: Minor,
  courtesy: Courtesy.extend({
    allocations: z
      .array(answer({ shipment: z.int(), line: z.int(), amount_minor: Minor }))
      .describe("Which line of which shipment bears how much; sums to amount_minor."),
  })
    .nullable()
    .describe("The one courtesy of the order, or null."),
  shipping_minor: Minor,
  total_minor: Minor,
  total_display: Display,
}).meta({ id: "Pricing" });

export type Pricing = z.infer<typeof Pricing>;

/** Bags of one bean, by its display name. Quotes of earlier versions have more fields. */
export const Item = answer({
  product_id: z.string(),
  name: z.string(),
  quantity: z.int(),
  unit_price_minor: Minor,
}).meta({ id: "Item" });

export type Item = z.infer<typeof Item>;

export const OutAddress = answer(Address.shape).partial({ line2: true }).meta({ id: "Address" });

export type OutAddress = z.infer<typeof OutAddress>;

export const CodeOutcome = answer({
  code: z.string(),
  applied: z.boolean(),
  reason: z.string().optional(),
});

/** The exact terms that the buyer approves. They never change (contract §4). */
export const Terms = answer({
  contract_version: z.string(),
  policy_version: z.string(),
  buyer: Buyer,
  currency: z.string(),
  shipments: z.array(
    answer({
      recipient_ref: z.string(),
      address: OutAddress,
      items: z.array(Item),
      gift_notes: z.array(z.string()),
      subtotal_minor: Minor,
      shipping_minor: Minor,
      courtesy_minor: Minor.optional().describe("Its share of the courtesy, if any."),
    }),
  ),
  pricing: Pricing,
  discount_code: CodeOutcome.nullish().describe("If a code was sent."),
  preferences: answer({ substitutions: z.string() }),
  expires_at: Time,
  nonce: z.string(),
})
  .describe("What the buyer approves; quote_hash is taken over its RFC 8785 JSON.")
  .meta({ id: "QuoteTerms" });

export type Terms = z.infer<typeof Terms>;

export const Message = answer({ code: z.string(), text: z.string() }).meta({ id: "Message" });

export type Message = z.infer<typeof Message>;

const QuoteStatus = open(
  ["OPEN", "CHECKOUT_READY", "PROCESSING", "PAID", "EXPIRED", "INVALIDATED", "WAITLIST_OFFERED"],
  "WAITLIST_OFFERED: not in stock.",
);

export const Quote = answer({
  id: z.string(),
  status: QuoteStatus,
  quote_hash: z.string().describe('"sha256:" and 64 hex digits.'),
  terms: Terms,
  created_at: Time,
  ...IN_MODE,
  delivery: z.string().describe("Expected delivery, for people."),
  estimated_delivery: Estimate.optional().describe(
    "Expected arrival if paid today, not promised. Absent if it can't be paid.",
  ),
  checkout: answer({ review_url: z.string() }).optional(),
  order_id: z.string().optional(),
  waitlist: answer({
    short: z.array(answer({ product_id: z.string(), requested: z.int(), available: z.int() })),
  }).optional(),
  offer_expires_at: Time.optional().describe("The waitlist holds needed bags until then."),
  messages: z.array(Message),
  next: NextSteps,
}).meta({ id: "Quote" });

export type Quote = z.infer<typeof Quote>;

export const Checkout = answer({
  quote_id: z.string(),
  status: QuoteStatus.describe("Status of the quote."),
  quote_hash: z.string(),
  review_url: z.string(),
  expires_at: Time,
  ...IN_MODE,
  total_minor: Minor,
  total_display: Display,
  message_for_buyer: z.string(),
  next: NextSteps,
}).meta({ id: "Checkout" });

export type Checkout = z.infer<typeof Checkout>;
