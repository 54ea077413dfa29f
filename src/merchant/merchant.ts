import { agentVerbs } from "../agents/agent-verbs.ts";
import { finderVerbs } from "../agents/finder-verbs.ts";
import { adminCatalog } from "../catalog/admin-catalog.ts";
import { adminStock } from "../catalog/admin-stock.ts";
import { checkoutVerbs } from "../checkouts/checkout-verbs.ts";
import { type Act, type Actor, actsOf } from "../core/admin-verb.ts";
import type { Intent } from "../core/command.ts";
import { addressPseudonym } from "../core/network.ts";
import { afterBreak, pauseAt } from "../core/shop.ts";
import { mailVerbs } from "../mail/mail-verbs.ts";
import { adminOrders } from "../orders/admin-orders.ts";
import { adminViews } from "../orders/admin-views.ts";
import { cancellationVerbs } from "../orders/cancellation-verbs.ts";
import { checkoutPage } from "../orders/checkout-page.ts";
import { orderFinder } from "../orders/find-order.ts";
import { labelVerbs } from "../orders/label-verbs.ts";
import { linkOrder } from "../orders/link-order.ts";
import { orderMaker } from "../orders/make-order.ts";
import { orderVerbs, quoteOrder } from "../orders/order-verbs.ts";
import { reviewVerbs } from "../orders/review-verbs.ts";
import { salesVerbs } from "../orders/sales-verbs.ts";
import { sessionOrder } from "../orders/session-order.ts";
import { agreedOf } from "../payments/checkout-request.ts";
import { paymentVerbs } from "../payments/payment-verbs.ts";
import { type Context, isProvidersError } from "../payments/provider.ts";
import { reconciler } from "../payments/reconciler.ts";
import { settlements } from "../payments/settlements.ts";
import { webhookVerbs } from "../payments/webhook-verbs.ts";
import { cartSessionVerbs } from "../quotes/cart-session-verbs.ts";
import { quickCheckoutVerbs } from "../quotes/quick-checkout-verbs.ts";
import { quoteVerbs } from "../quotes/quote-verbs.ts";
import { housekeeping, waitlistVerbs } from "../waitlist/waitlist-verbs.ts";
import { adminShop } from "./admin-shop.ts";
import { adminTasks } from "./admin-tasks.ts";
import { deskVerbs } from "./desk-verbs.ts";
import { informationVerbs } from "./information.ts";
import { linkVerbs } from "./installation.ts";
import { messageVerbs } from "./message-verbs.ts";
import { oldCustomers } from "./old-customers.ts";
import { erasures, privacyVerbs } from "./privacy.ts";
import { retention } from "./retention.ts";

export type Merchant = ReturnType<typeof createMerchant>;

/** Verbs of the desk and the command line. */
export type Admin = ReturnType<typeof adminVerbs>;

export function adminVerbs(
  context: Context,
  { orders, settling, waitlist }: Parts,
  act: Act,
  form?: string,
) {
  const views = adminViews(context, orders);
  return {
    views,
    labels: labelVerbs(context, orders, views),
    ...adminOrders(context, orders, settling, act),
    ...adminCatalog(context, act),
    ...adminShop(context, waitlist, act, form),
    ...adminTasks(context, act),
    stock: adminStock(context, act),
    links: linkVerbs(context.store, act),
    customers: privacyVerbs(context, settling, act),
  };
}

/** Verbs that the merchant's own verbs use. */
interface Parts {
  orders: ReturnType<typeof orderVerbs>;
  settling: ReturnType<typeof settlements>;
  waitlist: ReturnType<typeof waitlistVerbs>;
}

/** All verbs, over one store, one catalog and one provider. Interfaces see only these. */
export function createMerchant(context: Context) {
  const settling = settlements(context, orderMaker);
  const webhooks = webhookVerbs(context, settling);
  const reconciling = reconciler(context, settling, webhooks);
  const quotes = quoteVerbs(context, (page) => void reconciling.ofPurchase(page));
  const checkouts = checkoutVerbs(context);
  const closePages = async (page: string): Promise<void> => {
    for (const attempt of await context.store.queries.openAttemptsOf(page)) {
      await settling.close(attempt, await agreedOf(context.store, attempt)).catch((error) => {
        // A payment authorized there later is released.
        if (!isProvidersError(error)) throw error;
        context.log.warn({ attempt: attempt.id, error }, "a page was not closed");
      });
    }
  };
  const cartSessions = cartSessionVerbs(context, closePages);
  const quickCheckout = quickCheckoutVerbs(context, { checkouts, quotes });
  const orders = orderVerbs(context);
  const mail = mailVerbs(context, orders);
  const waitlist = waitlistVerbs(context);
  const { provider, baseUrl } = context;
  return {
    mode: provider.mode,
    baseUrl,
    get supportEmail() {
      return context.supportEmail;
    },
    get privacyUrl() {
      return context.privacyUrl;
    },
    get termsUrl() {
      return context.termsUrl;
    },
    /** The owner's current settings. */
    get shop() {
      return context.shop;
    },
    /** The running break, or null. */
    get pause() {
      return pauseAt(context, context.clock());
    },
    /** Whether an offer outlasts the running break, in words. */
    afterBreak(endsAt: number): string | undefined {
      const pause = pauseAt(context, context.clock());
      return pause ? afterBreak(pause, { endsAt, timeZone: context.timeZone }) : undefined;
    },
    /** True if this intent has its response already, so a repeat makes nothing new. */
    isRetry: (intent: Intent): Promise<boolean> =>
      context.store.queries.isRetry(intent, context.clock()),
    /** Keyed hash of a client's address. */
    addressPseudonym: (address: string): string => addressPseudonym(context.secret, address),
    catalog: context.catalog,
    information: informationVerbs(context),
    agents: agentVerbs(context),
    desk: deskVerbs(context, mail),
    finder: finderVerbs(context),
    quotes,
    checkouts,
    quickCheckout,
    orders: {
      ...orders,
      ofQuote: quoteOrder(context),
      ofLink: linkOrder(context, quickCheckout),
      ofSession: sessionOrder(context),
      ofPage: checkoutPage(context),
      find: orderFinder(context),
    },
    cartSessions,
    reviews: reviewVerbs(context),
    cancellations: cancellationVerbs(context),
    waitlist,
    messages: messageVerbs(context),
    mail,
    sales: salesVerbs(context),
    payments: paymentVerbs(context, settling),
    settlements: settling,
    webhooks,
    reconciler: reconciling,
    housekeeping: housekeeping(context),
    customerDataYears: context.customerDataYears,
    retention: retention(context, oldCustomers(context), erasures(context, settling)),
    /** The database as a whole (contract §16). */
    database: {
      /** `room` is false on a nearly full disk. Rejects if the database does not answer. */
      health: (): Promise<{ room: boolean }> => context.store.health(),
      /** Copies the database into one file while the service runs. SQLite only. */
      backup: (file: string): Promise<void> => context.store.backup(file),
    },
    /** The merchant's own verbs. Each act is logged with its interface. */
    admin: (actor: Actor, form?: string): Admin =>
      adminVerbs(context, { orders, settling, waitlist }, actsOf(context, actor, form), form),
  };
}
