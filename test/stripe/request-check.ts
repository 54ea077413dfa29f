/**
 * Checks of requests beyond Stripe's types (type-check.ts): a lint for documented limits, and a comparison with
 * the agreed cart.
 */
import type Stripe from "stripe";
import type { CheckoutRequest } from "../../src/payments/provider.ts";
import { MANUAL_METHODS } from "../../src/payments/stripe/requests.ts";

type Session = Stripe.Checkout.SessionCreateParams;

const MAX_TEXT: [RegExp, number][] = [
  [/^client_reference_id$/, 200],
  [/metadata\.[^.]+$/, 500],
  [/^custom_text\.submit\.message$/, 1200],
  [/^payment_intent_data\.description$/, 1000],
  [/product_data\.name$/, 250],
  [/^name$/, 40],
];

/** Finds texts that are too long, and values that form encoding drops. */
export function lintValues(value: unknown, path = ""): string[] {
  if (value === null || value === undefined || value === "") return [`${path} vanishes`];
  if (typeof value === "string") {
    const limit = MAX_TEXT.find(([pattern]) => pattern.test(path))?.[1] ?? 5000;
    return value.length > limit ? [`${path} is longer than ${limit}`] : [];
  }
  if (typeof value !== "object") return [];
  const entries = Object.entries(value);
  if (entries.length === 0) return [`${path} vanishes`];
  return entries.flatMap(([key, v]) => lintValues(v, path ? `${path}.${key}` : key));
}

const oneOf = (a: unknown, b: unknown): boolean => (a === undefined) !== (b === undefined);

const manual = (p: Session, method: (typeof MANUAL_METHODS)[number]) =>
  p.payment_method_options?.[method]?.capture_method;

const EXPANDABLE = ["payment_intent.latest_charge.refunds"];

/** Rules broken: Stripe's documented limits, and settings that the account's defaults must not decide. */
export function lintSession(p: Session, now: number): string[] {
  const ttl = (p.expires_at ?? 0) - now / 1000;
  const lines = p.line_items ?? [];
  const methods: readonly string[] = p.allowed_payment_method_types ?? [];
  const rules: [boolean, string][] = [
    [p.mode === "payment" && p.ui_mode === "hosted_page", "a hosted page for one payment"],
    [ttl >= 1800 && ttl <= 86_400, "expires_at is 30 minutes to 24 hours away"],
    [lines.length >= 1 && lines.length <= 100, "1 to 100 lines"],
    [lines.every((l) => (l.quantity ?? 0) >= 1), "at least one of each"],
    [lines.every((l) => oneOf(l.price, l.price_data)), "a price or price_data"],
    [lines.every((l) => oneOf(l.price_data?.product, l.price_data?.product_data)), "a product"],
    [lines.every((l) => (l.price_data?.unit_amount ?? -1) >= 0), "no negative price"],
    [lines.every((l) => l.price_data?.currency === "usd"), "usd throughout"],
    [(p.discounts?.length ?? 0) <= 1, "one coupon at most"],
    [p.allow_promotion_codes === undefined, "no promotion box"],
    [p.adaptive_pricing?.enabled === false, "no currency but the agreed one"],
    [p.automatic_tax?.enabled === false, "no tax added to the agreed total"],
    [methods.length > 0, "ways to pay are named"],
    [/^[^@\s]+@[^@\s]+$/.test(p.customer_email ?? ""), "an email address"],
    [
      MANUAL_METHODS.every((m) => methods.includes(m) === (manual(p, m) === "manual")),
      "methods that can be authorized wait for a capture",
    ],
    [(p.expand ?? []).every((path) => EXPANDABLE.includes(path)), "nothing unknown expanded"],
    [Object.keys(p.metadata ?? {}).length <= 50, "50 keys of metadata at most"],
  ];
  return rules.filter(([ok]) => !ok).map(([, rule]) => rule);
}

/** Differences between the request and what the buyer approved. */
export function lintAgreement(
  p: Session,
  coupon: Stripe.CouponCreateParams | null,
  request: CheckoutRequest,
): string[] {
  const lines = p.line_items ?? [];
  const sum = lines.reduce((s, l) => s + (l.quantity ?? 0) * (l.price_data?.unit_amount ?? 0), 0);
  const ids = {
    quote_id: request.quoteId,
    quote_hash: request.quoteHash,
    attempt_id: request.attemptId,
    mode: "test",
  };
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const rules: [boolean, string][] = [
    [sum - (coupon?.amount_off ?? 0) === request.totalMinor, "the total"],
    [(coupon?.id ?? undefined) === p.discounts?.[0]?.coupon, "the coupon"],
    [coupon === null || coupon.currency === "usd", "the coupon's currency"],
    [coupon === null || coupon.duration === "once", "the coupon's use"],
    [p.expires_at === request.expiresAt / 1000, "the end"],
    [p.customer_email === request.buyerEmail, "the buyer"],
    [p.payment_intent_data?.receipt_email === request.buyerEmail, "the receipt"],
    [p.client_reference_id === request.attemptId, "the attempt"],
    [same(p.metadata, ids) && same(p.payment_intent_data?.metadata, ids), "the ids"],
    [p.success_url === request.returnUrl && p.cancel_url === request.cancelUrl, "the way back"],
  ];
  return rules.filter(([ok]) => !ok).map(([, rule]) => rule);
}
