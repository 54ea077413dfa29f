import { z } from "zod";
import { type Head, offerFreeStock, queueReads } from "../catalog/offer-free-stock.ts";
import { answer, Buyer, NextSteps, open, Time } from "../core/answer.ts";
import { audited, type MerchantAct } from "../core/audit.ts";
import { ProductId, Quantity } from "../core/bags.ts";
import { lock, type Rule, update, writeRule } from "../core/command.ts";
import { Email } from "../core/email.ts";
import { illegalStep, type NextStep } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { iso, TIMES } from "../core/policy.ts";
import type { WaitlistRow } from "../core/records.ts";

/**
 * A place in the queue for a bean (contract §7).
 *
 * WAITING → OFFERED (bags held 48 h, or 12 h for an unconfirmed address) → CONVERTED (paid with them) |
 * EXPIRED | WAITING (its bean is off sale then). WAITING → EXPIRED, when nobody looks at it for long.
 * WAITING | OFFERED | EXPIRED → LEFT, by the agent, the buyer or the merchant.
 */
export const WaitlistRequest = z.strictObject({
  product_id: ProductId,
  quantity: Quantity,
  buyer: z.strictObject({ email: Email }),
});

export type WaitlistRequest = z.infer<typeof WaitlistRequest>;

export const WaitlistEntry = answer({
  id: z.string(),
  product_id: z.string(),
  quantity: z.int(),
  buyer: Buyer,
  status: open(
    ["WAITING", "OFFERED", "CONVERTED", "EXPIRED", "LEFT"],
    "OFFERED: the bags are held until offer_expires_at.",
  ),
  position: z.int().nullable().describe("1 is the head of the queue; null unless WAITING."),
  eta: z.null().describe("Not known, and never guessed."),
  offer_expires_at: Time.optional(),
  status_url: z.string().describe("The buyer's page: their place, what happens next, leaving."),
  created_at: Time,
  next: NextSteps,
}).meta({ id: "WaitlistEntry" });

export type WaitlistEntry = z.infer<typeof WaitlistEntry>;

/** An entry as the rules know it: the verbs add the address of its page. */
export type EntryView = Omit<WaitlistEntry, "status_url">;

/**
 * An entry as its agent reads it. `ahead` is how many wait before it; `sold`: whether its bean can be
 * offered and ordered now.
 */
export function waitlistView(row: WaitlistRow, ahead: number, sold = true): EntryView {
  const offered = row.status === "OFFERED" && row.offer_expires_at !== null;
  return {
    id: row.id,
    product_id: row.product_id,
    quantity: row.quantity,
    buyer: { email: row.buyer_email },
    status: row.status,
    position: row.status === "WAITING" ? ahead + 1 : null,
    eta: null,
    ...(offered && { offer_expires_at: iso(row.offer_expires_at!) }),
    created_at: iso(row.created_at),
    next: nextSteps(row, sold),
  };
}

export function nextSteps(row: WaitlistRow, sold: boolean): NextStep[] {
  const { id, status } = row;
  if (isBeingPaid(row)) {
    const why = "The buyer is paying for these bags: look again, CONVERTED means that it is done.";
    return [step("get_waitlist_entry", why, id)];
  }
  if (!sold && status !== "CONVERTED") return nextOfUnsold(row);
  switch (status) {
    case "WAITING":
      return [
        step("get_waitlist_entry", "Look again later: OFFERED means that bags are held.", id),
        step("leave_waitlist", "Leave when the buyer has changed their mind.", id),
      ];
    case "OFFERED":
      return [
        step(
          "request_quote",
          "Quote for this buyer, who pays before offer_expires_at: bags are held.",
        ),
        step("leave_waitlist", "Let the bags go to the next in the queue.", id),
      ];
    case "CONVERTED":
      return [step("list_orders", "Find the order that these bags went into.")];
    default:
      return [step("join_waitlist", "Join again, at the end of the queue.")];
  }
}

