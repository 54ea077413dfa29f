/**
 * The interface to the provider that takes the money (contract §5): Stripe, or the sandbox in this process.
 * Amounts are integer minor units of usd, times are milliseconds since the epoch.
 */

import type { CatalogContext } from "../catalog/live-catalog.ts";
import type { PaymentMode } from "../core/answer.ts";
import type { AttemptId, QuoteId, RefundId } from "../core/ids.ts";
import type {
  ProviderDispute,
  ProviderEvent,
  ProviderRefund,
  ReportedCheckout,
} from "./reported-checkout.ts";

export type { PaymentMode, ProviderDispute, ProviderEvent, ProviderRefund };

export interface CheckoutRequest {
  /** Also the provider's idempotency key: the same attempt asked twice is one session. */
  attemptId: AttemptId;
  quoteId: QuoteId;
  quoteHash: string;
  totalMinor: number;
  buyerEmail: string;
  /** Bags merged over all shipments, one line per product. */
  lines: { name: string; quantity: number; unitMinor: number }[];
  /** Null where every address ships free. */
  shipping: { paidAddresses: number; unitMinor: number } | null;
  courtesy: { kind: "FIRST_ORDER" | "SPEND"; amountMinor: number } | null;
  /** Stored with the attempt before the call, so a repeated call sends the same body. */
  expiresAt: number;
  /** Pages of the shop to return to after paying, and after giving up. */
  returnUrl: string;
  cancelUrl: string;
}

/** Current state of a session at the provider. Only this is trusted, never a webhook's payload. */
export interface CheckoutState extends ReportedCheckout {
  livemode: boolean;
  url: string | null;
  /** The `returnUrl` of our request: a link that only we can have made. */
  returnUrl: string | null;
  createdAt: number;
}

export interface RefundRequest {
  idempotencyKey: string;
  /** Id of our row, stored in the refund, so that it can be found if the answer is lost. */
  refundId: RefundId;
  /** Everything that is left if absent. */
  amountMinor?: number;
}

/** The webhook's signature is wrong: answer 400, store nothing. */
export class BadSignature extends Error {
  override name = "BadSignature";
}
/** The provider refused our request. Repeating it does not help. */
export class ProviderRejected extends Error {
  override name = "ProviderRejected";
  readonly code: string | undefined;
  /** Likely reason, in words for the merchant. */
  readonly hint: string | undefined;
  constructor(message: string, code?: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** The provider did not answer, or refused. Any other error is ours. */
export const isProvidersError = (error: unknown): error is ProviderUnavailable | ProviderRejected =>
  error instanceof ProviderUnavailable || error instanceof ProviderRejected;

/** The provider does not know the object, perhaps because its account was changed. */
export const isUnknownThere = (error: unknown): boolean =>
  error instanceof ProviderRejected && error.code === "resource_missing";

/** Reason of a refused refund. BALANCE and DISPUTED may pass later, the others do not. */
export type RefundRefusal = "BALANCE" | "DISPUTED" | "NOTHING_LEFT" | "OTHER";

/** The provider made no refund and gave the reason. */
export class RefundRefused extends ProviderRejected {
  override name = "RefundRefused";
  readonly why: RefundRefusal;
  constructor(why: RefundRefusal, message: string, code?: string) {
    super(message, code);
    this.why = why;
  }
}

/** No answer, a 5xx, a 429 or an unreadable answer: the state is unknown, so try again later. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
  /**
   * The provider answered 500 and repeats that for the same idempotency key. It may have done what was
   * requested.
   */
  readonly failedThere: boolean;
  constructor(message: string, options: { cause?: unknown; failedThere?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.failedThere = options.failedThere ?? false;
  }
}
/**
 * The provider does not accept our key, or not for this call. The state of the object is unknown, so this
 * counts as unavailable; only the check at start treats it on its own.
 */
export class KeyRefused extends ProviderUnavailable {
  override name = "KeyRefused";
}

export interface PaymentProvider {
  readonly mode: PaymentMode;
  readonly limits: { minTtlMs: number; maxTtlMs: number };
  /** Origins of payment pages, for the CSP form-action and the check of every session's URL. */
  readonly checkoutOrigins: readonly string[];
  createCheckout(request: CheckoutRequest): Promise<CheckoutState>;
  /** For a buyer who presses pay again: waits while settling needs the calls that are left. */
  lookAtCheckout(sessionId: string): Promise<CheckoutState>;
  getCheckout(sessionId: string): Promise<CheckoutState>;
  /** The payment's session, or null if the provider knows none. */
  findByPayment(paymentRef: string): Promise<CheckoutState | null>;
  /** Ends an open session. Returns the current state of one that is not open. */
  expireCheckout(sessionId: string): Promise<CheckoutState>;
  /**
   * Captures the whole authorized amount. Returns the state read afterwards: one that is still "authorized"
   * was not captured, because the provider refused.
   */
  captureCheckout(sessionId: string, paymentRef: string): Promise<CheckoutState>;
  /** Gives the authorized amount back to the buyer's bank. Returns the state read afterwards, likewise. */
  releaseCheckout(sessionId: string, paymentRef: string): Promise<CheckoutState>;
  listCheckouts(sinceMs: number): AsyncIterable<CheckoutState>;
  /** Throws RefundRefused if the refund is not made, or not yet. */
  refund(paymentRef: string, request: RefundRequest): Promise<ProviderRefund>;
  /** Oldest first. */
  listRefunds(paymentRef: string): Promise<ProviderRefund[]>;
  /** Reads the raw bytes of the body. Throws BadSignature. */
  verifyWebhook(rawBody: Buffer, signature: string | undefined): ProviderEvent;
  ping(): Promise<void>;
  /**
   * Returns a warning about this machine's clock, or null. Throws KeyRefused with all missing permissions, or
   * ProviderUnavailable without an answer.
   */
  checkKey(): Promise<string | null>;
}

/** Dependencies and settings of all verbs. */
export interface Context extends CatalogContext {
  provider: PaymentProvider;
}
