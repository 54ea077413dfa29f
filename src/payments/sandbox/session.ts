import { sum } from "../../core/money.ts";
import { DAY_MS } from "../../core/policy.ts";
import type { EVENTS_OF_INTEREST } from "../stripe/webhook.ts";
import { methodOf, type TestCard } from "./cards.ts";

/**
 * One checkout session with its refunds and disputes, and how it changes. Pure: time and ids are passed in.
 * Amounts are minor units of usd, times milliseconds.
 */

/** The part of a request to Stripe that a session keeps. */
export interface SessionParams {
  client_reference_id: string;
  customer_email?: string | undefined;
  line_items: {
    quantity: number;
    price_data: { unit_amount: number; product_data: { name: string } };
  }[];
  allowed_payment_method_types: string[];
  /** Methods that wait for a capture. */
  payment_method_options?: Record<string, { capture_method: "manual" }> | undefined;
  custom_text: { submit: { message: string } };
  metadata: Record<string, string>;
  success_url: string;
  cancel_url: string;
}

export interface SessionRecord {
  id: string;
  params: SessionParams;
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

/** Null for no change. Pure: runs again after a lost race. */
export type SessionStep = (s: SessionRecord) => SessionTransition | null;

/** A session that nobody has paid yet. */
export function newSession(of: {
  id: string;
  params: SessionParams;
  discountMinor: number;
  expiresAt: number;
  now: number;
}): SessionRecord {
  const { id, params, expiresAt } = of;
  const lines = params.line_items.map((l) => l.quantity * l.price_data.unit_amount);
  const discountMinor = Math.min(sum(lines), of.discountMinor);
  return {
    ...{ id, params, expiresAt, discountMinor },
    createdAt: of.now,
    totalMinor: sum(lines) - discountMinor,
    status: "open",
    payment: "unpaid",
    method: null,
    lastError: null,
    awaiting3ds: false,
    authorizedUntil: null,
    settlesAt: null,
    refunds: [],
    disputes: [],
  };
}

/** Address of the payment page, which the application serves. */
export const pageUrl = (baseUrl: string, sessionId: string): string =>
  `${baseUrl.replace(/\/$/, "")}/sandbox/checkout/${sessionId}`;

/** One payment and one charge per session, so their ids need no index of their own. */
export const paymentId = (s: { id: string }): string => s.id.replace("cs_test_", "pi_");
export const sessionIdOf = (payment: string): string => payment.replace(/^pi_/, "cs_test_");

/** The next change that the clock alone makes, or null. */
export function due(s: SessionRecord, now: number): SessionTransition | null {
  if (s.status === "open" && now >= s.expiresAt) return expire(s);
  if (s.payment === "authorized" && now >= (s.authorizedUntil ?? Infinity)) return release(s);
  if (s.payment === "processing" && now >= (s.settlesAt ?? Infinity)) return endDebit(s, "paid");
  return null;
}

/** Whether the clock may still change the session. */
export const isLive = (s: SessionRecord): boolean =>
  s.status === "open" || s.payment === "processing" || s.payment === "authorized";

/** The session with these fields, and one event. */
const moved = (
  s: SessionRecord,
  set: Partial<SessionRecord>,
  type: SessionEvent["type"],
  about?: string,
): SessionTransition => ({
  next: { ...s, ...set },
  events: [{ type, ...(about !== undefined && { about }) }],
});

export const expire = (s: SessionRecord): SessionTransition =>
  moved(s, { status: "expired", awaiting3ds: false }, "checkout.session.expired");

function complete(s: SessionRecord, set: Partial<SessionRecord>): SessionTransition {
  const over = { status: "complete", lastError: null, awaiting3ds: false } as const;
  return moved(s, { ...over, ...set }, "checkout.session.completed");
}

/** A decline leaves the session open, like at Stripe. */
export function decline(s: SessionRecord, message: string): SessionTransition {
  const declined = { lastError: message, awaiting3ds: false };
  // Without a method nothing has been tried: there is no payment that could have failed.
  if (s.method === null) return { next: { ...s, ...declined }, events: [] };
  return moved(s, declined, "payment_intent.payment_failed");
}

/** How long banks keep an authorized amount aside. */
const AUTHORIZATION_MS = 7 * DAY_MS;

/** The bank approves: the money comes at once, or when the shop captures it if the session says so. */
function approve(s: SessionRecord, now: number): SessionTransition {
  const options = s.params.payment_method_options?.[s.method ?? ""];
  if (options?.capture_method !== "manual") return complete(s, { payment: "paid" });
  return complete(s, { payment: "authorized", authorizedUntil: now + AUTHORIZATION_MS });
}

/** Only for an authorized payment, like `release`. */
export const capture = (s: SessionRecord): SessionTransition =>
  moved(s, { payment: "paid", authorizedUntil: null }, "payment_intent.succeeded");

export const release = (s: SessionRecord): SessionTransition =>
  moved(s, { payment: "canceled", authorizedUntil: null }, "payment_intent.canceled");

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

/** Ends a bank debit that is processing. */
export const endDebit = (s: SessionRecord, payment: "paid" | "failed"): SessionTransition =>
  moved(
    s,
    { payment, settlesAt: null },
    `checkout.session.async_payment_${payment === "paid" ? "succeeded" : "failed"}`,
  );

/** Sum of all refunds except failed ones. */
export const refundedMinor = (s: SessionRecord): number =>
  sum(s.refunds.map(({ status, amountMinor }) => (status === "failed" ? 0 : amountMinor)));

export const receivedMinor = (s: SessionRecord): number => s.capturedMinor ?? s.totalMinor;

/** What can still be refunded. */
export const leftMinor = (s: SessionRecord): number => receivedMinor(s) - refundedMinor(s);

export const refund = (s: SessionRecord, made: SandboxRefund): SessionTransition =>
  moved(s, { refunds: [...s.refunds, made] }, "refund.created", made.id);
