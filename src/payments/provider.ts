/**
 * The port to whoever takes the money (contract §5). Stripe implements it; the sandbox is the same
 * Stripe code pointed at a loopback emulator. Amounts are integer minor units of usd, times are
 * milliseconds since the epoch.
 */
export interface CheckoutRequest {
  /** Also the provider's idempotency key: the same attempt asked twice is one session. */
  attemptId: string;
  quoteId: string;
  quoteHash: string;
  totalMinor: number;
  buyerEmail: string;
  /** Bags merged over all shipments, one line per product. */
  lines: { productId: string; name: string; quantity: number; unitMinor: number }[];
  /** Null where every address ships free. */
  shipping: { paidAddresses: number; unitMinor: number } | null;
  courtesy: { kind: "FIRST_ORDER" | "SPEND"; amountMinor: number } | null;
  /** Stored with the attempt before the call, so that a repeated call sends the same body. */
  expiresAt: number;
  /** Where the buyer's browser comes back to after paying, and after giving up. */
  returnUrl: string;
  cancelUrl: string;
}

/** What the provider says of a session now. Only this is believed, never a webhook's payload. */
export interface CheckoutState {
  sessionId: string;
  attemptId: string | null;
  quoteHash: string | null;
  status: "open" | "complete" | "expired";
  payment: "unpaid" | "processing" | "paid";
  /** Why a delayed payment failed, where it did; the session stays complete and unpaid. */
  failed: boolean;
  totalMinor: number | null;
  currency: string;
  livemode: boolean;
  url: string | null;
  expiresAt: number;
  createdAt: number;
  paymentRef: string | null;
  /** "card", "us_bank_account", … as the provider names it; null until known. */
  method: string | null;
  refundedMinor: number;
  disputed: boolean;
}

/** A verified webhook, reduced to what is trusted: which session or payment to look at again. */
export interface ProviderEvent {
  id: string;
  type: string;
  createdAt: number;
  livemode: boolean;
  apiVersion: string | null;
  sessionId: string | null;
  paymentRef: string | null;
}

/** The signature does not fit: answer 400, store nothing. */
export class BadSignature extends Error {
  override name = "BadSignature";
}
/** The provider refused our request: our bug, repeating it will not help. */
export class ProviderRejected extends Error {
  override name = "ProviderRejected";
  readonly code: string | undefined;
  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}
/** No answer, a 5xx, a 429 or rubbish: try again later, nothing is known. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
}
/**
 * The provider does not accept our key, or not for this. Of the thing asked for nothing is known, so it
 * counts as unavailable; only a start makes something of it.
 */
export class KeyRefused extends ProviderUnavailable {
  override name = "KeyRefused";
}

export type PaymentMode = "live" | "test" | "sandbox";

export interface PaymentProvider {
  readonly name: "stripe" | "sandbox";
  readonly mode: PaymentMode;
  readonly limits: { minTtlMs: number; maxTtlMs: number };
  /** Origins the buyer may be sent to: CSP form-action, and the check on every session URL. */
  readonly checkoutOrigins: readonly string[];
  createCheckout(request: CheckoutRequest): Promise<CheckoutState>;
  getCheckout(sessionId: string): Promise<CheckoutState>;
  /** The session that belongs to this payment, where the provider knows one. */
  findByPayment(paymentRef: string): Promise<CheckoutState | null>;
  /** Ends an open session. Of one that is not open it returns the true state, without throwing. */
  expireCheckout(sessionId: string): Promise<CheckoutState>;
  listCheckouts(sinceMs: number): AsyncIterable<CheckoutState>;
  refund(
    paymentRef: string,
    options: { idempotencyKey: string; amountMinor?: number },
  ): Promise<{ refundId: string; status: string }>;
  /** Throws BadSignature. Reads the raw bytes as they came. */
  verifyWebhook(rawBody: Buffer, signature: string | undefined): ProviderEvent;
  /** Cheap reachability check for /readyz. */
  ping(): Promise<void>;
}
