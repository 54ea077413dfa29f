/**
 * Refunds and disputes of one emulated payment and how they move. Pure: time and ids come in. Amounts
 * are minor units of usd, times milliseconds.
 */
import { sum } from "../../core/money.ts";
import { DAY_MS } from "../../core/policy.ts";
import type { SessionRecord, SessionTransition } from "./session.ts";

export interface SandboxRefund {
  id: string;
  amountMinor: number;
  createdAt: number;
  status: "pending" | "succeeded" | "failed";
  /** Stripe's word for why it is pending or failed. */
  reason: string | null;
  metadata: Record<string, string>;
  /** What becomes of it by itself, and when. */
  next: { status: "succeeded" | "failed"; at: number } | null;
}

export interface SandboxDispute {
  id: string;
  amountMinor: number;
  createdAt: number;
  reason: string;
  status: "needs_response" | "won" | "lost";
  /** Unanswered until then, it is lost. */
  dueBy: number;
}

/** What a refund of a payment is at first, and later, as the test card it was paid with says. */
const FATES = {
  succeeds: { status: "succeeded", reason: null, later: null },
  pends: { status: "pending", reason: "processing", later: "succeeded" },
  fails: { status: "succeeded", reason: null, later: "failed" },
} as const;

export type RefundFate = keyof typeof FATES;

const DISPUTE_ANSWER_MS = 7 * DAY_MS;

/** What has gone back or is going: a refund that failed does not count. */
export function refundedMinor(s: SessionRecord): number {
  return sum(s.refunds.flatMap((r) => (r.status === "failed" ? [] : r.amountMinor)));
}

export const isDisputed = (s: SessionRecord): boolean =>
  s.disputes.some(({ status }) => status !== "won");

export interface NewRefund extends Pick<SandboxRefund, "id" | "amountMinor" | "metadata"> {
  /** Taken, and made when the balance covers it. */
  waits?: boolean;
  now: number;
  /** How long until what comes later comes. */
  delayMs: number;
}

export function refund(s: SessionRecord, made: NewRefund): SessionTransition {
  const { now, delayMs, waits = false, ...asked } = made;
  const { status, reason, later } = FATES[waits ? "pends" : s.refundFate];
  const row: SandboxRefund = {
    ...asked,
    createdAt: now,
    status,
    reason: waits ? "insufficient_funds" : reason,
    next: later && { status: later, at: now + delayMs },
  };
  return {
    next: { ...s, refunds: [...s.refunds, row] },
    events: [{ type: "refund.created", about: row.id }, { type: "charge.refunded" }],
  };
}

export function endRefund(
  s: SessionRecord,
  id: string,
  status: "succeeded" | "failed",
  why = "expired_or_canceled_card",
): SessionTransition {
  const reason = status === "failed" ? why : null;
  const refunds = s.refunds.map((r) => (r.id === id ? { ...r, status, reason, next: null } : r));
  const failed = status === "failed" ? ([{ type: "refund.failed", about: id }] as const) : [];
  return {
    next: { ...s, refunds },
    events: [{ type: "refund.updated", about: id }, ...failed],
  };
}

/** The buyer's bank takes all of it back; refunds still on their way come to an end with it. */
export function dispute(s: SessionRecord, id: string, now: number): SessionTransition {
  const row: SandboxDispute = {
    id,
    amountMinor: s.totalMinor - refundedMinor(s),
    createdAt: now,
    reason: "fraudulent",
    status: "needs_response",
    dueBy: now + DISPUTE_ANSWER_MS,
  };
  const opened: SessionTransition = {
    next: { ...s, disputes: [...s.disputes, row] },
    events: [{ type: "charge.dispute.created", about: id }],
  };
  const waiting = s.refunds.filter(({ status }) => status === "pending");
  return waiting.reduce((step, { id: refundId }) => {
    const why = "charge_for_pending_refund_disputed";
    const ended = endRefund(step.next, refundId, "failed", why);
    return { next: ended.next, events: [...step.events, ...ended.events] };
  }, opened);
}

export function closeDispute(
  s: SessionRecord,
  id: string,
  status: "won" | "lost",
): SessionTransition {
  const disputes = s.disputes.map((d) => (d.id === id ? { ...d, status } : d));
  return { next: { ...s, disputes }, events: [{ type: "charge.dispute.closed", about: id }] };
}

/** What the clock alone does to refunds and disputes. Null if nothing is due. */
export function moneyDue(s: SessionRecord, now: number): SessionTransition | null {
  const ended = s.refunds.find(({ next }) => next !== null && now >= next.at);
  if (ended?.next) return endRefund(s, ended.id, ended.next.status);
  const unanswered = s.disputes.find((d) => d.status === "needs_response" && now >= d.dueBy);
  return unanswered ? closeDispute(s, unanswered.id, "lost") : null;
}

/** Whether the clock has still something to do here. */
export const moneyWaits = (s: SessionRecord): boolean =>
  s.refunds.some(({ next }) => next !== null) ||
  s.disputes.some(({ status }) => status === "needs_response");