/** Its bean was taken off sale: nothing is offered, and what was cannot be ordered, until it is back. */
function nextOfUnsold({ id, status }: WaitlistRow): NextStep[] {
  const others = step("get_catalog", "The bean is not sold now. Choose another one.");
  if (status !== "WAITING" && status !== "OFFERED") return [others];
  return [
    step("get_waitlist_entry", "The bean is not sold now. Look again later: it may be back.", id),
    step("leave_waitlist", "Leave when the buyer does not want to wait for that.", id),
    others,
  ];
}

/** Its bags are in a payment that has begun: there is nothing to quote, and no leaving. */
export const isBeingPaid = ({ status, attempt_id }: WaitlistRow): boolean =>
  status === "OFFERED" && attempt_id !== null;

/** A buyer's place, as its page shows it. */
export interface WaitlistPlace {
  entry: EntryView;
  /** An agent joined for the buyer, so only a quote by this agent uses the held bags. */
  hasAgent: boolean;
  /** Of bags that are offered: a payment page is open, or what was paid on it settles. */
  paying: "BEGUN" | "SETTLING" | null;
  /** The page of the quote that its bags are paid by, and of its order; null before that is begun. */
  paidAt: string | null;
  /** Whether its bean can be offered and ordered now. */
  sold: boolean;
}

/**
 * Gives a place up. What an offer held goes on to the next heads at once; whom a leaving head stood in
 * the way of, the next run of housekeeping finds. Leaving twice answers the same.
 */
export const leaveWaitlist: Rule<
  { now: number; id: string; productId: string; heads: readonly Head[] },
  EntryView
> = {
  reads: (c) => queueReads([c.productId], c.heads, [c.id]),
  decide(c, s) {
    const entry = s.waitlist.find((row) => row.id === c.id);
    if (!entry) throw new Error(`no waitlist entry ${c.id}`);
    refuseLeaving(entry);
    const left = { ...entry, status: "LEFT" as const };
    if (entry.status === "LEFT") return { reply: waitlistView(left, 0), writes: [], forGood: true };
    const freed = { product_id: entry.product_id, held: -entry.quantity };
    return {
      reply: waitlistView(left, 0),
      writes: [
        update("waitlist", { id: entry.id }, { status: "LEFT" }),
        ...(entry.status === "OFFERED" ? offerFreeStock([freed], s, c, [entry]) : []),
      ],
    };
  },
};

function refuseLeaving(entry: WaitlistRow): void {
  if (entry.status === "CONVERTED") {
    throw illegalStep(
      "This entry is CONVERTED: its bags have been ordered and paid, so it cannot be left.",
      step("list_orders", "Find the order; its cancellation can be requested there."),
    );
  }
  if (isBeingPaid(entry)) {
    throw illegalStep(
      "The buyer is paying for these bags right now. Leave when that payment has ended.",
      step("get_waitlist_entry", "Look again later.", entry.id),
    );
  }
}

/** The merchant takes a place away: an act of the audit log. */
export const removePlace: Rule<
  MerchantAct & { id: string; productId: string; heads: readonly Head[] },
  EntryView
> = {
  reads: leaveWaitlist.reads,
  decide(c, s) {
    const { reply, writes } = leaveWaitlist.decide(c, s);
    return { reply, writes: [...writes, audited(c, "waitlist.remove", c.id)] };
  },
};

/** Somebody has looked at the place, so it does not end. */
export const renewPlace = writeRule<{ now: number; id: string }>({
  reads: (c) => [lock("waitlist", { id: c.id })],
  writes: (c) => [update("waitlist", { id: c.id }, { renewed_at: c.now })],
});

/** The address is the buyer's own. An offer that is open has its whole time from now on. */
export const confirmPlace = writeRule<{ now: number; id: string }>({
  reads: (c) => [lock("waitlist", { id: c.id })],
  writes(c, { waitlist: [entry] }) {
    if (!entry || entry.confirmed_at !== null) return [];
    const { status, offer_expires_at: ends } = entry;
    const longer = TIMES.waitlist_offer_ms - TIMES.unconfirmed_offer_ms;
    const offer_expires_at = status === "OFFERED" && ends !== null ? ends + longer : ends;
    return [update("waitlist", { id: c.id }, { confirmed_at: c.now, offer_expires_at })];
  },
});
