import { type Catalog, nameForPeople } from "../domain/catalog/catalog.ts";
import type { CartPricing } from "../domain/quick-checkout/quick-checkout-answer.ts";
import { beanPicture, type LineView, type PricingView } from "./pages/index.ts";

/** A line as a quote or a cart has it. */
interface PriceLine {
  product_id: string;
  name: string;
  quantity: number;
  unit_price_minor: number;
}

/** A line for people. A bean that left the catalog keeps the name it was quoted by. */
export const lineView = (catalog: Catalog, line: PriceLine): LineView => ({
  name: nameForPeople(catalog, line),
  ...(catalog.known(line.product_id) && { picture: beanPicture(line.product_id) }),
  quantity: line.quantity,
  unitMinor: line.unit_price_minor,
  lineMinor: line.unit_price_minor * line.quantity,
});

/** The price of a quote or a cart, and the code that took nothing off, with the reason (contract §2). */
export function pricingView(
  pricing: Pick<CartPricing, "subtotal_minor" | "courtesy" | "shipping_minor" | "total_minor">,
  code: CartPricing["discount_code"] | null,
): PricingView {
  const { courtesy } = pricing;
  return {
    subtotalMinor: pricing.subtotal_minor,
    courtesy: courtesy && {
      kind: courtesy.kind,
      code: courtesy.code,
      amountMinor: courtesy.amount_minor,
    },
    ...(code && !code.applied && { unusedCode: { code: code.code, reason: code.reason ?? "" } }),
    shippingMinor: pricing.shipping_minor,
    totalMinor: pricing.total_minor,
  };
}
