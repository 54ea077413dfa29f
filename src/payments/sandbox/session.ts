import { sum } from "../../core/money.ts";
import { DAY_MS } from "../../core/policy.ts";
import type { EVENTS_OF_INTEREST } from "../stripe/webhook.ts";
import { methodOf, type TestCard } from "./cards.ts";
import type { SessionCreate } from "./params.ts";

/**
 * One emulated checkout session with its refunds and disputes, and how it changes. Pure: time and ids
 * are passed in. Amounts are minor units of usd, times milliseconds.
 */

export interface SessionRecord {
  id: string;
  params: SessionCreate;
  createdAt: number;
  expiresAt: number;
  discountMinor: number;
  totalMinor: number;
  status: "open" | "complete" | "expired";
  /** "failed": a delayed payment that failed, which only tests cause; the session stays complete. */
  payment: "unpaid" | "processing" | "authorized" | "paid" | "canceled" | "failed";
  /** Method of the last attempt; null before the first. */
  method: ReturnType<typeof methodOf> | null;
  lastError: string | null;
  awaiting3ds: boolean;
  /** When an authorization lapses. */
  authorizedUntil: number | null;
  /** Amount received, if not the total. */
  capturedMinor?: number;
  /** When a delayed payment succeeds by itself. */
  settlesAt: number | null;
  refunds: SandboxRefund[];
  disputes: SandboxDispute[];
}

export interface SandboxRefund {
  id: string;
  amountMinor: number;
  createdAt: number;
  status: "pending" | "succeeded" | "failed";
  /** Stripe's `pending_reason` or `failure_reason`. */
  reason: string | null;
  metadata: Record<string, string>;
}

/** Only tests make one (test/support/sandbox-control.ts). */
export interface SandboxDispute {
  id: string;
  amountMinor: number;
  createdAt: number;
  status: "needs_response" | "won" | "lost";
  dueBy: number;
}

export interface SessionEvent {
  type: (typeof EVENTS_OF_INTEREST)[number];
  /** Id of the session's refund or dispute that the event is about. */
  about?: string;
}

export interface SessionTransition {
  next: SessionRecord;
  events: SessionEvent[];
}

/** One payment and one charge per session, so their ids need no index of their own. */
export const paymentId = (s: { id: string }): string => s.id.replace("cs_test_", "pi_");
export const sessionIdOf = (payment: string): string => payment.replace(/^pi_/, "cs_test_");

/** The next change that the clock alone makes, or null. */
export function due(s: SessionRecord, now: number): SessionTransition | null {
  if (s.status === "open" && now >= s.expiresAt) return expire(s);
  if (s.payment === "authorized" && now >= (s.authorizedUntil ?? Infinity)) return release(s);
  if (s.payment === "processing" && now >= (s.settlesAt ?? Infinity)) return settle(s);
  return null;
}

/** Whether the clock may still change the session. */
export const isLive = (s: SessionRecord): boolean =>
  s.status === "open" || s.payment === "processing" || s.payment === "authorized";

export function expire(s: SessionRecord): SessionTransition {
  const next: SessionRecord = { ...s, status: "expired", awaiting3ds: false };
  return { next, events: [{ type: "checkout.session.expired" }] };
}

function complete(s: SessionRecord, set: Partial<SessionRecord>): SessionTransition {
  const over = { status: "complete", lastError: null, awaiting3ds: false } as const;
  return { next: { ...s, ...over, ...set }, events: [{ type: "checkout.session.completed" }] };
}

/** A decline leaves the session open, like at Stripe. */
export function decline(s: SessionRecord, message: string): SessionTransition {
  const next = { ...s, lastError: message, awaiting3ds: false };
  // Without a method nothing has been tried: there is no payment that could have failed.
  return { next, events: s.method === null ? [] : [{ type: "payment_intent.payment_failed" }] };
}

/** How long banks keep an authorized amount aside. */
const AUTHORIZATION_MS = 7 * DAY_MS;

/** The bank approves: the money comes at once, or when the shop captures it if the session says so. */
function approve(s: SessionRecord, now: number): SessionTransition {
  const options = s.params.payment_method_options?.[s.method ?? ""];
  if (options?.capture_method !== "manual") {
    return complete(s, { payment: "paid" });
  }
  const authorizedUntil = now + AUTHORIZATION_MS;
  const { next, events } = complete(s, { payment: "authorized", authorizedUntil });
  return { next, events: [...events, { type: "payment_intent.amount_capturable_updated" }] };
}

/** Only for an authorized payment, like `release`. */
export const capture = (s: SessionRecord): SessionTransition => ({
  next: { ...s, payment: "paid", authorizedUntil: null },
  events: [{ type: "payment_intent.succeeded" }],
});

export const release = (s: SessionRecord): SessionTransition => ({
  next: { ...s, payment: "canceled", authorizedUntil: null },
  events: [{ type: "payment_intent.canceled" }],
});

/** Only for an open session. `debitMs`: how long a bank debit takes to settle. */
export function pay(
  s: SessionRecord,
  card: TestCard,
  { now, debitMs }: { now: number; debitMs: number },
): SessionTransition {
  const tried: SessionRecord = { ...s, method: methodOf(card) };
  const { effect } = card;
  switch (effect.kind) {
    case "pay":
      return approve(tried, now);
    case "decline":
      return decline(tried, effect.message);
    case "challenge":
      return { next: { ...tried, awaiting3ds: true, lastError: null }, events: [] };
    case "debit":
      return complete(tried, { payment: "processing", settlesAt: now + debitMs });
  }
}

const CHALLENGE_FAILED =
  "We are unable to authenticate your payment method. Please choose a different one and try again.";

/** Only for an open session that awaits the answer. */
export const answerChallenge = (s: SessionRecord, ok: boolean, now: number): SessionTransition =>
  ok ? approve(s, now) : decline(s, CHALLENGE_FAILED);

/** A bank debit that is processing succeeds. */
const settle = (s: SessionRecord): SessionTransition => ({
  next: { ...s, payment: "paid", settlesAt: null },
  events: [{ type: "checkout.session.async_payment_succeeded" }],
});

/** Sum of all refunds except failed ones. */
export const refundedMinor = (s: SessionRecord): number =>
  sum(s.refunds.map(({ status, amountMinor }) => (status === "failed" ? 0 : amountMinor)));

export const receivedMinor = (s: SessionRecord): number => s.capturedMinor ?? s.totalMinor;

/** What can still be refunded. */
export const leftMinor = (s: SessionRecord): number => receivedMinor(s) - refundedMinor(s);

export const refund = (s: SessionRecord, made: SandboxRefund): SessionTransition => ({
  next: { ...s, refunds: [...s.refunds, made] },
  events: [{ type: "refund.created", about: made.id }, { type: "charge.refunded" }],
});
