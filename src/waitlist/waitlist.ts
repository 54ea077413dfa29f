import { z } from "zod";
import { offerFreeStock, queueReads } from "../catalog/offer-free-stock.ts";
import { answer, Buyer, NextSteps, open, Time } from "../core/answer.ts";
import { audited, type MerchantAct } from "../core/audit.ts";
import { bags, isOrAre, ProductId } from "../core/bags.ts";
import { lock, type Rule, update, updateEach, writeRule } from "../core/command.ts";
import { Email } from "../core/email.ts";
import { illegalStep, type NextStep } from "../core/errors.ts";
import { whole } from "../core/fields.ts";
import { step } from "../core/next-step.ts";
import { iso, LIMITS } from "../core/policy.ts";
import type { WaitlistRow } from "../core/records.ts";
import { holdingRule } from "../core/shop.ts";

/**
 * A place in the queue for a bean (contract §7).
 *
 * WAITING → OFFERED: bags are held for 48 h. Only an entry with a confirmed email address is offered bags.
 * OFFERED → CONVERTED (paid), EXPIRED, or WAITING if the bean is off sale. WAITING → EXPIRED after 90 days
 * without a read. WAITING | OFFERED | EXPIRED → LEFT, by the agent, the buyer or the merchant, or because
 * the buyer confirmed another entry for the same bean.
 */
export const WaitlistRequest = z.strictObject({
  product_id: ProductId,
  // The rule refuses more: it knows how many are in stock.
  quantity: whole({
    least: 1,
    most: LIMITS.waitlist_bags,
    leftToRule: LIMITS.quantity_per_line,
    of: "bags in one waitlist entry",
  })
    .describe("8 oz bags.")
    .meta({ maximum: LIMITS.waitlist_bags }),
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
  /** The buyer pressed the button behind the letter's link for this entry. */
  confirmed: z.boolean(),
  holding: z.string().describe("Tell the buyer."),
  status_url: z.string().describe("The buyer's page: their place, what happens next, leaving."),
  created_at: Time,
  note: z.string().optional().describe("Joined again: why the quantity stays."),
  next: NextSteps,
}).meta({ id: "WaitlistEntry" });

export type WaitlistEntry = z.infer<typeof WaitlistEntry>;

/** Tells who joins again for another quantity that an offer keeps its bags. */
export function offerKept({ status, quantity }: WaitlistRow, wanted: number): { note?: string } {
  if (status !== "OFFERED" || wanted === quantity) return {};
  const then =
    wanted > quantity
      ? "Join again for more once they are ordered."
      : "The quote can take fewer of them.";
  return {
    note: `The quantity stays ${quantity}, because ${bags(quantity)} ${isOrAre(quantity)} held already. ${then}`,
  };
}

/** An entry without the address of its page, which the verbs add. */
export type EntryView = Omit<WaitlistEntry, "status_url">;

/** An entry after a command. `ahead`: entries before a new one. */
export interface Placed {
  id: string;
  row: WaitlistRow;
  ahead?: number;
}

export interface PlaceFacts {
  /** Entries before it. */
  ahead: number;
  /** The shop sends email. */
  mailing: boolean;
  /** The bean can be offered and ordered now. */
  sold: boolean;
  /** No bags are held for the entry, but as many as it wants can be bought. */
  inStock: boolean;
}

export function waitlistView(row: WaitlistRow, facts: PlaceFacts): EntryView {
  const { ahead, mailing } = facts;
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
    confirmed: row.confirmed_at !== null,
    holding: holdingRule(mailing),
    created_at: iso(row.created_at),
    next: nextSteps(row, facts),
  };
}

function nextSteps(row: WaitlistRow, facts: PlaceFacts): NextStep[] {
  const { id, status } = row;
  if (isBeingPaid(row)) {
    const why = "The buyer is paying for these bags. Read it again later: CONVERTED means paid.";
    return [step("get_waitlist_entry", why, id)];
  }
  if (!facts.sold && status !== "CONVERTED") return nextOfUnsold(row);
  switch (status) {
    case "WAITING":
      return [
        ...(facts.inStock ? [step("request_quote", "Enough bags are in stock now.")] : []),
        step("get_waitlist_entry", whyWait(row, facts), id),
        step("leave_waitlist", "Leave if the buyer changes their mind.", id),
      ];
    case "OFFERED":
      return [
        step(
          "request_quote",
          "Bags are held. Quote for this buyer, who must pay before offer_expires_at.",
        ),
        step("leave_waitlist", "Give the bags to the next in the queue.", id),
      ];
    case "CONVERTED":
      return [step("list_orders", "Find the order with these bags.")];
    default:
      return [
        step("get_catalog", "See how many bags are left: quote them, or join again at the end."),
      ];
  }
}

function whyWait({ confirmed_at }: WaitlistRow, { mailing }: PlaceFacts): string {
  if (!mailing) return "Read it again later, or use wait: it says when enough bags are in stock.";
  const later = "Read it again later, or use wait: OFFERED means bags are held.";
  return confirmed_at === null
    ? `Ask the buyer to press the button behind the link in our email. ${later}`
    : later;
}

