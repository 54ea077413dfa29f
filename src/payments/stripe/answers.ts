import Stripe from "stripe";
import { z } from "zod";
import {
  type CheckoutState,
  isProvidersError,
  KeyRefused,
  type ProviderDispute,
  type ProviderRefund,
  ProviderRejected,
  ProviderUnavailable,
  type RefundRefusal,
  RefundRefused,
} from "../provider.ts";

/** Stripe's errors, objects and words as the shop understands them (contract §5). */

/** Types of errors in our request; others may pass by themselves. */
const OUR_FAULT = new Set(["invalid_request_error", "idempotency_error", "card_error"]);
/**
 * Statuses that may pass. 401 and 403: a key that was replaced in the dashboard says nothing about the
 * session, which may be paid. 409: another request uses the same idempotency key.
 */
const MAY_PASS: ReadonlySet<number> = new Set([401, 403, 409, 429]);
/** Code of some rate limits, with status 400. */
const LIMITED = "rate_limit";

/**
 * Any failure as one of the port's two. In doubt it is Unavailable: the state is unknown, and the call is
 * repeated under the same idempotency key.
 */
export function asProviderError(error: unknown): ProviderRejected | ProviderUnavailable {
  if (isProvidersError(error)) return error;
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new ProviderUnavailable("The provider's answer could not be read.", { cause: error });
  }
  const status = error.statusCode ?? 0;
  const refused = status >= 400 && status < 500 && !MAY_PASS.has(status) && error.code !== LIMITED;
  if (refused && OUR_FAULT.has(error.rawType ?? "")) {
    return new ProviderRejected(error.message, error.code ?? error.rawType);
  }
  if (status === 401 || status === 403) {
    return new KeyRefused(`The provider refuses our key: ${withoutKeys(error.message)}`, {
      cause: error,
    });
  }
  const failedThere = status === 500 || (status > 500 && isRepeated(error));
  return new ProviderUnavailable(error.message, { cause: error, failedThere });
}

const isRepeated = (error: { headers?: Record<string, string> }): boolean =>
  error.headers?.["idempotent-replayed"] === "true";

/** Removes the part of the key that the provider repeats, so that no log holds it. */
const withoutKeys = (text: string): string =>
  text.replaceAll(/\b[srp]k_(test|live)_[\w*]+/g, "$1 key");

const REFUND_REFUSALS: Record<string, RefundRefusal> = {
  balance_insufficient: "BALANCE",
  insufficient_funds: "BALANCE",
  charge_disputed: "DISPUTED",
  refund_disputed_payment: "DISPUTED",
  charge_already_refunded: "NOTHING_LEFT",
};

/** A refused refund as RefundRefused, with the reason. */
export function asRefundError(error: unknown): ProviderRejected | ProviderUnavailable {
  const as = asProviderError(error);
  if (!(as instanceof ProviderRejected)) return as;
  return new RefundRefused(REFUND_REFUSALS[as.code ?? ""] ?? "OTHER", as.message, as.code);
}

/*
 * Stripe's objects, reduced to the fields that we rely on. Other fields may come and go; if one of these is
 * missing, the state is unknown.
 */

/** Unix seconds, Stripe's format of times. */
const seconds = z.number().int();
const minor = z.number().int();

const refund = z.looseObject({
  object: z.literal("refund"),
  id: z.string().min(1),
  amount: minor,
  created: seconds,
  status: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: z.string().nullish(),
  pending_reason: z.string().nullish(),
});

const dispute = z.looseObject({
  object: z.literal("dispute"),
  id: z.string().min(1),
  amount: minor,
  created: seconds,
  reason: z.string(),
  status: z.string(),
  evidence_details: z.looseObject({ due_by: seconds.nullish() }).nullish(),
});

const charge = z.looseObject({
  disputed: z.boolean(),
  payment_method_details: z.looseObject({ type: z.string() }).nullish(),
  refunds: z.looseObject({ data: z.array(refund), has_more: z.boolean() }).nullish(),
});

