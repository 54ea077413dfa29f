import { bagCount } from "../core/bags.ts";
import {
  lock,
  type Rule,
  readUnlocked,
  type State,
  stateOf,
  update,
  updateEach,
  type Write,
} from "../core/command.ts";
import { offerLetter } from "../core/outbox.ts";
import { TIMES } from "../core/policy.ts";
import { type BeanRow, oldestFirst, type WaitlistRow } from "../core/records.ts";
import { productOf } from "./bean-rows.ts";
import { isExclusive, type Product } from "./catalog.ts";
import { changeStock } from "./holds.ts";

/**
 * Offers free bags to the waitlist (contract §7). First come, first served per bean: the head of the queue
 * is offered its bags, then the next. An entry that cannot have its bags now is skipped and keeps its place.
 *
 * An entry has a right to bags only once they are offered. Until then any buyer may pay for free bags.
 * Offers are the only bags that are kept without money. So they need an email address that its owner has
 * confirmed, and a customer has one confirmed entry per bean.
 */

/** Bags of one bean that this command adds to the stock or releases. */
export interface StockChange {
  product_id: string;
  on_hand?: number;
  held?: number;
}

/**
 * Rows that `offerFreeStock` needs. Stock rows come first, because everything that touches a queue waits for
 * their lock. `heads` were the first entries of their queues a moment ago, as many as may be offered bags.
 * That is enough for any queue: new entries come last, and an entry returns from an offer only while the
 * bean is off sale. The next housekeeping finds entries that were left out.
 */
export const queueReads = (
  productIds: readonly string[],
  heads: readonly string[],
  entries: readonly string[] = [],
) => [
  lock("stock", { product_id: productIds }),
  lock("waitlist", { id: [...heads, ...entries] }),
  readUnlocked("beans", { product_id: productIds }),
];

/** Whether offered bags of this bean could be ordered. `bean` is undefined if it is off sale. */
export const canBeOffered = (bean: Product | undefined): boolean =>
  bean !== undefined && !isExclusive(bean);

export function isOfferedNow({ beans }: { beans: readonly BeanRow[] }, productId: string): boolean {
  const row = beans.find(({ product_id }) => product_id === productId);
  return canBeOffered((row?.on_sale === 1 && productOf(row)) || undefined);
}

/** Entries of a queue, head first. */
export const queueOf = (rows: readonly WaitlistRow[], productId: string): WaitlistRow[] =>
  rows.filter((row) => row.product_id === productId && row.status === "WAITING").sort(oldestFirst);

/**
 * Restarts the offers of beans that are on sale again, with new letters: their bags could not be ordered
 * meanwhile. An offer whose bags a payment has taken stays as it is.
 */
export const offerAnew = (
  { waitlist }: Pick<State, "waitlist">,
  productIds: readonly string[],
  { now }: { now: number },
): Write[] =>
  waitlist
    .filter((row) => productIds.includes(row.product_id) && row.attempt_id === null)
    .flatMap((entry) => offer(entry, now));

/** Rows that `offerAnew` needs. */
export const offersOf = (productIds: readonly string[]) =>
  lock("waitlist", { product_id: productIds, status: "OFFERED" });

/** Changes the stock and offers the free bags to the heads of the queues. */
export function offerFreeStock(
  changes: readonly StockChange[],
  s: State,
  { now }: { now: number },
): Write[] {
  return changes.flatMap(({ product_id, on_hand = 0, held = 0 }) => {
    const stock = s.stock.find((row) => row.product_id === product_id);
    if (!stock) throw new Error(`no stock row for ${product_id}`);
    let left = stock.on_hand + on_hand - stock.held - held;
    const offers: WaitlistRow[] = [];
    const queue = isOfferedNow(s, product_id) ? queueOf(s.waitlist, product_id) : [];
    for (const entry of queue) {
      if (entry.quantity > left || entry.confirmed_at === null) continue;
      left -= entry.quantity;
      offers.push(entry);
    }
    return [
      ...changeStock(s.stock, product_id, on_hand, held + bagCount(offers)),
      ...offers.flatMap((entry) => offer(entry, now)),
    ];
  });
}

/** Offers the entry its bags, and tells the buyer. */
const offer = (entry: WaitlistRow, now: number): Write[] => [
  update(
    "waitlist",
    { id: entry.id },
    {
      status: "OFFERED",
      offer_expires_at: now + TIMES.waitlist_offer_ms,
      extended_at: null,
    },
  ),
  offerLetter(entry, now),
];

export interface QueueUpdate {
  expired: number;
  offered: number;
}

/**
 * Housekeeping for one bean: ends unused offers and long unvisited places, then offers the free bags to the
 * heads. An offer whose bags a payment has taken stays until that payment ends. While the bean is off sale or the shop
 * on a break, an ended offer returns to its place in the queue.
 */
export const expireAndOffer: Rule<
  {
    now: number;
    productId: string;
    over: readonly string[];
    heads: readonly string[];
    paused: boolean;
  },
  QueueUpdate
> = {
  reads: (c) => queueReads([c.productId], c.heads, c.over),
  decide(c, s) {
    const over = s.waitlist
      .filter(({ id }) => c.over.includes(id))
      .filter((one) => isOver(one, c.now));
    const unvisited = s.waitlist.filter(
      (one) => c.over.includes(one.id) && isUnvisited(one, c.now),
    );
    const change = { product_id: c.productId, held: -bagCount(over) };
    const waitlist = s.waitlist.filter((one) => !unvisited.includes(one));
    const changes = offerFreeStock([change], stateOf({ ...s, waitlist }), c);
    const couldOrder = !c.paused && isOfferedNow(s, c.productId);
    const ended: Partial<WaitlistRow> = couldOrder ? { status: "EXPIRED" } : waitsAgain(c);
    return {
      reply: {
        expired: over.length + unvisited.length,
        offered: changes.filter((write) => write.table === "waitlist").length,
      },
      writes: [
        ...updateEach("waitlist", over, ended),
        ...updateEach("waitlist", unvisited, { status: "EXPIRED" }),
        ...changes,
      ],
    };
  },
};

/** An offer that ended without its buyer's doing: the place counts as seen, so that it does not expire. */
export const waitsAgain = ({ now }: { now: number }): Partial<WaitlistRow> => ({
  status: "WAITING",
  offer_expires_at: null,
  renewed_at: now,
});

const isOver = (entry: WaitlistRow, now: number): boolean =>
  entry.status === "OFFERED" &&
  entry.attempt_id === null &&
  entry.offer_expires_at !== null &&
  entry.offer_expires_at <= now;

/** A place in the queue that nobody has opened for a long time. */
const isUnvisited = ({ status, created_at, renewed_at }: WaitlistRow, now: number): boolean =>
  status === "WAITING" && (renewed_at ?? created_at) <= now - TIMES.waitlist_place_ms;
