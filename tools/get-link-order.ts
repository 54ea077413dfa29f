import { z } from "zod";
import { publicRead } from "../src/api/operation.ts";
import { CheckoutUrl, LinkOrder } from "../src/orders/link-order.ts";

export const getLinkOrder = publicRead({
  name: "get_link_order",
  title: "Read the order of a checkout page",
  description:
    "Whether the buyer of a checkout page has paid, with the order's number, status and tracking. No key " +
    "needed.",
  tag: "Information",
  http: { method: "GET", path: "/v1/link-orders", status: 200 },
  limits: ["quick_checkout"],
  input: z.strictObject({ checkout_url: CheckoutUrl }),
  output: LinkOrder,
  errors: ["NOT_FOUND"],
  run: ({ input }, { orders }) => orders.ofLink(input.checkout_url),
});
