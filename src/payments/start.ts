import { planHolds } from "../catalog/holds.ts";
import { insert, lock, type Rule, readUnlocked, updateEach, type Write } from "../core/command.ts";
import type { AttemptId } from "../core/ids.ts";
import { ROOM } from "../core/policy.ts";
import { type AttemptRow, isUnpaid, LIVE, newRow, type WaitlistRow } from "../core/records.ts";
import { type Pause, refusePaused } from "../core/shop.ts";
import {
  customerRow,
  lostFor,
  type PaymentObstacle,
  purchaseOf,
  quoteStatus,
  setQuoteState,
} from "../quotes/standing.ts";
import { ownOfferRows, ownOffers } from "../waitlist/own-offers.ts";
import { type AttemptCommand, setAttempt } from "./attempt.ts";
import { isCanceled, isPageTaken } from "./take.ts";
import { isOverdue, nextCheck } from "./times.ts";

export interface StartPayment extends AttemptCommand {
  /** `wishOf` the quote. */
  wish: string;
  /** The running break of the shop, in which no payment starts. */
  pause?: Pause | null;
  /** End of the hosted session, stored before the provider is called. */
  sessionEndsAt: number;
}

export type StartResult =
  /** A new attempt: request its page from the provider. */
  | { kind: "started"; attempt: AttemptRow }
  /** The quote has a live attempt: resume it. */
  | { kind: "live"; attempt: AttemptRow }
  /** The quote's page is past its time: close it, then run the command again. */
  | { kind: "overdue"; attempt: AttemptRow }
  /** Nothing to pay: the page gives the reason. */
  | { kind: "closed" }
  /** Not now; the quote does not change. */
  | Extract<PaymentObstacle, { kind: "taken" }>;

/**
 * Starts a payment when the buyer presses pay. It checks everything again and writes the attempt before the
 * provider is called, and takes nothing: any number of people may be on payment pages for the same bags
 * (contract §5).
 */
export const startPayment: Rule<StartPayment, StartResult> = {
  reads: ({ quote, bags }) => [
    lock("quote_states", { quote_id: quote.id }),
    lock("attempts", { quote_id: quote.id }),
    readUnlocked("customers", { email: quote.customer }),
    readUnlocked("stock", { product_id: bags.map(({ product_id }) => product_id) }),
    ...(quote.agent_id ? [readUnlocked("agents", { id: quote.agent_id })] : []),
    ...(quote.cart ? [lock("checkouts", { page: quote.cart })] : []),
    readUnlocked("attempts", { page: purchaseOf(quote) }),
    ...ownOfferRows(quote).map((rows) => lock("waitlist", rows)),
  ],
  decide(c, s) {
    const { quote, now } = c;
    const state = s.quote_states[0];
    if (!state) throw new Error(`quote ${quote.id} has no state`);
    const live = s.attempts.find((a) => a.quote_id === quote.id && LIVE.has(a.status));
    if (live) {
      const kind = isUnpaid(live) && isOverdue(live, now) ? "overdue" : "live";
      return { reply: { kind, attempt: live }, writes: [] };
    }
    refusePaused(c.pause ?? null);
    const revoked = s.agents.some((agent) => agent.revoked_at !== null);
    const status = quoteStatus({ quote, state: { ...state, paying_until: null }, revoked }, now);
    const isPayable = status === "OPEN" || status === "CHECKOUT_READY";
    if (!isPayable) return { reply: { kind: "closed" }, writes: [] };
    // Sold bags may come back: the page computes the reason, and nothing is stored.
    if (isCanceled(s) || lostFor(c, s)) return { reply: { kind: "closed" }, writes: [] };
    if (isPageTaken(c, s)) return { reply: { kind: "taken", what: "PAGE" }, writes: [] };
    if (c.firstOrder && customerRow(c, s)?.courtesy === "RESERVED") {
      return { reply: { kind: "taken", what: "COURTESY" }, writes: [] };
    }
    const offers = ownOffers(quote, s.waitlist);
    const holds = planHolds(c.bags, s.stock, offers);
    if (!holds) return { reply: { kind: "taken", what: "BAGS" }, writes: [] };
    const attempt = newAttempt(c);
    const used = new Set(holds.flatMap(({ entries }) => entries.map(({ id }) => id)));
    return {
      reply: { kind: "started", attempt },
      room: ROOM.payments_bytes,
      writes: [
        insert("attempts", attempt),
        setQuoteState(quote.id, {
          status: "CHECKOUT_READY",
          paying_until: c.sessionEndsAt,
          updated_at: now,
        }),
        ...extended(
          offers.filter(({ id }) => used.has(id)),
          c,
        ),
      ],
    };
  },
};

/** The offers that the payment needs last as long as its page, once. */
function extended(offers: readonly WaitlistRow[], c: StartPayment): Write[] {
  const ending = offers.filter(
    ({ extended_at, offer_expires_at }) =>
      extended_at === null && offer_expires_at! < c.sessionEndsAt,
  );
  const set = { offer_expires_at: c.sessionEndsAt, extended_at: c.now };
  return updateEach("waitlist", ending, set);
}

function newAttempt(c: StartPayment): AttemptRow {
  const attempt = newRow("attempts", {
    id: c.attemptId,
    quote_id: c.quote.id,
    status: "CREATING",
    created_at: c.now,
    expires_at: c.sessionEndsAt,
    holds: "[]",
    customer: c.quote.customer,
    wish: c.wish,
    page: purchaseOf(c.quote),
    check_at: null,
  });
  return { ...attempt, check_at: nextCheck(attempt, c.now) };
}

/**
 * Stores the address of the page that the provider made. Idempotent. The buyer may see the page only if
 * the returned attempt is OPEN.
 */
export const recordSession: Rule<
  { now: number; attemptId: AttemptId; sessionId: string; url: string },
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
