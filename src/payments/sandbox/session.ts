/**
 * One emulated checkout session and how it moves. Pure: time and ids come in. Amounts are minor
 * units of usd, times milliseconds.
 */
import type { EVENTS_OF_INTEREST } from "../stripe/webhook.ts";
import type { PayMethod } from "./cards.ts";
import type { SessionCreate } from "./params.ts";
import {
  dispute,
  moneyDue,
  type RefundFate,
  type SandboxDispute,
  type SandboxRefund,
} from "./refunds.ts";

export interface SessionRecord {
  id: string;
  params: SessionCreate;
  createdAt: number;
  expiresAt: number;
  subtotalMinor: number;
  discountMinor: number;
  totalMinor: number;
  status: "open" | "complete" | "expired";
  /** "failed": a delayed payment that failed; the session stays complete. */
  payment: "unpaid" | "processing" | "paid" | "failed";
  /** How the last attempt was made; null until there was one. */
  method: PayMethod["type"] | null;
  lastError: string | null;
  awaiting3ds: boolean;
  /** When a delayed payment succeeds by itself. */
  settlesAt: number | null;
  refunds: SandboxRefund[];
  refundFate: RefundFate;
  disputes: SandboxDispute[];
  /** Events written together with the change they tell of, until they are queued for delivery. */
  outbox: { id: string; body: string }[];
}

/** One payment and one charge per session, so their ids need no index of their own. */
export const paymentId = (s: { id: string }): string => s.id.replace("cs_test_", "pi_");
export const chargeId = (s: { id: string }): string => s.id.replace("cs_test_", "ch_");
export const sessionIdOf = (payment: string): string => payment.replace(/^pi_/, "cs_test_");

export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** What is to be told; `about`: which refund or dispute of the session. */
export interface EventToSend {
  type: (typeof EVENTS_OF_INTEREST)[number];
  about?: string;
}

export interface SessionTransition {
  next: SessionRecord;
  events: EventToSend[];
}

export type PayOutcome =
  | "paid"
  | "declined"
  | "challenge"
  | "processing"
  | "already_paid"
  | "expired";

const CHALLENGE_FAILED =
  "We are unable to authenticate your payment method. Please choose a different one and try again.";

/**
 * What the clock alone does: an open session ends, a delayed payment settles. Null if nothing is
 * due.
 */
export function due(s: SessionRecord, now: number): SessionTransition | null {
  if (s.status === "open" && now >= s.expiresAt) return expire(s);
  if (s.payment === "processing" && now >= (s.settlesAt ?? Infinity)) return settle(s, true);
  return moneyDue(s, now);
}

export function expire(s: SessionRecord): SessionTransition {
  const next: SessionRecord = { ...s, status: "expired", awaiting3ds: false };
  return { next, events: [{ type: "checkout.session.expired" }] };
}

function completed(s: SessionRecord, set: Partial<SessionRecord>): SessionTransition {
  const over = { status: "complete", lastError: null, awaiting3ds: false } as const;
  return { next: { ...s, ...over, ...set }, events: [{ type: "checkout.session.completed" }] };
}

const paid = (s: SessionRecord): SessionTransition => completed(s, { payment: "paid" });

/** As with Stripe, a decline leaves the session open and tells why. */
export function decline(s: SessionRecord, message: string): SessionTransition {
  const next = { ...s, lastError: message, awaiting3ds: false };
  // Without a method nothing has been tried: there is no payment that could have failed.
  return { next, events: s.method === null ? [] : [{ type: "payment_intent.payment_failed" }] };
}

/** Only for an open session. `debitMs`: how long a bank debit takes to settle. */
export function pay(
  s: SessionRecord,
  method: PayMethod,
  { now, debitMs }: { now: number; debitMs: number },
): SessionTransition {
  const tried: SessionRecord = { ...s, method: method.type };
  const { effect } = method;
  switch (effect.kind) {
    case "pay": {
      const step = paid({ ...tried, refundFate: effect.refund ?? "succeeds" });
      if (!effect.disputed) return step;
      const disputed = dispute(step.next, s.id.replace("cs_test_", "du_"), now);
      return { next: disputed.next, events: [...step.events, ...disputed.events] };
    }
    case "decline":
      return decline(tried, effect.message);
    case "challenge":
      return { next: { ...tried, awaiting3ds: true, lastError: null }, events: [] };
    case "debit":
      return completed(tried, { payment: "processing", settlesAt: now + debitMs });
  }
}

/** Only for an open session that awaits it. */
export function answerChallenge(s: SessionRecord, ok: boolean): SessionTransition {
  return ok ? paid(s) : decline(s, CHALLENGE_FAILED);
}

/** Only for a payment under way. */
export function settle(s: SessionRecord, ok: boolean): SessionTransition {
  const payment = ok ? "paid" : "failed";
  const event = ok ? "succeeded" : "failed";
  return {
    next: { ...s, payment, settlesAt: null },
    events: [{ type: `checkout.session.async_payment_${event}` }],
  };
}

/** As it was stored: by an earlier version perhaps, which knew no states of refunds and disputes. */
export function recordOf(stored: SessionRecord): SessionRecord {
  const made = { status: "succeeded", reason: null, metadata: {}, next: null } as const;
  return {
    ...stored,
    refunds: stored.refunds.map((refund) => ({ ...made, ...refund })),
    refundFate: stored.refundFate ?? "succeeds",
    disputes: stored.disputes ?? [],
  };
}
