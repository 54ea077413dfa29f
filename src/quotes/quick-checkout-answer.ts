import { z } from "zod";
import { answer, Time } from "../core/answer.ts";
import { CodeOutcome, Courtesy, Item, Pricing } from "./quote-answer.ts";

export const CartPricing = Pricing.extend({
  currency: z.string(),
  courtesy: Courtesy.nullable(),
  discount_code: CodeOutcome.optional().describe(
    "Where the link carries a code: whether it takes something off, or why not.",
  ),
});

export type CartPricing = z.infer<typeof CartPricing>;

const ofCart = {
  items: z.array(Item),
  pricing: CartPricing,
  message_for_buyer: z.string(),
};

export const QuickCheckoutLink = answer({
  url: z.string().describe("The complete link; give it whole, on its own line."),
  ...ofCart,
}).meta({ id: "QuickCheckoutLink" });

export type QuickCheckoutLink = z.infer<typeof QuickCheckoutLink>;

/** What GET /v1/quick-checkout answers with format=json. */
export const QuickCheckout = answer({
  checkout_url: z.string().describe("Give it whole, on its own line."),
  expires_at: Time,
  ...ofCart,
}).meta({ id: "QuickCheckout" });

export type QuickCheckout = z.infer<typeof QuickCheckout>;
