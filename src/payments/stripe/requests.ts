/**
 * Requests to Stripe as pure data. The same attempt gives the same bytes, because Stripe accepts a repeated
 * idempotency key only with the same body (contract §5). Amounts are minor units of usd.
 */
import { domainToASCII } from "node:url";
import type Stripe from "stripe";
import { CURRENCY, display } from "../../core/money.ts";
import type { CheckoutRequest, PaymentMode, RefundRequest } from "../provider.ts";

/**
 * Expands the charge of a payment or session with its newest refunds, wherever a session is read. In a list, Stripe expands
 * no deeper.
 */
export const PAYMENT_EXPAND = ["latest_charge.refunds"];
export const SESSION_EXPAND = PAYMENT_EXPAND.map((path) => `payment_intent.${path}`);
export const SESSION_LIST_EXPAND = SESSION_EXPAND.map((path) => `data.${path}`);

export interface RequestSettings {
  mode: PaymentMode;
  /** Filters what the account offers. Of these, "card" settles at once. */
  paymentMethods: readonly string[];
  /** Leaves out an address that Stripe refused; the buyer types one on the page. */
  withoutEmail?: boolean;
}

/**
 * One coupon per kind and amount, so that the account does not collect one per sale. Buyers cannot type in
 * a coupon's id, only promotion codes.
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
 * The address in ASCII, or null: Stripe would refuse the session for a name in another script. Then the
 * buyer types an address on the page; the order's buyer is still the quote's.
 */
function mailable(email: string): string | null {
  const at = email.lastIndexOf("@");
  const ascii = `${email.slice(0, at)}@${domainToASCII(email.slice(at + 1))}`;
  return /^[!-~]+@[!-~]+$/.test(ascii) ? ascii : null;
}

const line = (name: string, quantity: number, unitMinor: number) => ({
  quantity,
  price_data: { currency: CURRENCY, unit_amount: unitMinor, product_data: { name } },
});

/** Shipping is one line for all addresses, because Stripe accepts at most 100 lines. */
function lineItems(request: CheckoutRequest) {
  const bags = request.lines.map((l) => line(l.name, l.quantity, l.unitMinor));
  if (!request.shipping) return bags;
  const { paidAddresses, unitMinor } = request.shipping;
  return [...bags, line(`Shipping, ${display(unitMinor)} per address`, paidAddresses, unitMinor)];
}

type MethodOptions = NonNullable<Stripe.Checkout.SessionCreateParams["payment_method_options"]>;
type ManualMethod = {
  [M in keyof MethodOptions]-?: "capture_method" extends keyof NonNullable<MethodOptions[M]>
    ? M
    : never;
}[keyof MethodOptions];

/** Methods that Stripe can authorize first. A change in its types fails the build here. */
const MANUAL: Record<ManualMethod, true> = {
  affirm: true,
  afterpay_clearpay: true,
  alma: true,
  amazon_pay: true,
  billie: true,
  card: true,
  cashapp: true,
  kakao_pay: true,
  klarna: true,
  kr_card: true,
  link: true,
  mobilepay: true,
  naver_pay: true,
  payco: true,
  paypal: true,
  revolut_pay: true,
  samsung_pay: true,
  satispay: true,
  scalapay: true,
  sequra: true,
  sunbit: true,
};
export const MANUAL_METHODS = Object.keys(MANUAL) as ManualMethod[];

/** Payments are authorized where the method can; the others take the money at once, or within days. */
function manualCapture(paymentMethods: readonly string[]) {
  const methods = MANUAL_METHODS.filter((method) => paymentMethods.includes(method));
  const manual = { capture_method: "manual" } as const;
  return Object.fromEntries(methods.map((method) => [method, manual]));
}

/**
 * The hosted session for one attempt. It switches off or leaves out everything that the account's dashboard
 * could add to the agreed total: another currency, tax, a promotion box.
 */
export function sessionParams(request: CheckoutRequest, settings: RequestSettings) {
  // Only ids and the hash. Addresses, names and gift notes stay here: the hash binds them.
  const metadata = {
    quote_id: request.quoteId,
    quote_hash: request.quoteHash,
    attempt_id: request.attemptId,
    mode: settings.mode,
  };
  const options = manualCapture(settings.paymentMethods);
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
    ...(Object.keys(options).length > 0 ? { payment_method_options: options } : {}),
    adaptive_pricing: { enabled: false },
    automatic_tax: { enabled: false },
    custom_text: {
      submit: {
        message:
          `You approve exactly ${display(request.totalMinor)} for quote ${request.quoteId}. ` +
          "Roasted to order, shipped within the US. To cancel, ask before it ships; no refund is promised.",
      },
    },
    metadata,
    // The payment has its own metadata, so that a dispute in the dashboard names the quote.
    // In live mode, receipt_email sends a receipt whatever the account's settings say.
    payment_intent_data: {
      description: `Coffee, quote ${request.quoteId}`,
      metadata,
      ...(email === null ? {} : { receipt_email: email }),
    },
    expires_at: Math.floor(request.expiresAt / 1000),
    success_url: request.returnUrl,
    cancel_url: request.cancelUrl,
    expand: SESSION_EXPAND,
  } satisfies Stripe.Checkout.SessionCreateParams;
}

/** Carries our row's id, so that the refund can be found if its answer is lost. */
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
