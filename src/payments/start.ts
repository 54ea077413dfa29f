import { type Hold, holdsOf, moveHolds, storedHolds } from "../catalog/holds.ts";
import { insert, lock, type Read, type Rule, readUnlocked } from "../core/command.ts";
import { ROOM, TIMES } from "../core/policy.ts";
import { type AttemptRow, isUnpaid, LIVE, LIVE_STATUSES, newRow } from "../core/records.ts";
import { payerOf } from "../quotes/bought-already.ts";
import { quoteStatus, setQuoteState } from "../quotes/standing.ts";
import { ownOfferRows } from "../waitlist/own-offers.ts";
import { closing, GIVE_UP_MS, isHoldOver, saleReads, setAttempt, setCustomer } from "./attempt.ts";
import { nextCheck } from "./next-check.ts";
import { type Reservation, type ReservationRequest, reserve } from "./reservation.ts";

export interface StartPayment extends ReservationRequest {
  attemptId: string;
  /** The hosted session's end, stored before the provider is asked. */
  sessionEndsAt: number;
  /** Older attempts whose page the provider has closed for this one: see `replace`. */
  closed: readonly AttemptRow[];
}

export type StartResult =
  /** A new attempt: now ask the provider for its page. */
  | { kind: "started"; attempt: AttemptRow }
  /** One is under way: resume it. */
  | { kind: "live"; attempt: AttemptRow }
  /** Have the pages of these older attempts closed, then ask again. */
  | { kind: "replace"; attempts: AttemptRow[] }
  /** Nothing to pay: the page tells why. */
  | { kind: "closed" }
  /** Not now, or not so many; the quote stays as it is. */
  | Extract<Reservation, { kind: "taken" | "too_many" }>;

/**
 * The buyer pressed pay. In one transaction everything is checked again, stock is held, the courtesy
 * reserved and the attempt written, before any provider is called (contract §5).
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
        ...instead.flatMap((older) => closing(older, "REPLACED", c.now, s)),
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

/** Who else is paying. Not locked: customer and stock rows are, and nothing is held without those. */
const rivalReads = ({ quote, address }: StartPayment): Read[] => [
  readUnlocked("attempts", { customer: quote.customer, status: LIVE_STATUSES }),
  ...(quote.cart ? [readUnlocked("attempts", { payer: quote.cart, status: LIVE_STATUSES })] : []),
  ...(address ? [readUnlocked("attempts", { address, status: LIVE_STATUSES })] : []),
  readUnlocked("waitlist", { customer: quote.customer, status: "OFFERED" }),
  ...(address ? [readUnlocked("waitlist", { address, status: "OFFERED" })] : []),
];

/** Everything that the end of those older attempts changes. */
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

/** Closed as it is now: a page that was made since then is another one. */
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
 * The provider has made the page: keep where it is. Told twice, it stays the same. Only an answer that
 * says OPEN may be shown to the buyer.
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
    // An attempt that was given up keeps its end, but its session is known from now on.
    const status = "OPEN" as const;
    const opened =
      attempt.status === "CREATING"
        ? { ...page, status, check_at: nextCheck({ ...attempt, status }, c.now) }
        : page;
    return { reply: { ...attempt, ...opened }, writes: [setAttempt(attempt, opened)] };
  },
};
