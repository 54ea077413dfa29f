import type { AttemptId, OrderId, RefundId } from "../core/ids.ts";
import type { AttemptRow, RefundRow } from "../core/records.ts";
import type { AttemptCommand } from "./attempt.ts";

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

/** Command that brings our rows to the provider's report on one attempt. */
export interface Settle extends AttemptCommand {
  firstOrder: boolean;
  shipmentCount: number;
  /** "live", "test" or "sandbox". */
  mode: string;
  reported: ReportedCheckout;
  /** The attempt's `answers` when the provider was asked: see `followPayment`. */
  answers: number;
  /** The attempt was not known to be an order's when the provider was asked. */
  mayOrder: boolean;
  /**
   * What was ordered when the provider was asked. PAGE: another quote of the same page. SAME: since the
   * buyer pressed pay, the same bags by another quote of the same agent, which no page has asked about.
   */
  ordered: "PAGE" | "SAME" | null;
  /** The caller may capture or release: it has claimed the attempt's check, see `claimCheck`. */
  isClaimed: boolean;
  /** The call to the provider that has just been answered with this report. */
  called: PaymentCall | null;
  /** Fresh ids; unused ones are dropped. */
  ids: {
    order: string;
    shipments: string[];
    events: string[];
    refund: string;
    incidents: string[];
  };
}

/** What the provider is to do with an authorized payment. */
export type PaymentCall = "capture" | "release";

export interface SettleResult {
  orderId: OrderId | null;
  /** Call to make now. Its row is written, so that the reconciler makes it if this process can't. */
  call: PaymentCall | null;
  /** Refund to request from the provider; its row is written. */
  refund: RefundRow | null;
  /** Open pages of the same quote or page, which must be closed. */
  expire: AttemptRow[];
}
