import { agentVerbs } from "./agents.ts";
import type { Context } from "./context.ts";
import { informationVerbs } from "./information.ts";
import { orderVerbs } from "./orders.ts";
import { paymentVerbs } from "./payments.ts";
import { quickCheckoutVerbs } from "./quick-checkout.ts";
import { quoteVerbs } from "./quotes.ts";
import { reconciler } from "./reconciler.ts";
import { webhookVerbs } from "./webhooks.ts";

export type Merchant = ReturnType<typeof createMerchant>;

/** Every verb of the house over one store, one catalog and one provider. */
export function createMerchant(context: Context) {
  const payments = paymentVerbs(context);
  const quotes = quoteVerbs(context);
  const webhooks = webhookVerbs(context, payments);
  return {
    context,
    catalog: context.catalog,
    information: informationVerbs(context),
    agents: agentVerbs(context),
    quotes,
    quickCheckout: quickCheckoutVerbs(context, quotes),
    orders: orderVerbs(context),
    payments,
    webhooks,
    reconciler: reconciler(context, payments, webhooks),
  };
}
