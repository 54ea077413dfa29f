import { z } from "zod";
import { publicRead } from "../src/api/operation.ts";
import { Email } from "../src/core/email.ts";
import { QuickCheckoutLink } from "../src/quotes/quick-checkout.ts";
import {
  beanProblems,
  beansNamedIn,
  DiscountCode,
  GiftNote,
  items,
} from "../src/quotes/quote-request.ts";

export const buildQuickCheckoutLink = publicRead({
  name: "build_quick_checkout_link",
  title: "Build a quick-checkout link",
  description:
    "A link where the buyer enters email and address and pays. It needs no key and no quote, and orders " +
    "nothing. Give the whole link as plain text on its own line.",
  tag: "Information",
  http: { method: "GET", path: "/v1/quick-checkout", status: 200 },
  limits: ["quick_checkout"],
  input: z.strictObject({
    items: items("At least one bean.", "lines"),
    discount_code: DiscountCode.optional(),
    gift_note: GiftNote.optional(),
    buyer_email: Email.optional().describe("Fills in the form."),
  }),
  example: (product_id) => ({ items: [{ product_id, quantity: 1 }] }),
  output: QuickCheckoutLink,
  errors: ["GEISHA_LOCKED", "OUT_OF_STOCK", "DISCOUNT_CODE_INVALID", "LIMIT_EXCEEDED"],
  catalogProblems: (input, catalog) => beanProblems(beansNamedIn(input), catalog),
  run: async ({ input }, { quickCheckout }) =>
    quickCheckout.link(await quickCheckout.checkCart(input)),
});
