/**
 * The interface to the provider that takes the money (contract §5). Stripe implements it; the
 * sandbox is the same Stripe code pointed at a loopback emulator. Amounts are integer minor units
 * of usd, times are milliseconds since the epoch.
 */

import type { PaymentMode } from "../core/answer.ts";
import type {
  ProviderDispute,
  ProviderEvent,
  ProviderRefund,
  ReportedCheckout,
} from "./reported-checkout.ts";

export type { PaymentMode, ProviderDispute, ProviderEvent, ProviderRefund };

export interface CheckoutRequest {
  /** Also the provider's idempotency key: the same attempt asked twice is one session. */
  attemptId: string;
  quoteId: string;
  quoteHash: string;
  totalMinor: number;
  buyerEmail: string;
  /** Bags merged over all shipments, one line per product. */
  lines: { name: string; quantity: number; unitMinor: number }[];
  /** Null where every address ships free. */
  shipping: { paidAddresses: number; unitMinor: number } | null;
  courtesy: { kind: "FIRST_ORDER" | "SPEND"; amountMinor: number } | null;
  /** Stored with the attempt before the call, so that a repeated call sends the same body. */
  expiresAt: number;
  /** When the hold ends and we close the page, before it would end by itself; in words, for the buyer. */
  heldUntil: string;
  /** Where the buyer's browser comes back to after paying, and after giving up. */
  returnUrl: string;
  cancelUrl: string;
}

/** What the provider says of a session now. Only this is believed, never a webhook's payload. */
export interface CheckoutState extends ReportedCheckout {
  livemode: boolean;
  url: string | null;
  /** Where the buyer comes back to after paying, as we asked for it: a link that only we can have made. */
  returnUrl: string | null;
  createdAt: number;
}

export interface RefundRequest {
  idempotencyKey: string;
  /** Our row, written into the refund: so it is found again whatever became of the answer. */
  refundId: string;
  /** All that is left without it. */
  amountMinor?: number;
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

/** The provider knows no such thing, or no longer: its account may be another than it was. */
export const isUnknownThere = (error: unknown): boolean =>
  error instanceof ProviderRejected && error.code === "resource_missing";

/** Why a refund was not made; BALANCE and DISPUTED pass, the others do not. */
export type RefundRefusal = "BALANCE" | "DISPUTED" | "NOTHING_LEFT" | "OTHER";

/** The provider made no refund, and said why. */
export class RefundRefused extends ProviderRejected {
  override name = "RefundRefused";
  readonly why: RefundRefusal;
  constructor(why: RefundRefusal, message: string, code?: string) {
    super(message, code);
    this.why = why;
  }
}

/** No answer, a 5xx, a 429 or rubbish: try again later, nothing is known. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
  /**
   * It answered that it failed (500): it goes on answering so to the same idempotency key. What was
   * asked for may have been done all the same.
   */
  readonly failedThere: boolean;
  constructor(message: string, options: { cause?: unknown; failedThere?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.failedThere = options.failedThere ?? false;
  }
}
/**
 * The provider does not accept our key, or not for this. Of the thing asked for nothing is known,
 * so it counts as unavailable; only a start makes something of it.
 */
export class KeyRefused extends ProviderUnavailable {
  override name = "KeyRefused";
}

export interface PaymentProvider {
  readonly mode: PaymentMode;
  readonly limits: { minTtlMs: number; maxTtlMs: number };
  /** Origins the buyer may be sent to: CSP form-action, and the check on every session URL. */
  readonly checkoutOrigins: readonly string[];
  createCheckout(request: CheckoutRequest): Promise<CheckoutState>;
  /** For a buyer who presses pay again: waits while settling needs the calls that are left. */
  lookAtCheckout(sessionId: string): Promise<CheckoutState>;
  getCheckout(sessionId: string): Promise<CheckoutState>;
  /** The session that belongs to this payment, where the provider knows one. */
  findByPayment(paymentRef: string): Promise<CheckoutState | null>;
  /** Ends an open session. Of one that is not open it returns the true state, without throwing. */
  expireCheckout(sessionId: string): Promise<CheckoutState>;
  listCheckouts(sinceMs: number): AsyncIterable<CheckoutState>;
  /** Throws RefundRefused where it will not be made, or not yet. */
  refund(paymentRef: string, request: RefundRequest): Promise<ProviderRefund>;
  /** Oldest first. */
  listRefunds(paymentRef: string): Promise<ProviderRefund[]>;
  /** Throws BadSignature. Reads the raw bytes as they came. */
  verifyWebhook(rawBody: Buffer, signature: string | undefined): ProviderEvent;
  ping(): Promise<void>;
  /** Throws KeyRefused with all that the key lacks; ProviderUnavailable where nothing is known. */
  checkKey(): Promise<void>;
}
