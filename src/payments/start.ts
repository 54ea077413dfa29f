import { type Hold, holdsOf, moveHolds, storedHolds } from "../catalog/holds.ts";
import { insert, lock, type Read, type Rule, readUnlocked } from "../core/command.ts";
import { ROOM, TIMES } from "../core/policy.ts";
import { type AttemptRow, isUnpaid, LIVE, LIVE_STATUSES, newRow } from "../core/records.ts";
import { payerOf } from "../quotes/bought-already.ts";
import { quoteStatus, setQuoteState } from "../quotes/standing.ts";
import { ownOfferRows } from "../waitlist/own-offers.ts";
import {
  closeAttempt,
  GIVE_UP_MS,
  isHoldOver,
  saleReads,
  setAttempt,
  setCustomer,
} from "./attempt.ts";
import { nextCheck } from "./next-check.ts";
import { type Reservation, type ReservationRequest, reserve } from "./reservation.ts";

export interface StartPayment extends ReservationRequest {
  attemptId: string;
  /** End of the hosted session, stored before the provider is called. */
  sessionEndsAt: number;
  /** Older attempts whose pages the provider has closed for this one: see `replace`. */
  closed: readonly AttemptRow[];
}

export type StartResult =
  /** A new attempt: request its page from the provider. */
  | { kind: "started"; attempt: AttemptRow }
  /** The quote has a live attempt: resume it. */
  | { kind: "live"; attempt: AttemptRow }
  /** Close the pages of these older attempts, then run the command again. */
  | { kind: "replace"; attempts: AttemptRow[] }
  /** Nothing to pay: the page gives the reason. */
  | { kind: "closed" }
  /** Not now, or not so many bags; the quote does not change. */
  | Extract<Reservation, { kind: "taken" | "too_many" }>;

/**
 * Starts a payment when the buyer presses pay. One transaction checks everything again, holds stock,
 * reserves the courtesy and writes the attempt, before the provider is called (contract §5).
 */
export const startPayment: Rule<StartPayment, StartResult> = {
  reads: (c) => [...ownReads(c), ...rivalReads(c), ...closedReads(c)],
  decide(c, s) {
    const state = s.quote_states.find((row) => row.quote_id === c.quote.id);
    if (!state) throw new Error(`quote ${c.quote.id} has no state`);
    const live = s.attempts.find((a) => a.quote_id === c.quote.id && LIVE.has(a.status));
    const lapsed = live && isUnpaid(live) && isHoldOver(live, c.now);
    if (live && !lapsed) return { reply: { kind: "live", attempt: live }, writes: [] };
    const revoked = s.agents.some((agent) => agent.revoked_at !== null);
    const found = { quote: c.quote, state: { ...state, paying_until: null }, revoked };
    const status = quoteStatus(found, c.now);
    if (status !== "OPEN" && status !== "CHECKOUT_READY") {
      return { reply: { kind: "closed" }, writes: [] };
    }
    const reservation = reserve(c, s);
    if (reservation.kind === "lost") {
      const { reason } = reservation;
      const never = { status: "INVALIDATED", reason, updated_at: c.now } as const;
      return { reply: { kind: "closed" }, writes: [setQuoteState(c.quote.id, never)] };
    }
    if (reservation.kind !== "granted") return { reply: reservation, writes: [] };
    const { holds, instead } = reservation;
    const open = instead.filter((attempt) => !isClosed(c, attempt));
    if (open.length > 0) return { reply: { kind: "replace", attempts: open }, writes: [] };
    const attempt = newAttempt(c, holds);
    const reserved = { courtesy: "RESERVED", courtesy_attempt: attempt.id } as const;
    return {
      reply: { kind: "started", attempt },
      room: ROOM.payments_bytes,
      writes: [
        ...instead.flatMap((older) => closeAttempt(older, "REPLACED", c.now, s)),
        ...moveHolds(instead.flatMap(holdsOf), holds, attempt.id, c.now, s),
        insert("attempts", attempt),
        setQuoteState(c.quote.id, {
          status: "CHECKOUT_READY",
          paying_until: attempt.hold_until,
          updated_at: c.now,
        }),
        ...(c.firstOrder ? [setCustomer(s, c.quote.customer, reserved)] : []),
      ],
    };
  },
};

const ownReads = ({ quote, bags }: StartPayment): Read[] => [
  ...saleReads({ quote, bags }),
  ...(quote.agent_id ? [readUnlocked("agents", { id: quote.agent_id })] : []),
  ...ownOfferRows(quote).map((rows) => lock("waitlist", rows)),
];

/** Payments of others. Not locked: every hold locks the customer and stock rows. */
const rivalReads = ({ quote, address }: StartPayment): Read[] => [
  readUnlocked("attempts", { customer: quote.customer, status: LIVE_STATUSES }),
  ...(quote.cart ? [readUnlocked("attempts", { payer: quote.cart, status: LIVE_STATUSES })] : []),
  ...(address ? [readUnlocked("attempts", { address, status: LIVE_STATUSES })] : []),
  readUnlocked("waitlist", { customer: quote.customer, status: "OFFERED" }),
  ...(address ? [readUnlocked("waitlist", { address, status: "OFFERED" })] : []),
];

/** Rows that the end of the closed attempts changes. */
function closedReads({ closed }: StartPayment): Read[] {
  if (closed.length === 0) return [];
  const productIds = closed.flatMap(holdsOf).map((hold) => hold.product_id);
  const customers = closed.flatMap(({ customer }) => customer ?? []);
  return [
    lock("quote_states", { quote_id: closed.map((attempt) => attempt.quote_id) }),
    lock("attempts", { id: closed.map((attempt) => attempt.id) }),
    lock("customers", { email: customers }),
    lock("stock", { product_id: productIds }),
    lock("waitlist", { attempt_id: closed.map((attempt) => attempt.id) }),
  ];
}

/** Whether the attempt's current page was closed; a newer page of the attempt was not. */
const isClosed = ({ closed }: StartPayment, { id, session_id }: AttemptRow): boolean =>
  closed.some((one) => one.id === id && one.session_id === session_id);

const newAttempt = (c: StartPayment, holds: readonly Hold[]): AttemptRow =>
  newRow("attempts", {
    id: c.attemptId,
    quote_id: c.quote.id,
    status: "CREATING",
    created_at: c.now,
    expires_at: c.sessionEndsAt,
    hold_until: c.now + TIMES.unpaid_hold_ms,
    holds: storedHolds(holds),
    customer: c.quote.customer,
    payer: payerOf(c.quote),
    wish: c.wish,
    address: c.address,
    check_at: c.now + GIVE_UP_MS,
  });

/**
 * Stores the address of the page that the provider made. Idempotent. The buyer may see the page only if
 * the returned attempt is OPEN.
 */
export const recordSession: Rule<
  { now: number; attemptId: string; sessionId: string; url: string },
  AttemptRow
> = {
  reads: (c) => [lock("attempts", { id: c.attemptId })],
  decide(c, s) {
    const attempt = s.attempts[0];
    if (!attempt) throw new Error(`no attempt ${c.attemptId}`);
    if (attempt.session_id !== null) return { reply: attempt, writes: [] };
    const page = { session_id: c.sessionId, url: c.url };
    // An attempt that was given up stays ended, but its session is known from now on.
    const status = "OPEN" as const;
    const opened =
      attempt.status === "CREATING"
        ? { ...page, status, check_at: nextCheck({ ...attempt, status }, c.now) }
        : page;
    return { reply: { ...attempt, ...opened }, writes: [setAttempt(attempt, opened)] };
  },
};
