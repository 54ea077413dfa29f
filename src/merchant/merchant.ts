import { addressPseudonym } from "../domain/shared/client-address.ts";
import type { Intent } from "../domain/shared/command.ts";
import { type Actor, actsOf } from "./act-context.ts";
import { adminCatalog } from "./admin-catalog.ts";
import { adminOrders } from "./admin-orders.ts";
import { adminShop } from "./admin-shop.ts";
import { adminStock } from "./admin-stock.ts";
import { adminTasks } from "./admin-tasks.ts";
import { adminViews } from "./admin-views.ts";
import { agentVerbs } from "./agents.ts";
import { cancellationVerbs } from "./cancellations.ts";
import type { Context } from "./context.ts";
import { deskVerbs } from "./desk.ts";
import { finderVerbs } from "./finder.ts";
import { housekeeping } from "./housekeeping.ts";
import { informationVerbs } from "./information.ts";
import { mailVerbs } from "./mail.ts";
import { messageVerbs } from "./messages.ts";
import { orderVerbs } from "./orders.ts";
import { paymentVerbs } from "./payments.ts";
import { privacyVerbs } from "./privacy.ts";
import { quickCheckoutVerbs } from "./quick-checkout.ts";
import { quoteVerbs } from "./quotes.ts";
import { reconciler } from "./reconciler.ts";
import { retention } from "./retention.ts";
import { reviewVerbs } from "./reviews.ts";
import { salesVerbs } from "./sales.ts";
import { settlements } from "./settlements.ts";
import { waitlistVerbs } from "./waitlist.ts";
import { webhookVerbs } from "./webhooks.ts";

export type Merchant = ReturnType<typeof createMerchant>;

/** What only the merchant may do, at the desk or on the command line. */
export type Admin = ReturnType<Merchant["admin"]>;

/**
 * Every verb there is, over one store, one catalog and one provider. What it stands on is not
 * shown: what no verb offers, an interface cannot have.
 */
export function createMerchant(context: Context) {
  const settling = settlements(context);
  const quotes = quoteVerbs(context);
  const orders = orderVerbs(context);
  const mail = mailVerbs(context, orders);
  const waitlist = waitlistVerbs(context);
  const webhooks = webhookVerbs(context, settling);
  const { provider, baseUrl, supportEmail } = context;
  return {
    mode: provider.mode,
    baseUrl,
    supportEmail,
    /** Whether this intent has its answer already, so that whatever is asked makes nothing new. */
    isRetry: async (intent: Intent): Promise<boolean> =>
      ((await context.store.queries.answeredUntil(intent)) ?? 0) > context.clock(),
    /** A client's address as it may be kept: tells two apart, and cannot be read back. */
    addressPseudonym: (address: string): string => addressPseudonym(context.secret, address),
    catalog: context.catalog,
    information: informationVerbs(context),
    agents: agentVerbs(context),
    desk: deskVerbs(context),
    finder: finderVerbs(context),
    quotes,
    quickCheckout: quickCheckoutVerbs(context, quotes),
    orders,
    reviews: reviewVerbs(context),
    cancellations: cancellationVerbs(context),
    waitlist,
    messages: messageVerbs(context),
    mail,
    sales: salesVerbs(context),
    payments: paymentVerbs(context, settling),
    settlements: settling,
    webhooks,
    reconciler: reconciler(context, settling, webhooks),
    housekeeping: housekeeping(context),
    retention: retention(context),
    /** What is asked of the database as a whole (contract §16). */
    database: {
      /** `room`: for new rows, where there is a disk to look at. Rejects where it does not answer. */
      health: (): Promise<{ room: boolean }> => context.store.health(),
      /** Copies it into one file, while the service runs. SQLite only. */
      backup: (file: string): Promise<void> => context.store.backup(file),
    },
    /** The merchant's own verbs; every act is written down under the interface it came through. */
    admin: (actor: Actor) => {
      const act = actsOf(context, actor);
      return {
        views: adminViews(context, orders),
        ...adminOrders(context, orders, settling, act),
        ...adminCatalog(context, act),
        ...adminShop(context, waitlist, act),
        ...adminTasks(context, act),
        stock: adminStock(context, act),
        customers: privacyVerbs(context, settling, act),
      };
    },
  };
}
