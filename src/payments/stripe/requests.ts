/**
 * What we send to Stripe, as pure data: the same attempt always gives byte for byte the same
 * request, because Stripe answers a repeated idempotency key only when the body is the same
 * (contract §5). Amounts are minor units of usd.
 */
import { domainToASCII } from "node:url";
import type Stripe from "stripe";
import { CURRENCY, display } from "../../core/money.ts";
import type { CheckoutRequest, PaymentMode, RefundRequest } from "../provider.ts";

/**
 * The charge of a session with its newest refunds, expanded wherever a session is read. In a list that
 * is as deep as Stripe expands.
 */
export const SESSION_EXPAND = ["payment_intent.latest_charge.refunds"];
export const SESSION_LIST_EXPAND = SESSION_EXPAND.map((path) => `data.${path}`);

export interface RequestSettings {
  mode: PaymentMode;
  /** A filter on what the account offers; "card" alone settles at once. */
  paymentMethods: readonly string[];
  /** Where Stripe refused the buyer's address: it is typed on the page then. */
  withoutEmail?: boolean;
}

/**
 * One coupon per kind and AMOUNT, not per quote: the account collects a handful of them, not one
 * for every sale. Buyers cannot type a coupon's id in; only promotion codes can be typed.
 */
function couponId(courtesy: NonNullable<CheckoutRequest["courtesy"]>): string {
  return `courtesy_${courtesy.kind.toLowerCase()}_${courtesy.amountMinor}_${CURRENCY}`;
}

export function couponParams(request: CheckoutRequest): Stripe.CouponCreateParams | null {
  if (!request.courtesy) return null;
  const { kind, amountMinor } = request.courtesy;
  const label = kind === "FIRST_ORDER" ? "First-order discount" : "Large-order discount";
  return {
    id: couponId(request.courtesy),
    name: `${label}, ${display(amountMinor)} off`,
    amount_off: amountMinor,
    currency: CURRENCY,
    duration: "once",
  };
}

/**
 * Only what any mail system takes: a name in another script would have the whole session refused.
 * Without it the buyer types an address on the page; whose order it is, the quote says.
 */
function mailable(email: string): string | null {
  const at = email.lastIndexOf("@");
  const ascii = `${email.slice(0, at)}@${domainToASCII(email.slice(at + 1))}`;
  return /^[!-~]+@[!-~]+$/.test(ascii) ? ascii : null;
}

type StripeLine = Stripe.Checkout.SessionCreateParams.LineItem;

function line(name: string, quantity: number, unitMinor: number): StripeLine {
  return {
    quantity,
    price_data: { currency: CURRENCY, unit_amount: unitMinor, product_data: { name } },
  };
}

/** Shipping is one line whatever the number of addresses: Stripe takes no more than 100 lines. */
function lineItems(request: CheckoutRequest): StripeLine[] {
  const bags = request.lines.map((l) => line(l.name, l.quantity, l.unitMinor));
  if (!request.shipping) return bags;
  const { paidAddresses, unitMinor } = request.shipping;
  return [...bags, line(`Shipping, ${display(unitMinor)} per address`, paidAddresses, unitMinor)];
}

/**
 * The hosted session for one attempt. What an account's dashboard could switch on and so change the
 * agreed total (another currency, tax, a promotion box) is switched off here or left out.
 */
export function sessionParams(
  request: CheckoutRequest,
  settings: RequestSettings,
): Stripe.Checkout.SessionCreateParams {
  // Ids and the hash only. Addresses, names and gift notes stay here: the hash binds them.
  const metadata = {
    quote_id: request.quoteId,
    quote_hash: request.quoteHash,
    attempt_id: request.attemptId,
    mode: settings.mode,
  };
  const email = settings.withoutEmail ? null : mailable(request.buyerEmail);
  return {
    mode: "payment",
    ui_mode: "hosted_page",
    submit_type: "pay",
    client_reference_id: request.attemptId,
    ...(email === null ? {} : { customer_email: email }),
    line_items: lineItems(request),
    ...(request.courtesy ? { discounts: [{ coupon: couponId(request.courtesy) }] } : {}),
    allowed_payment_method_types: [...settings.paymentMethods],
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false },
    custom_text: {
      submit: {
        message:
          `You approve exactly ${display(request.totalMinor)} for quote ${request.quoteId}. ` +
          "Roasted to order, shipped within the US, no refunds. " +
          `The bags are kept for you until ${request.heldUntil}; then the shop closes this page.`,
      },
    },
    metadata,
    // Nothing copies metadata: without its own, a dispute in the dashboard names no quote.
    // With receipt_email a receipt is mailed in live mode, whatever the account's own settings say.
    payment_intent_data: {
      description: `Coffee, quote ${request.quoteId}`,
      metadata,
      ...(email === null ? {} : { receipt_email: email }),
    },
    expires_at: Math.floor(request.expiresAt / 1000),
    success_url: request.returnUrl,
    cancel_url: request.cancelUrl,
    expand: SESSION_EXPAND,
  };
}

/** The row's id stands in the refund: that is how it is known again where its answer was lost. */
export function refundParams(
  paymentRef: string,
  { refundId, amountMinor }: Pick<RefundRequest, "refundId" | "amountMinor">,
): Stripe.RefundCreateParams {
  return {
    payment_intent: paymentRef,
    metadata: { refund_id: refundId },
    ...(amountMinor === undefined ? {} : { amount: amountMinor }),
  };
}
