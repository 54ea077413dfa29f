import { quoteStatus } from "../quote/quote.ts";
import { mayHaveFirstOrder } from "../quote/quote-rules.ts";
import { insert, look, type Rule, read, update, type Write } from "../shared/command.ts";
import { ROOM, TIMES } from "../shared/policy.ts";
import type { AttemptRow, CustomerRow, QuoteRow } from "../shared/records.ts";
import { attemptReads, type Bags, CHECK_EVERY_MS, GIVE_UP_MS, LIVE } from "./attempt.ts";
import { holdsOf, planHolds, releaseHolds, takeHolds } from "./holds.ts";

export interface StartPayment {
  now: number;
  quote: QuoteRow;
  bags: Bags;
  /** The quote carries the first-order courtesy. */
  firstOrder: boolean;
  attemptId: string;
  /** The hosted session's end, stored before the provider is asked. */
  sessionEndsAt: number;
}

export type Started =
  /** A new attempt: now ask the provider for its page. */
  | { kind: "started"; attempt: AttemptRow }
  /** One is under way: resume it. */
  | { kind: "live"; attempt: AttemptRow }
  /** Nothing to pay: the page tells why. */
  | { kind: "closed" };

/**
 * The buyer pressed pay. In one transaction everything is checked again, stock is held, the courtesy
 * reserved and the attempt written, before any provider is called (contract §5).
 */
export const startPayment: Rule<StartPayment, Started> = {
  reads: ({ quote, bags }) => [
    read("quote_states", { quote_id: quote.id }),
    read("attempts", { quote_id: quote.id }),
    read("customers", { email: quote.customer }),
    read("stock", { product_id: bags.map((b) => b.product_id) }),
    ...(quote.agent_id
      ? [
          look("agents", { id: quote.agent_id }),
          read("waitlist", {
            agent_id: quote.agent_id,
            customer: quote.customer,
            status: "OFFERED",
          }),
        ]
      : []),
  ],
  decide(c, s) {
    const state = s.quote_states[0];
    if (!state) throw new Error(`quote ${c.quote.id} has no state`);
    const live = s.attempts.find((attempt) => LIVE.has(attempt.status));
    if (live) return { reply: { kind: "live", attempt: live }, writes: [] };
    const revoked = s.agents.some((agent) => agent.revoked_at !== null);
    const status = quoteStatus(c.quote, state, c.now, revoked);
    if (status !== "OPEN" && status !== "CHECKOUT_READY") {
      return { reply: { kind: "closed" }, writes: [] };
    }
    if (c.firstOrder && !courtesyFree(s.customers[0])) return invalidate(c, "COURTESY_USED");
    const holds = planHolds(c.bags, s.stock, s.waitlist);
    if (!holds) return invalidate(c, "OUT_OF_STOCK");
    const attempt: AttemptRow = {
      id: c.attemptId,
      quote_id: c.quote.id,
      status: "CREATING",
      outcome: null,
      session_id: null,
      payment_ref: null,
      url: null,
      created_at: c.now,
      expires_at: c.sessionEndsAt,
      hold_until: c.sessionEndsAt + TIMES.hold_after_session_ms,
      holds: JSON.stringify(holds),
      courtesy: c.firstOrder ? 1 : 0,
      check_at: c.now + GIVE_UP_MS,
    };
    return {
      reply: { kind: "started", attempt },
      room: ROOM.payments_bytes,
      writes: [
        insert("attempts", attempt),
        update(
          "quote_states",
          { quote_id: c.quote.id },
          { status: "CHECKOUT_READY", paying_until: c.sessionEndsAt, updated_at: c.now },
        ),
        ...takeHolds(holds, attempt.id, s),
        ...(c.firstOrder ? [reserve(c, s.customers[0])] : []),
      ],
    };
  },
};

/** Neither redeemed nor reserved by a payment under way elsewhere. */
const courtesyFree = (customer: CustomerRow | undefined): boolean =>
  mayHaveFirstOrder(customer) && customer?.courtesy !== "RESERVED";

function reserve(c: StartPayment, customer: CustomerRow | undefined): Write {
  const reserved = { courtesy: "RESERVED", courtesy_attempt: c.attemptId } as const;
  return customer
    ? update("customers", { email: customer.email }, reserved)
    : insert("customers", { email: c.quote.customer, paid_orders: 0, ...reserved });
}

function invalidate(c: StartPayment, reason: string): { reply: Started; writes: Write[] } {
  return {
    reply: { kind: "closed" },
    writes: [
      update(
        "quote_states",
        { quote_id: c.quote.id },
        { status: "INVALIDATED", reason, updated_at: c.now },
      ),
    ],
  };
}

export interface SessionOpened {
  now: number;
  attemptId: string;
  sessionId: string;
  url: string;
}

/**
 * The provider has made the page: keep where it is. Told twice, it stays the same. Only an answer that
 * says OPEN may be shown to the buyer.
 */
export const sessionOpened: Rule<SessionOpened, AttemptRow> = {
  reads: (c) => [read("attempts", { id: c.attemptId })],
  decide(c, s) {
    const attempt = s.attempts[0];
    if (!attempt) throw new Error(`no attempt ${c.attemptId}`);
    if (attempt.session_id !== null) return { reply: attempt, writes: [] };
    const page = { session_id: c.sessionId, url: c.url };
    // An attempt that was given up keeps its end, but its session is known from now on.
    const opened =
      attempt.status === "CREATING"
        ? { ...page, status: "OPEN" as const, check_at: c.now + CHECK_EVERY_MS }
        : page;
    return {
      reply: { ...attempt, ...opened },
      writes: [update("attempts", { id: attempt.id }, opened)],
    };
  },
};

export interface LoseHold {
  now: number;
  attemptId: string;
  quote: QuoteRow;
  bags: Bags;
}

/** The session's end is 10 minutes past and the provider has not answered: others may buy the bags. */
export const loseHold: Rule<LoseHold, null> = {
  reads: (c) => attemptReads(c.attemptId, c.quote, c.bags),
  decide(c, s) {
    const attempt = s.attempts.find((a) => a.id === c.attemptId);
    const held = attempt ? holdsOf(attempt) : [];
    if (!attempt || !LIVE.has(attempt.status) || attempt.hold_until > c.now || !held[0]) {
      return { reply: null, writes: [] };
    }
    const writes = releaseHolds(held, s);
    return {
      reply: null,
      writes: [...writes, update("attempts", { id: attempt.id }, { holds: "[]" })],
    };
  },
};
