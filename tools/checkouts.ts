import { z } from "zod";
import { optionalAgentRead, publicRead } from "../src/api/operation.ts";
import { Email } from "../src/core/email.ts";
import { WaitSeconds } from "../src/core/fields.ts";
import { afterCall, BY_PAGE } from "../src/merchant/buying.ts";
import { CheckoutUrl, LinkOrder } from "../src/orders/link-order.ts";
import { QuickCheckout } from "../src/quotes/quick-checkout.ts";
import {
  beanProblems,
  beansNamedIn,
  DiscountCode,
  GiftNote,
  items,
} from "../src/quotes/quote-request.ts";

export const buildQuickCheckoutLink = optionalAgentRead({
  name: "build_quick_checkout_link",
  title: "Make a checkout page",
  description: `Make a page with bags for one recipient, without a key. ${afterCall("build_quick_checkout_link", BY_PAGE)}`,
  tag: "Information",
  http: { method: "GET", path: "/v1/quick-checkout", status: 200 },
  points: 4,
  // Without a key every call makes a page of its own.
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    items: items("At least one bean.", "lines"),
    discount_code: DiscountCode.optional(),
    gift_note: GiftNote.optional(),
    buyer_email: Email.optional().describe("Fills in the form."),
  }),
  example: (product_id) => ({ items: [{ product_id, quantity: 1 }] }),
  output: QuickCheckout,
  errors: ["GEISHA_LOCKED", "OUT_OF_STOCK", "DISCOUNT_CODE_INVALID", "LIMIT_EXCEEDED"],
  catalogProblems: (input, catalog) => beanProblems(beansNamedIn(input), catalog),
  run: async ({ input, agent }, { quickCheckout, orders }) => {
    const cart = await quickCheckout.checkCart(input);
    const page = await quickCheckout.open(cart, agent?.id ?? null);
    const { status, message } = await orders.ofLink(page.checkout_url);
    if (status === "OPEN") return page;
    // The same agent asked for the same bags again.
    const message_for_buyer = `${message} Open the page to see it:\n${page.checkout_url}`;
    return { ...page, message_for_buyer };
  },
});

export const getLinkOrder = publicRead({
  name: "get_link_order",
  title: "Read the order of a checkout page",
  description:
    "Whether the buyer of a checkout page has paid: order, arrival, tracking, refunds. " +
    "With wait, it responds once paid or a first try failed.",
  tag: "Information",
  http: { method: "GET", path: "/v1/link-orders", status: 200 },
  page: "checkout_url",
  input: z.strictObject({ checkout_url: CheckoutUrl, wait: WaitSeconds }),
  output: LinkOrder,
  errors: ["NOT_FOUND"],
  run: ({ input, gone }, { orders }) => orders.ofLink(input.checkout_url, input.wait * 1000, gone),
});
