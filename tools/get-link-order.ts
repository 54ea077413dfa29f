import { z } from "zod";
import { publicRead } from "../src/api/operation.ts";
import { WaitSeconds } from "../src/core/fields.ts";
import { CheckoutUrl, LinkOrder } from "../src/orders/link-order.ts";

export const getLinkOrder = publicRead({
  name: "get_link_order",
  title: "Read the order of a checkout page",
  description:
    "Whether the buyer of a checkout page has paid: order, arrival, tracking, refunds. " +
    "With wait, it responds once paid or declined.",
  tag: "Information",
  http: { method: "GET", path: "/v1/link-orders", status: 200 },
  page: "checkout_url",
  input: z.strictObject({ checkout_url: CheckoutUrl, wait: WaitSeconds }),
  output: LinkOrder,
  errors: ["NOT_FOUND"],
  run: ({ input, gone }, { orders }) => orders.ofLink(input.checkout_url, input.wait * 1000, gone),
});
