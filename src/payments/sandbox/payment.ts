import { sum } from "../../core/money.ts";
import { DAY_MS } from "../../core/policy.ts";
import type { EVENTS_OF_INTEREST } from "../stripe/webhook.ts";
import type { SessionCreate } from "./params.ts";

/**
 * One emulated checkout session and how it moves. Pure: time and ids come in. Amounts are minor
 * units of usd, times milliseconds.
 */

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

/**
 * Refunds and disputes of one emulated payment and how they move. Pure: time and ids come in. Amounts
 * are minor units of usd, times milliseconds.
 */

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
  waits: { status: "pending", reason: "insufficient_funds", later: "succeeded" },
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
  /** Instead of the fate that the test card gives it. */
  fate?: RefundFate | undefined;
  now: number;
  /** How long until what comes later comes. */
  delayMs: number;
}

export function refund(s: SessionRecord, made: NewRefund): SessionTransition {
  const { now, delayMs, fate = s.refundFate, ...asked } = made;
  const { status, reason, later } = FATES[fate];
  const row: SandboxRefund = {
    ...asked,
    createdAt: now,
    status,
    reason,
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
function moneyDue(s: SessionRecord, now: number): SessionTransition | null {
  const ended = s.refunds.find(({ next }) => next !== null && now >= next.at);
  if (ended?.next) return endRefund(s, ended.id, ended.next.status);
  const unanswered = s.disputes.find((d) => d.status === "needs_response" && now >= d.dueBy);
  return unanswered ? closeDispute(s, unanswered.id, "lost") : null;
}

/** Whether the clock has still something to do here. */
export const moneyWaits = (s: SessionRecord): boolean =>
  s.refunds.some(({ next }) => next !== null) ||
  s.disputes.some(({ status }) => status === "needs_response");

/**
 * The ways to pay that the sandbox page offers (contract §16). The numbers are Stripe's published
 * test numbers. There is no free number field anywhere: a real card cannot be typed in.
 */
type PayEffect =
  /** `refund`, `disputed`: what comes after the payment, as Stripe's own test cards do it. */
  | { kind: "pay"; refund?: "pends" | "fails"; disputed?: boolean }
  | { kind: "decline"; message: string }
  | { kind: "challenge" }
  | { kind: "debit" };

export interface PayMethod {
  value: string;
  label: string;
  hint: string;
  /** Stripe's payment method type; a session offers it only if it was created with it. */
  type: "card" | "us_bank_account";
  effect: PayEffect;
}

const card = (value: string, label: string, hint: string, effect: PayEffect): PayMethod => ({
  value,
  label,
  hint,
  type: "card",
  effect,
});

const declined = (value: string, label: string, message: string): PayMethod =>
  card(value, label, "The payment fails and the buyer can try again.", {
    kind: "decline",
    message,
  });

export const PAY_METHODS: readonly PayMethod[] = [
  card("4242424242424242", "Visa 4242, pays", "The payment succeeds at once.", { kind: "pay" }),
  card("4000000000003220", "Visa 3220, asks for 3-D Secure", "A second page asks for approval.", {
    kind: "challenge",
  }),
  card("4000000000007726", "Visa 7726, refunds take their time", "A refund is pending at first.", {
    kind: "pay",
    refund: "pends",
  }),
  card("4000000000005126", "Visa 5126, refunds fail later", "A refund fails after it was made.", {
    kind: "pay",
    refund: "fails",
  }),
  card("4000000000000259", "Visa 0259, disputed", "It pays, and the bank disputes it at once.", {
    kind: "pay",
    disputed: true,
  }),
  {
    value: "bank_debit",
    label: "Bank debit, settles later",
    hint: "The payment is accepted now and succeeds half a minute later.",
    type: "us_bank_account",
    effect: { kind: "debit" },
  },
  declined("4000000000000002", "Visa 0002, declined", "Your card was declined."),
  declined(
    "4000000000009995",
    "Visa 9995, insufficient funds",
    "Your card has insufficient funds. Try a different card.",
  ),
  declined("4000000000009987", "Visa 9987, reported lost", "Your card was declined."),
  declined(
    "4000000000000069",
    "Visa 0069, expired card",
    "Your card has expired. Try another one.",
  ),
  declined("4000000000000127", "Visa 0127, wrong CVC", "Your card's security code is incorrect."),
  declined(
    "4000000000000119",
    "Visa 0119, processing error",
    "An error occurred while processing your card. Try again in a little bit.",
  ),
];

/** Spaces and dashes as people group a number. Anything but a listed value is null. */
export function payMethod(value: string, types: readonly string[]): PayMethod | null {
  const plain = value.trim().replaceAll(/[\s-]/g, "");
  return PAY_METHODS.find((m) => m.value === plain && types.includes(m.type)) ?? null;
}
