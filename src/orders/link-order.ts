import { z } from "zod";
import { answer, NextSteps, open } from "../core/answer.ts";
import type { Context } from "../core/context.ts";
import { MerchantError, refusal } from "../core/errors.ts";
import { text } from "../core/fields.ts";
import { sha256 } from "../core/hash.ts";
import { bareToken } from "../core/ids.ts";
import { step } from "../core/next-step.ts";
import { ORDER_STATUSES, SHIPMENT_STATUSES } from "../core/records.ts";
import { isSessionId } from "../quotes/cart-session.ts";
import type { SessionPage } from "../quotes/cart-session-verbs.ts";
import type { CartFound } from "../quotes/quick-checkout-verbs.ts";
import { isPayable, quoteStatus } from "../quotes/standing.ts";
import { orderViews } from "./order-verbs.ts";

/** The order of a checkout page. It repeats nothing that the buyer typed on that page. */
export const LinkOrder = answer({
  status: open(["OPEN", "PROCESSING", "PAID", "ENDED"], "Whether the buyer has paid."),
  number: z.int().optional().describe("The order number, such as 1042."),
  order_status: open(ORDER_STATUSES, "Status of the order.").optional(),
  shipments: z
    .array(
      answer({
        status: open(SHIPMENT_STATUSES, "Status of the shipment."),
        carrier: z.string().optional(),
        number: z.string().optional().describe("The tracking number."),
        url: z.string().optional(),
      }),
    )
    .optional(),
  next: NextSteps,
}).meta({ id: "LinkOrder" });

export type LinkOrder = z.infer<typeof LinkOrder>;

/** The URL of a checkout page carries its whole cart, sealed. */
const MOST_CHARACTERS = 8000;

export const CheckoutUrl = text({ what: "checkout_url", most: MOST_CHARACTERS }).describe(
  "From {build_quick_checkout_link}.",
);

/** Reads the order of a checkout page. `find` opens the token of a page that carries its cart. */
export function linkOrder(
  context: Context,
  find: (token: string) => Promise<CartFound>,
  findSession: (token: string) => Promise<SessionPage>,
) {
  const { store, clock } = context;
  const again = (why: string) => step("get_link_order", why);
  return async (checkoutUrl: string): Promise<LinkOrder> => {
    const token = tokenIn(checkoutUrl);
    const page = await (isSessionId(token) ? findSession : find)(token);
    const filedUnder = typeof page !== "string" && "page" in page ? page.page : token;
    const quotes = await store.queries.quotesOfCarts([sha256(filedUnder)]);
    const orderId = quotes.find(({ state }) => state.order_id !== null)?.state.order_id;
    const order = orderId ? await store.queries.order(orderId) : undefined;
    if (order) {
      const [view] = await orderViews(context, [order]);
      const { number, status, shipments } = view!;
      return {
        status: "PAID",
        ...(number !== undefined && { number }),
        order_status: status,
        shipments: shipments.map(({ status, tracking }) => ({
          status,
          ...(tracking && { carrier: tracking.carrier, number: tracking.number }),
          ...(tracking?.url && { url: tracking.url }),
        })),
        next: [again("Call it again later to follow the shipments.")],
      };
    }
    if (quotes.some(({ state }) => state.status === "PROCESSING")) {
      return {
        status: "PROCESSING",
        next: [again("The payment settles in days. Ask again then.")],
      };
    }
    const canBePaid = quotes.some((quote) =>
      isPayable(quoteStatus({ ...quote, revoked: false }, clock())),
    );
    if (typeof page !== "string" || canBePaid) {
      const why = "The buyer has not paid yet. Ask again when they say they have.";
      return { status: "OPEN", next: [again(why)] };
    }
    if (page === "BROKEN" && quotes.length === 0) {
      throw refusal("NOT_FOUND", "There is no such checkout page.", NEW_LINK);
    }
    return { status: "ENDED", next: [NEW_LINK] };
  };
}

const NEW_LINK = step("build_quick_checkout_link", "Make a new checkout for the buyer.");

function tokenIn(checkoutUrl: string): string {
  const [, token] = /\/checkout\/([^/?#\s]+)/.exec(checkoutUrl) ?? [];
  if (token !== undefined) return bareToken(token);
  throw new MerchantError(
    "VALIDATION_FAILED",
    "Send the whole URL of the checkout page, such as https://shop.example/checkout/….",
    { at: "/checkout_url" },
  );
}