/** Next steps while the bean is off sale: nothing is offered, and an open offer cannot be ordered. */
function nextOfUnsold({ id, status }: WaitlistRow): NextStep[] {
  const others = step("get_catalog", "This bean is off sale. Choose another one.");
  if (!isQueued({ status })) return [others];
  return [
    step("get_waitlist_entry", "This bean is off sale. Read the entry again later.", id),
    step("leave_waitlist", "Leave if the buyer doesn't want to wait.", id),
    others,
  ];
}

/** Waits, or has bags offered. */
export const isQueued = ({ status }: Pick<WaitlistRow, "status">): boolean =>
  status === "WAITING" || status === "OFFERED";

/** A payment of its bags has started, so they cannot be quoted or given up. */
export const isBeingPaid = ({ status, attempt_id }: WaitlistRow): boolean =>
  status === "OFFERED" && attempt_id !== null;

/** A buyer's place, as its page shows it. */
export interface WaitlistPlace {
  entry: EntryView;
  /** An agent joined for the buyer, so only a quote by this agent uses the held bags. */
  hasAgent: boolean;
  /** No bags are held for the entry, but as many as it wants can be bought. */
  inStock: boolean;
  /** A payment has taken the offered bags and is settling. */
  settling: boolean;
  /** Page of the purchase that its bags belong to; null before a payment starts. */
  paidAt: string | null;
  /** The bean can be offered and ordered now. */
  sold: boolean;
}

/**
 * Gives up a place. Held bags are offered to the next heads at once. If the entry only blocked others,
 * housekeeping offers to them. Leaving twice returns the same.
 */
export const leaveWaitlist: Rule<
  { now: number; id: string; productId: string; heads: readonly string[] },
  Placed
> = {
  reads: (c) => queueReads([c.productId], c.heads, [c.id]),
  decide(c, s) {
    const entry = s.waitlist.find((row) => row.id === c.id);
    if (!entry) throw new Error(`no waitlist entry ${c.id}`);
    refuseLeaving(entry);
    const left = { ...entry, status: "LEFT" as const };
    const reply = { id: left.id, row: left };
    if (entry.status === "LEFT") return { reply, writes: [] };
    const freed = { product_id: entry.product_id, held: -entry.quantity };
    return {
      reply,
      writes: [
        update("waitlist", { id: entry.id }, { status: "LEFT" }),
        ...(entry.status === "OFFERED" ? offerFreeStock([freed], s, c) : []),
      ],
    };
  },
};

function refuseLeaving(entry: WaitlistRow): void {
  if (entry.status === "CONVERTED") {
    throw illegalStep(
      "This entry is CONVERTED: its bags were ordered and paid. Request a cancellation instead.",
      step("list_orders", "Find the order to cancel."),
    );
  }
  if (isBeingPaid(entry)) {
    throw illegalStep(
      "The buyer is paying for these bags. Leave after that payment has ended.",
      step("get_waitlist_entry", "Read the entry again later.", entry.id),
    );
  }
}

/** Removes a place for the merchant, with an entry in the audit log. */
export const removePlace: Rule<
  MerchantAct & { id: string; productId: string; heads: readonly string[] },
  Placed
> = {
  reads: leaveWaitlist.reads,
  decide(c, s) {
    const { reply, writes } = leaveWaitlist.decide(c, s);
    const isGone = writes.length === 0;
    return { reply, writes: isGone ? [] : [...writes, audited(c, "waitlist.remove", c.id)] };
  },
};

/** Restarts the 90 days of a place that somebody has read. */
export const renewPlace = writeRule<{ now: number; id: string }>({
  reads: (c) => [lock("waitlist", { id: c.id })],
  writes: (c) => [update("waitlist", { id: c.id }, { renewed_at: c.now })],
});

/**
 * Confirms the buyer's address for this entry. It becomes the customer's only entry for its bean, with the
 * earliest place of all: others may have joined with this address, or the buyer may have joined twice.
 */
export const confirmPlace = writeRule<{
  now: number;
  id: string;
  productId: string;
  customer: string;
}>({
  reads: ({ productId, customer }) => [
    lock("waitlist", { product_id: productId, customer, status: ["WAITING", "OFFERED"] }),
  ],
  writes(c, { waitlist }) {
    const entry = waitlist.find(({ id }) => id === c.id);
    const others = waitlist.filter((one) => one !== entry);
    if (!entry || entry.confirmed_at !== null || others.some(hasOffer)) return [];
    const created_at = Math.min(...waitlist.map((one) => one.created_at));
    return [
      ...updateEach("waitlist", others, { status: "LEFT" }),
      update("waitlist", { id: c.id }, { confirmed_at: c.now, created_at }),
    ];
  },
});

const hasOffer = ({ status }: WaitlistRow): boolean => status === "OFFERED";
