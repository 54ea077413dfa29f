import type { AttemptRow, RefundRow } from "../core/records.ts";
import type { AttemptCommand } from "./attempt.ts";
/**
 * What the provider says of one payment, as far as a decision needs it. Amounts in minor units, times
 * in milliseconds since the epoch.
 */
export interface ReportedCheckout {
  sessionId: string;
  attemptId: string | null;
  quoteHash: string | null;
  status: "open" | "complete" | "expired";
  payment: "unpaid" | "processing" | "paid";
  /** A delayed payment failed; the session stays complete and unpaid. */
  failed: boolean;
  /** The buyer's last try on the open page was declined; the next one may pay. */
  declined: boolean;
  totalMinor: number | null;
  currency: string;
  paymentRef: string | null;
  /** "card", "us_bank_account", … as the provider names it; null until known. */
  method: string | null;
  /** Every refund that the provider knows of this payment, ours and those made there, oldest first. */
  refunds: readonly ProviderRefund[];
  disputes: readonly ProviderDispute[];
}

export interface ProviderRefund {
  id: string;
  /** The row that asked for it; null for one that was made at the provider itself. */
  refundId: string | null;
  amountMinor: number;
  /** "failed" may come after "succeeded": the buyer's bank sent the money back. */
  status: "pending" | "succeeded" | "failed";
  /** Why it is pending or failed, in the provider's word; null where there is nothing to say. */
  problem: string | null;
  createdAt: number;
}

export interface ProviderDispute {
  id: string;
  amountMinor: number;
  reason: string;
  status: "open" | "won" | "lost";
  createdAt: number;
  /** Until when it can be answered; null where that is over or not needed. */
  dueBy: number | null;
}

/** A verified webhook, reduced to what is trusted: which session or payment to look at again. */
export interface ProviderEvent {
  id: string;
  type: string;
  livemode: boolean;
  apiVersion: string | null;
  sessionId: string | null;
  paymentRef: string | null;
}

/** Brings our books to what the provider reports for one attempt. */
export interface Settle extends AttemptCommand {
  firstOrder: boolean;
  shipmentCount: number;
  /** Where the money is: "live", "test" or "sandbox". */
  mode: string;
  reported: ReportedCheckout;
  /** The attempt's `answers` when the provider was asked: see `followPayment`. */
  answers: number;
  /** Fresh ids; unused ones are dropped. */
  ids: {
    order: string;
    shipments: string[];
    events: string[];
    refund: string;
    incidents: string[];
  };
}

export interface SettleResult {
  orderId: string | null;
  /** The refund to make, now that its row is written. */
  refund: RefundRow | null;
  /** Live attempts of the same quote, which must not be paid any more. */
  expire: AttemptRow[];
}
