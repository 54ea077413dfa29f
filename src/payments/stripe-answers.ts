/**
 * What comes back from Stripe, reduced to what we rely on. Read loosely, because accounts differ
 * and Stripe adds fields; but what we do rely on must be there, or nothing is known (contract §5).
 */
import Stripe from "stripe";
import { z } from "zod";
import {
  type CheckoutState,
  KeyRefused,
  ProviderRejected,
  ProviderUnavailable,
} from "./provider.ts";

/** Unix seconds, as Stripe writes every time. */
const seconds = z.number().int();
const minor = z.number().int();

const charge = z.looseObject({
  amount_refunded: minor,
  disputed: z.boolean(),
  payment_method_details: z.looseObject({ type: z.string() }).nullish(),
});

const paymentIntent = z.looseObject({
  id: z.string(),
  status: z.string(),
  latest_charge: z.union([z.string(), charge]).nullish(),
});

const session = z.looseObject({
  object: z.literal("checkout.session"),
  id: z.string().min(1),
  status: z.enum(["open", "complete", "expired"]).nullable(),
  payment_status: z.string(),
  amount_total: minor.nullable(),
  currency: z.string().nullable(),
  livemode: z.boolean(),
  url: z.string().nullish(),
  expires_at: seconds,
  created: seconds,
  client_reference_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  payment_intent: z.union([z.string(), paymentIntent]).nullish(),
});
type Session = z.infer<typeof session>;

const refund = z.looseObject({ id: z.string().min(1), status: z.string().nullable() });

function read<T>(schema: z.ZodType<T>, answer: unknown, what: string): T {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const where = result.error.issues.map((issue) => issue.path.join(".") || "(all)").join(", ");
  throw new ProviderUnavailable(`The provider's ${what} is not what was expected: ${where}.`);
}

/**
 * Complete and unpaid means a delayed method: under way, unless its payment says that it has ended.
 * "no_payment_required" is a total of zero; the caller compares totals and will refuse it.
 */
function paymentOf(s: Session): Pick<CheckoutState, "payment" | "failed"> {
  if (s.payment_status !== "unpaid") return { payment: "paid", failed: false };
  if (s.status !== "complete") return { payment: "unpaid", failed: false };
  const intent = typeof s.payment_intent === "object" ? s.payment_intent : null;
  const failed = intent?.status === "requires_payment_method" || intent?.status === "canceled";
  return failed ? { payment: "unpaid", failed } : { payment: "processing", failed };
}

/** `origins`: a link to anywhere else is not shown to a buyer, so it is not handed on. */
export function toState(answer: unknown, origins: readonly string[]): CheckoutState {
  const s = read(session, answer, "session");
  const intent = typeof s.payment_intent === "object" ? s.payment_intent : null;
  const paid = typeof intent?.latest_charge === "object" ? intent.latest_charge : null;
  return {
    sessionId: s.id,
    attemptId: s.metadata?.attempt_id ?? s.client_reference_id ?? null,
    quoteHash: s.metadata?.quote_hash ?? null,
    status: s.status ?? "open",
    ...paymentOf(s),
    totalMinor: s.amount_total,
    currency: s.currency ?? "",
    livemode: s.livemode,
    url: s.url && origins.includes(originOf(s.url)) ? s.url : null,
    expiresAt: s.expires_at * 1000,
    createdAt: s.created * 1000,
    paymentRef: typeof s.payment_intent === "string" ? s.payment_intent : (intent?.id ?? null),
    method: paid?.payment_method_details?.type ?? null,
    refundedMinor: paid?.amount_refunded ?? 0,
    disputed: paid?.disputed ?? false,
  };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "";
}

export function toRefund(answer: unknown): { refundId: string; status: string } {
  const r = read(refund, answer, "refund");
  return { refundId: r.id, status: r.status ?? "unknown" };
}

/** Where Stripe itself says "your request": anything else may pass by itself. */
const OUR_FAULT = new Set(["invalid_request_error", "idempotency_error", "card_error"]);
/**
 * 401 and 403 are here because of what Rejected would mean: a key replaced in the dashboard says
 * nothing about the session asked for, which may be paid. 409 is the same key at work elsewhere.
 */
const MAY_PASS = new Set([401, 403, 409, 429]);

/**
 * Every failure as one of the port's two. When in doubt it is Unavailable: then nothing is known,
 * the attempt stays pending and is asked again under the same idempotency key.
 */
export function asProviderError(error: unknown): ProviderRejected | ProviderUnavailable {
  if (error instanceof ProviderRejected || error instanceof ProviderUnavailable) return error;
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new ProviderUnavailable("The provider's answer could not be read.", { cause: error });
  }
  const status = error.statusCode ?? 0;
  const refused = status >= 400 && status < 500 && !MAY_PASS.has(status);
  if (refused && OUR_FAULT.has(error.rawType ?? "")) {
    return new ProviderRejected(error.message, error.code ?? error.rawType);
  }
  if (status === 401 || status === 403) {
    return new KeyRefused(`The provider refuses our key (${status}).`, { cause: error });
  }
  return new ProviderUnavailable(error.message, { cause: error });
}
