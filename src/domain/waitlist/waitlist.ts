import { z } from "zod";
import type { Product } from "../catalog/catalog.ts";
import { ProductId, Quantity } from "../quote/quote-request.ts";
import { customerOf } from "../quote/quote-rules.ts";
import { insert, type Rule, read, update } from "../shared/command.ts";
import { Email } from "../shared/email.ts";
import { MerchantError, type NextStep } from "../shared/errors.ts";
import { step } from "../shared/next-step.ts";
import { iso } from "../shared/policy.ts";
import type { WaitlistRow } from "../shared/records.ts";
import type { WaitlistEntry } from "./waitlist-answer.ts";
import { feed, feedReads, queueOf } from "./waitlist-offers.ts";

/**
 * A place in the queue for a bean (contract §7).
 *
 * WAITING → OFFERED (bags held 48 h) → CONVERTED (paid with them) | EXPIRED. WAITING | OFFERED | EXPIRED
 * → LEFT, by the agent.
 */
export const WaitlistRequest = z.strictObject({
  product_id: ProductId,
  quantity: Quantity,
  buyer: z.strictObject({ email: Email }).describe("Who will pay when the bags are there."),
});

export type WaitlistRequest = z.infer<typeof WaitlistRequest>;

/** An entry as its agent reads it. `ahead` is how many wait before it. */
export function waitlistView(row: WaitlistRow, ahead: number): WaitlistEntry {
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
    next: nextSteps(row),
  };
}

function nextSteps({ id, status }: WaitlistRow): NextStep[] {
  switch (status) {
    case "WAITING":
      return [
        step("get_waitlist_entry", "Look again later: OFFERED means that bags are held.", id),
        step("leave_waitlist", "Leave when the buyer has changed their mind.", id),
      ];
    case "OFFERED":
      return [
        step("request_quote", "Quote for this buyer before offer_expires_at: the bags are held."),
        step("leave_waitlist", "Let the bags go to the next in the queue.", id),
      ];
    case "CONVERTED":
      return [step("list_orders", "Find the order that these bags went into.")];
    default:
      return [step("join_waitlist", "Join again, at the end of the queue.")];
  }
}

export interface JoinWaitlist {
  now: number;
  id: string;
  agentId: string;
  request: WaitlistRequest;
  bean: Product;
}

/** Joins at the end. The stock row is locked first: whoever commits first is first. */
export const joinWaitlist: Rule<JoinWaitlist, WaitlistEntry> = {
  reads: (c) => feedReads([c.request.product_id]),
  decide(c, s) {
    refuseBean(c.bean);
    const queue = queueOf(s.waitlist, c.bean.product_id);
    const customer = customerOf(c.request.buyer.email);
    const own = queue.find((row) => row.agent_id === c.agentId && row.customer === customer);
    if (own) throw alreadyWaiting(own);
    const entry: WaitlistRow = {
      id: c.id,
      agent_id: c.agentId,
      product_id: c.bean.product_id,
      quantity: c.request.quantity,
      buyer_email: c.request.buyer.email,
      customer,
      status: "WAITING",
      // Strictly after all who are there, so that nobody joins before one of them.
      created_at: Math.max(c.now, ...s.waitlist.map((row) => row.created_at + 1)),
      offer_expires_at: null,
      attempt_id: null,
    };
    return {
      reply: waitlistView(entry, queue.length),
      writes: [insert("waitlist", entry)],
    };
  },
};

function refuseBean(bean: Product): void {
  if (bean.availability === "WAITLIST") return;
  const detail = `${bean.product_id} has no waitlist.`;
  const instead =
    bean.availability === "STOCKED"
      ? step("request_quote", "It is a stocked bean: request a quote for it.")
      : step("ask", "It is the exclusive bean: good questions earn a finder key for it.");
  throw new MerchantError("WAITLIST_NOT_OFFERED", detail, {
    problems: [{ pointer: "/product_id", code: "WAITLIST_NOT_OFFERED", detail }],
    next: [instead, step("get_catalog", "Only beans with availability WAITLIST have one.")],
  });
}

const alreadyWaiting = (entry: WaitlistRow): MerchantError =>
  new MerchantError(
    "ALREADY_WAITING",
    `This buyer is already waiting for this bean: entry ${entry.id}.`,
    {
      problems: [{ pointer: "/buyer/email", code: "ALREADY_WAITING", detail: entry.id }],
      next: [
        step("get_waitlist_entry", "Read that entry and its position.", entry.id),
        step("leave_waitlist", "Leave it first, to join with another quantity.", entry.id),
      ],
    },
  );

export interface LeaveWaitlist {
  now: number;
  id: string;
  productId: string;
}

/**
 * Gives a place up. What an offer held goes on to the next heads at once; whom a leaving head stood in
 * the way of, the next round finds. Leaving twice answers the same.
 */
export const leaveWaitlist: Rule<LeaveWaitlist, WaitlistEntry> = {
  reads: (c) => [...feedReads([c.productId]), read("waitlist", { id: c.id })],
  decide(c, s) {
    const entry = s.waitlist.find((row) => row.id === c.id);
    if (!entry) throw new Error(`no waitlist entry ${c.id}`);
    refuseLeaving(entry);
    const left = { ...entry, status: "LEFT" as const };
    if (entry.status === "LEFT") return { reply: waitlistView(left, 0), writes: [] };
    const freed = { product_id: entry.product_id, on_hand: 0, held: -entry.quantity };
    return {
      reply: waitlistView(left, 0),
      writes: [
        update("waitlist", { id: entry.id }, { status: "LEFT" }),
        ...(entry.status === "OFFERED" ? feed([freed], s, c) : []),
      ],
    };
  },
};

function refuseLeaving(entry: WaitlistRow): void {
  if (entry.status === "CONVERTED") {
    throw new MerchantError(
      "ILLEGAL_STEP",
      "This entry is CONVERTED: its bags have been ordered and paid, so it cannot be left.",
      { next: [step("list_orders", "Find the order; its cancellation can be requested there.")] },
    );
  }
  if (entry.status === "OFFERED" && entry.attempt_id !== null) {
    throw new MerchantError(
      "ILLEGAL_STEP",
      "The buyer is paying for these bags right now. Leave when that payment has ended.",
      { next: [step("get_waitlist_entry", "Look again later.", entry.id)] },
    );
  }
}
