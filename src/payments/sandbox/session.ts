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
  /** "failed": a delayed payment that failed; the session stays complete. */
  payment: "unpaid" | "processing" | "authorized" | "paid" | "canceled" | "failed";
  /** Method of the last attempt; null before the first. */
  method: ReturnType<typeof methodOf> | null;
  lastError: string | null;
  awaiting3ds: boolean;
  /** When an authorization lapses. */
  authorizedUntil: number | null;
  captureFate: "succeeds" | "fails" | "disputed";
  /** Amount received, where it is not the total. */
  capturedMinor: number | null;
  /** When a delayed payment succeeds by itself. */
  settlesAt: number | null;
  refunds: SandboxRefund[];
  refundFate: keyof typeof REFUND_FATES;
  disputes: SandboxDispute[];
  /** Webhooks not delivered yet, written together with the change that they report. */
  outbox: OwedWebhook[];
}

export interface SandboxRefund {
  id: string;
  amountMinor: number;
  createdAt: number;
  status: "pending" | "succeeded" | "failed";
  /** Stripe's `pending_reason` or `failure_reason`. */
  reason: string | null;
  metadata: Record<string, string>;
  /** Its next status, reached by the clock alone. */
  next: { status: "succeeded" | "failed"; at: number } | null;
}

export interface SandboxDispute {
  id: string;
  amountMinor: number;
  createdAt: number;
  status: "needs_response" | "won" | "lost";
  /** The dispute is lost if nobody closes it before. */
  dueBy: number;
}

export interface OwedWebhook {
  id: string;
  /** Exact bytes of the event: a retry sends the same. */
  body: string;
  attempts: number;
  nextAt: number;
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
  if (s.payment === "processing" && now >= (s.settlesAt ?? Infinity)) return settle(s, true);
  const refund = s.refunds.find(({ next }) => next !== null && now >= next.at);
  if (refund?.next) return endRefund(s, refund.id, refund.next.status);
  const unanswered = s.disputes.find((d) => d.status === "needs_response" && now >= d.dueBy);
  return unanswered ? closeDispute(s, unanswered.id, "lost") : null;
}

/** Whether the clock or a webhook may still change the session. */
export const isLive = (s: SessionRecord): boolean =>
  s.status === "open" ||
  s.payment === "processing" ||
  s.payment === "authorized" ||
  s.outbox.length > 0 ||
  s.refunds.some(({ next }) => next !== null) ||
  s.disputes.some(({ status }) => status === "needs_response");

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
    const { next, events } = complete(s, {});
    return receive(next, now, events);
  }
  const authorizedUntil = now + AUTHORIZATION_MS;
  const { next, events } = complete(s, { payment: "authorized", authorizedUntil });
  return { next, events: [...events, { type: "payment_intent.amount_capturable_updated" }] };
}

/** `amountMinor`: a part that is captured in the dashboard; the bank releases the rest. */
function receive(
  s: SessionRecord,
  now: number,
  events: SessionEvent[],
  amountMinor: number | null = null,
): SessionTransition {
  const paid = {
    ...s,
    payment: "paid",
    authorizedUntil: null,
    capturedMinor: amountMinor,
  } as const;
  if (s.captureFate !== "disputed") return { next: paid, events };
  const disputed = dispute(paid, s.id.replace("cs_test_", "du_"), now);
  return { next: disputed.next, events: [...events, ...disputed.events] };
}

/** Only for an authorized payment, like `release`. */
export const capture = (s: SessionRecord, now: number, amountMinor?: number): SessionTransition =>
  receive(s, now, [{ type: "payment_intent.succeeded" }], amountMinor);

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
    case "pay": {
      const { refunds: refundFate = "succeeds", capture: captureFate = "succeeds" } = effect;
      return approve({ ...tried, refundFate, captureFate }, now);
    }
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
export const settle = (s: SessionRecord, ok: boolean): SessionTransition => ({
  next: { ...s, payment: ok ? "paid" : "failed", settlesAt: null },
  events: [{ type: `checkout.session.async_payment_${ok ? "succeeded" : "failed"}` }],
});

/** Status of a new refund, and the one it changes to later. */
export interface RefundFate {
  status: "pending" | "succeeded";
  reason: string | null;
  later: "succeeded" | "failed" | null;
}

const REFUND_FATES = {
  succeeds: { status: "succeeded", reason: null, later: null },
  pends: { status: "pending", reason: "processing", later: "succeeded" },
  fails: { status: "succeeded", reason: null, later: "failed" },
} as const satisfies Record<string, RefundFate>;

/** Sum of all refunds except failed ones. */
export const refundedMinor = (s: SessionRecord): number =>
  sum(s.refunds.map(({ status, amountMinor }) => (status === "failed" ? 0 : amountMinor)));

export const receivedMinor = (s: SessionRecord): number => s.capturedMinor ?? s.totalMinor;

/** What can still be refunded. */
export const leftMinor = (s: SessionRecord): number => receivedMinor(s) - refundedMinor(s);

interface NewRefund extends Pick<SandboxRefund, "id" | "amountMinor" | "metadata"> {
  now: number;
  /** Time until a later status, in milliseconds. */
  delayMs: number;
  /** Replaces the fate that the test card gives. */
  fate?: RefundFate | undefined;
}

export function refund(s: SessionRecord, made: NewRefund): SessionTransition {
  const { now, delayMs, fate = REFUND_FATES[s.refundFate], ...row } = made;
  const { status, reason, later } = fate;
  const next = later && { status: later, at: now + delayMs };
  return {
    next: { ...s, refunds: [...s.refunds, { ...row, createdAt: now, status, reason, next }] },
    events: [{ type: "refund.created", about: row.id }, { type: "charge.refunded" }],
  };
}

export function endRefund(
  s: SessionRecord,
  id: string,
  status: "succeeded" | "failed",
  why = "expired_or_canceled_card",
): SessionTransition {
  const end = { status, reason: status === "failed" ? why : null, next: null };
  return {
    next: { ...s, refunds: s.refunds.map((r) => (r.id === id ? { ...r, ...end } : r)) },
    events: [
      { type: "refund.updated", about: id },
      ...(status === "failed" ? ([{ type: "refund.failed", about: id }] as const) : []),
    ],
  };
}

/** The buyer's bank takes back everything that was not refunded. */
export function dispute(s: SessionRecord, id: string, now: number): SessionTransition {
  const row: SandboxDispute = {
    id,
    amountMinor: leftMinor(s),
    createdAt: now,
    status: "needs_response",
    dueBy: now + 7 * DAY_MS,
  };
  return {
    next: { ...s, disputes: [...s.disputes, row] },
    events: [{ type: "charge.dispute.created", about: id }],
  };
}

export function closeDispute(
  s: SessionRecord,
  id: string,
  status: "won" | "lost",
): SessionTransition {
  const disputes = s.disputes.map((d) => (d.id === id ? { ...d, status } : d));
  return { next: { ...s, disputes }, events: [{ type: "charge.dispute.closed", about: id }] };
}
