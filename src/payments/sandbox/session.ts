/**
 * One emulated checkout session and how it moves. Pure: time and ids come in. Amounts are minor
 * units of usd, times milliseconds.
 */
import type { PayMethod } from "./cards.ts";
import type { SessionCreate } from "./params.ts";

export interface SandboxRefund {
  id: string;
  amountMinor: number;
  createdAt: number;
}

export interface SessionRecord {
  id: string;
  params: SessionCreate;
  createdAt: number;
  expiresAt: number;
  subtotalMinor: number;
  discountMinor: number;
  totalMinor: number;
  status: "open" | "complete" | "expired";
  /** "failed": a delayed payment that came to nothing; the session stays complete. */
  payment: "unpaid" | "processing" | "paid" | "failed";
  /** How the last attempt was made; null until there was one. */
  method: PayMethod["type"] | null;
  lastError: string | null;
  awaiting3ds: boolean;
  /** When a delayed payment succeeds by itself. */
  settlesAt: number | null;
  refunds: SandboxRefund[];
  dispute: "open" | "closed" | null;
  /** Events written together with the change they tell of, until they are queued for delivery. */
  outbox: { id: string; body: string }[];
}

export type EventType =
  | "checkout.session.completed"
  | "checkout.session.async_payment_succeeded"
  | "checkout.session.async_payment_failed"
  | "checkout.session.expired"
  | "charge.refunded"
  | "charge.dispute.created"
  | "charge.dispute.closed";

export interface Step {
  next: SessionRecord;
  events: EventType[];
}

export type Outcome = "paid" | "declined" | "challenge" | "processing" | "already_paid" | "expired";

const CHALLENGE_FAILED =
  "We are unable to authenticate your payment method. Please choose a different one and try again.";

/**
 * What the clock alone does: an open session ends, a delayed payment settles. Null if nothing is
 * due.
 */
export function due(s: SessionRecord, now: number): Step | null {
  if (s.status === "open" && now >= s.expiresAt) return expire(s);
  if (s.payment === "processing" && now >= (s.settlesAt ?? Infinity)) return settle(s, true);
  return null;
}

export function expire(s: SessionRecord): Step {
  const next: SessionRecord = { ...s, status: "expired", awaiting3ds: false };
  return { next, events: ["checkout.session.expired"] };
}

/** Where the buyer stands who can do nothing more here; null while the session is open. */
export function settledOutcome(s: SessionRecord): Outcome | null {
  if (s.status === "open") return null;
  if (s.payment === "paid") return "already_paid";
  return s.payment === "processing" ? "processing" : "expired";
}

function paid(s: SessionRecord): Step {
  const next: SessionRecord = {
    ...s,
    status: "complete",
    payment: "paid",
    lastError: null,
    awaiting3ds: false,
  };
  return { next, events: ["checkout.session.completed"] };
}

/** As with Stripe, a decline leaves the session open and tells why. */
export function decline(s: SessionRecord, message: string): Step {
  return { next: { ...s, lastError: message, awaiting3ds: false }, events: [] };
}

/** Only for an open session. */
export function pay(s: SessionRecord, method: PayMethod, settlesAt: number): Step {
  const tried: SessionRecord = { ...s, method: method.type };
  switch (method.effect.kind) {
    case "pay":
      return paid(tried);
    case "decline":
      return decline(tried, method.effect.message);
    case "challenge":
      return { next: { ...tried, awaiting3ds: true, lastError: null }, events: [] };
    case "debit":
      return {
        next: { ...tried, status: "complete", payment: "processing", settlesAt, lastError: null },
        events: ["checkout.session.completed"],
      };
  }
}

/** Only for an open session that awaits it. */
export function answerChallenge(s: SessionRecord, ok: boolean): Step {
  return ok ? paid(s) : decline(s, CHALLENGE_FAILED);
}

/** Only for a payment under way. */
export function settle(s: SessionRecord, ok: boolean): Step {
  const payment = ok ? "paid" : "failed";
  const event = ok ? "succeeded" : "failed";
  return {
    next: { ...s, payment, settlesAt: null },
    events: [`checkout.session.async_payment_${event}`],
  };
}

export function refundedMinor(s: SessionRecord): number {
  return s.refunds.reduce((sum, r) => sum + r.amountMinor, 0);
}

export function refund(s: SessionRecord, made: SandboxRefund): Step {
  return { next: { ...s, refunds: [...s.refunds, made] }, events: ["charge.refunded"] };
}

export function dispute(s: SessionRecord, state: "open" | "closed"): Step {
  const event = state === "open" ? "charge.dispute.created" : "charge.dispute.closed";
  return { next: { ...s, dispute: state }, events: [event] };
}