/** Statuses of a payment in our words. */
const PAYMENT_STATUS = {
  requires_payment_method: "unpaid",
  requires_confirmation: "unpaid",
  requires_action: "unpaid",
  processing: "processing",
  requires_capture: "authorized",
  succeeded: "paid",
  canceled: "canceled",
} as const satisfies Record<string, CheckoutState["payment"]>;

const paymentIntent = z.looseObject({
  id: z.string(),
  // An unknown word never means that somebody has paid.
  status: z.enum(Object.keys(PAYMENT_STATUS) as (keyof typeof PAYMENT_STATUS)[]),
  amount_capturable: minor,
  amount_received: minor,
  latest_charge: z.union([z.string(), charge]).nullish(),
  last_payment_error: z.looseObject({ type: z.string() }).nullish(),
});

/** A payment that answers a capture or release, with what its session would tell. */
const calledPayment = paymentIntent.omit({ last_payment_error: true }).extend({
  object: z.literal("payment_intent"),
  amount: minor,
  currency: z.string(),
  livemode: z.boolean(),
  created: seconds,
  metadata: z.record(z.string(), z.string()),
});

const session = z.looseObject({
  object: z.literal("checkout.session"),
  id: z.string().min(1),
  status: z.enum(["open", "complete", "expired"]).nullable(),
  payment_status: z.enum(["paid", "unpaid", "no_payment_required"]),
  amount_total: minor.nullable(),
  currency: z.string().nullable(),
  livemode: z.boolean(),
  url: z.string().nullish(),
  success_url: z.string().nullish(),
  created: seconds,
  client_reference_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  // Always expanded: a mere id says nothing about the money.
  payment_intent: paymentIntent.nullish(),
});
type Intent = Pick<
  z.infer<typeof paymentIntent>,
  "id" | "status" | "amount_capturable" | "amount_received" | "latest_charge"
>;
type PaidSession = Pick<z.infer<typeof session>, "status" | "payment_status"> & {
  payment_intent?: Intent | null | undefined;
};

/** Fields that are read of Stripe's objects. */
export const READ = {
  session: Object.keys(session.shape),
  payment: Object.keys(paymentIntent.shape),
  calledPayment: Object.keys(calledPayment.shape),
  charge: Object.keys(charge.shape),
  refund: Object.keys(refund.shape),
  dispute: Object.keys(dispute.shape),
};

function read<T>(schema: z.ZodType<T>, answer: unknown, what: string): T {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const where = result.error.issues.map((issue) => issue.path.join(".") || "(all)").join(", ");
  throw new ProviderUnavailable(`The provider's ${what} has unexpected fields: ${where}.`);
}

/**
 * The payment decides: the session's `payment_status` counts only where there is none.
 * "no_payment_required" is a total of zero; callers compare totals and refuse it.
 */
function paymentOf(s: PaidSession): Pick<CheckoutState, "payment" | "failed" | "amountMinor"> {
  const complete = s.status === "complete";
  const intent = s.payment_intent;
  const nothing = { failed: false, amountMinor: null };
  if (!intent) {
    if (s.payment_status !== "unpaid") return { ...nothing, payment: "paid" };
    return { ...nothing, payment: complete ? "processing" : "unpaid" };
  }
  const payment = PAYMENT_STATUS[intent.status];
  switch (payment) {
    case "unpaid":
      // Only a delayed debit fails after the page was completed.
      return {
        ...nothing,
        payment,
        failed: complete && intent.status === "requires_payment_method",
      };
    case "processing":
      return { ...nothing, payment: complete ? payment : "unpaid" };
    case "authorized":
      return { ...nothing, payment, amountMinor: intent.amount_capturable };
    case "paid":
      return { ...nothing, payment, amountMinor: intent.amount_received };
    case "canceled":
      // The payment of a page that expired is canceled too; nothing was ever authorized there.
      return { ...nothing, payment: s.status === "expired" ? "unpaid" : payment };
  }
}

/**
 * State of a session. Its page's URL is null unless it has one of `origins`. A session holds only the newest
 * refunds and no disputes: `more` says which of them must be requested.
 */
