import { lock, writeRule } from "../core/command.ts";
import { reviewUrl } from "../core/context.ts";
import { customerOf } from "../core/email.ts";
import type { OrderId } from "../core/ids.ts";
import { orderLinkLetter } from "../core/outbox.ts";
import { DAY_MS, MINUTE_MS } from "../core/policy.ts";
import { ERASED, type OrderRow } from "../core/records.ts";
import type { Context } from "../payments/provider.ts";
import { orderCalled, orderViews } from "./found-orders.ts";

/** What somebody tells of an order whose page they want to see. */
interface SoughtOrder {
  /** Number or id of the order or its quote. Null: the email's newest order. */
  called: string | null;
  /** Null: the asker need not know it, because the link goes to the order's own. */
  email: string | null;
  /** ZIP code of one of its shipments; counts only in a shop without a mail server. */
  zip: string | null;
}

/** Letters with the link of one order in 24 hours. Its buyer has the first one then. */
const MOST_LETTERS = 3;

const mailLink = writeRule<{ now: number; orderId: OrderId }>({
  reads: ({ orderId }) => [lock("orders", { id: orderId }), lock("outbox", { order_id: orderId })],
  writes({ now, orderId }, { outbox }) {
    const since = (age: number) =>
      outbox.filter(({ kind, created_at }) => kind === "ORDER_LINK" && created_at > now - age);
    const isEnough = since(DAY_MS).length >= MOST_LETTERS || since(MINUTE_MS).length > 0;
    return isEnough ? [] : [orderLinkLetter(orderId, now)];
  },
});

/**
 * Finds an order's page for a buyer who is not in the browser that paid. An email is an address, never a
 * password: whoever made the link of a purchase knows it. So the link is mailed to it; a shop without a mail
 * server asks for the ZIP code of a shipment, too.
 */
export function orderFinder(context: Context) {
  const { store, clock, mailer } = context;
  const { queries } = store;

  const named = async ({ called, email }: SoughtOrder): Promise<OrderRow | undefined> =>
    called !== null
      ? orderCalled(store, called)
      : email === null
        ? undefined
        : (await queries.ordersOfBuyer(email, 0))[0];

  async function goesTo(order: OrderRow, zip: string | null): Promise<boolean> {
    const [view] = await orderViews(context, [order]);
    return view!.shipments.some(({ address }) => zip5(address.postal_code) === zip5(zip));
  }

  /** Address of the page, if it opens here. With a mail server it never does: a letter goes out. */
  return async (sought: SoughtOrder): Promise<string | null> => {
    const order = await named(sought);
    if (!order || order.buyer_email === ERASED) return null;
    const { email, zip } = sought;
    if (email !== null && customerOf(email) !== customerOf(order.buyer_email)) return null;
    if (mailer) {
      await store.run(mailLink, { now: clock(), orderId: order.id });
      return null;
    }
    return email !== null && (await goesTo(order, zip)) ? reviewUrl(context, order.quote_id) : null;
  };
}

const zip5 = (zip: string | null): string | undefined => zip?.slice(0, 5);
