/** What Stripe's refusals and failures mean here (contract §5). */
import Stripe from "stripe";
import {
  KeyRefused,
  ProviderRejected,
  ProviderUnavailable,
  type RefundRefusal,
  RefundRefused,
} from "../provider.ts";

/** Where Stripe itself says "your request": anything else may pass by itself. */
const OUR_FAULT = new Set(["invalid_request_error", "idempotency_error", "card_error"]);
/**
 * 401 and 403 are here because of what Rejected would mean: a key replaced in the dashboard says
 * nothing about the session asked for, which may be paid. 409 is the same key at work elsewhere.
 */
export const MAY_PASS: ReadonlySet<number> = new Set([401, 403, 409, 429]);
/** Some limits are told by this code under a 400. */
const LIMITED = "rate_limit";

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

/** An answer that stands under its idempotency key says so. */
const isRepeated = (error: { headers?: Record<string, string> }): boolean =>
  error.headers?.["idempotent-replayed"] === "true";

/** The provider repeats a part of the key; it has no place in a log. */
const withoutKeys = (text: string): string =>
  text.replaceAll(/\b[srp]k_(test|live)_[\w*]+/g, "$1 key");

export const REFUND_REFUSALS: Record<string, RefundRefusal> = {
  balance_insufficient: "BALANCE",
  insufficient_funds: "BALANCE",
  charge_disputed: "DISPUTED",
  refund_disputed_payment: "DISPUTED",
  charge_already_refunded: "NOTHING_LEFT",
};

/** A refund that was refused says why; what can pass is told apart from what cannot. */
export function asRefundError(error: unknown): ProviderRejected | ProviderUnavailable {
  const as = asProviderError(error);
  if (!(as instanceof ProviderRejected)) return as;
  return new RefundRefused(REFUND_REFUSALS[as.code ?? ""] ?? "OTHER", as.message, as.code);
}