export function toState(answer: unknown, origins: readonly string[]) {
  const s = read(session, answer, "session");
  const intent = s.payment_intent;
  const { more, ...charged } = chargeOf(intent);
  const state: CheckoutState = {
    sessionId: s.id,
    attemptId: s.metadata?.attempt_id ?? s.client_reference_id ?? null,
    quoteHash: s.metadata?.quote_hash ?? null,
    status: s.status ?? "open",
    ...paymentOf(s),
    declined: s.status === "open" && intent?.last_payment_error != null,
    totalMinor: s.amount_total,
    currency: s.currency ?? "",
    livemode: s.livemode,
    url: s.url && origins.includes(URL.parse(s.url)?.origin ?? "") ? s.url : null,
    returnUrl: s.success_url ?? null,
    createdAt: s.created * 1000,
    ...charged,
  };
  return { state, more };
}

/** The same of a payment that was captured or released: its page was completed. */
export function toStateOfPayment(answer: unknown, sessionId: string) {
  const intent = read(calledPayment, answer, "payment");
  const { attempt_id = null, quote_hash = null } = intent.metadata;
  const { more, ...charged } = chargeOf(intent);
  const status = "complete" as const;
  const state: CheckoutState = {
    sessionId,
    attemptId: attempt_id,
    quoteHash: quote_hash,
    status,
    ...paymentOf({ status, payment_status: "unpaid", payment_intent: intent }),
    declined: false,
    totalMinor: intent.amount,
    currency: intent.currency,
    livemode: intent.livemode,
    url: null,
    returnUrl: null,
    createdAt: intent.created * 1000,
    ...charged,
  };
  return { state, more };
}

/** Method, refunds and disputes of a payment. */
function chargeOf(intent: Intent | null | undefined) {
  const paid = typeof intent?.latest_charge === "object" ? intent.latest_charge : null;
  return {
    paymentRef: intent?.id ?? null,
    method: paid?.payment_method_details?.type ?? null,
    refunds: oldestFirst((paid?.refunds?.data ?? []).map(refundOf)),
    disputes: [],
    more: { refunds: paid?.refunds?.has_more ?? false, disputes: paid?.disputed ?? false },
  };
}

/** Reverses Stripe's order and sorts by time; refunds of one second keep their order. */
const oldestFirst = <T extends { createdAt: number }>(newestFirst: readonly T[]): T[] =>
  newestFirst.toReversed().sort((a, b) => a.createdAt - b.createdAt);

/** Any other status counts as pending and is checked again. */
const REFUND_STATUS: Record<string, ProviderRefund["status"]> = {
  succeeded: "succeeded",
  failed: "failed",
  canceled: "failed",
};

const refundOf = (r: z.infer<typeof refund>): ProviderRefund => ({
  id: r.id,
  refundId: r.metadata?.refund_id ?? null,
  amountMinor: r.amount,
  status: REFUND_STATUS[r.status ?? ""] ?? "pending",
  problem: r.failure_reason ?? r.pending_reason ?? null,
  createdAt: r.created * 1000,
});

export const toRefund = (answer: unknown): ProviderRefund =>
  refundOf(read(refund, answer, "refund"));

export const toRefunds = (answers: readonly unknown[]): ProviderRefund[] =>
  oldestFirst(answers.map(toRefund));

/** `warning_…` is a bank's question before a dispute. Any other status counts as open. */
const DISPUTE_STATUS: Record<string, ProviderDispute["status"]> = {
  won: "won",
  lost: "lost",
  warning_closed: "won",
  prevented: "won",
};

export function toDispute(answer: unknown): ProviderDispute {
  const d = read(dispute, answer, "dispute");
  const due = d.evidence_details?.due_by;
  return {
    id: d.id,
    amountMinor: d.amount,
    reason: d.reason,
    status: DISPUTE_STATUS[d.status] ?? "open",
    createdAt: d.created * 1000,
    dueBy: due == null ? null : due * 1000,
  };
}
