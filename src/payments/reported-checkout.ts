import type { AttemptId, RefundId } from "../core/ids.ts";

/**
 * The provider's report on one payment, reduced to what decisions need. Amounts are minor units, times
 * milliseconds since the epoch.
 */
export interface ReportedCheckout {
  sessionId: string;
  attemptId: AttemptId | null;
  quoteHash: string | null;
  status: "open" | "complete" | "expired";
  /**
   * "processing": a delayed method. "authorized": the bank keeps the amount aside until it is captured or
   * released. "canceled": an authorization that was released, or that lapsed.
   */
  payment: "unpaid" | "processing" | "authorized" | "paid" | "canceled";
  /** A delayed payment failed; the session stays complete and unpaid. */
  failed: boolean;
  /** The buyer's last try on the open page was declined; the next one may pay. */
  declined: boolean;
  totalMinor: number | null;
  /** Amount authorized, or received once it is paid; otherwise null. */
  amountMinor: number | null;
  currency: string;
  paymentRef: string | null;
  /** The provider's name, such as "card" or "us_bank_account"; null until known. */
  method: string | null;
  /** All refunds of the payment, ours and those made at the provider, oldest first. */
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}

export interface ProviderRefund {
  id: string;
  /** Our row's id; null for a refund made at the provider itself. */
  refundId: RefundId | null;
  amountMinor: number;
  /** "failed" can follow "succeeded": the buyer's bank sent the money back. */
  status: "pending" | "succeeded" | "failed";
  /** The provider's reason for a pending or failed refund, or null. */
  problem: string | null;
  createdAt: number;
}

export interface ProviderDispute {
  id: string;
  amountMinor: number;
  reason: string;
  status: "open" | "won" | "lost";
  createdAt: number;
  /** Deadline for the merchant's answer; null if none is needed any more. */
  dueBy: number | null;
}

/** A verified webhook, reduced to what is trusted: the session or payment to read again. */
export interface ProviderEvent {
  id: string;
  type: string;
  livemode: boolean;
  apiVersion: string | null;
  sessionId: string | null;
  paymentRef: string | null;
}
