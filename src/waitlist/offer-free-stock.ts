import { publishedOf } from "../catalog/bean-rows.ts";
import { isExclusive, type Product } from "../catalog/catalog.ts";
import { changeStock } from "../catalog/holds.ts";
import { bagCount } from "../core/bags.ts";
import {
  lock,
  type Rule,
  readUnlocked,
  type State,
  update,
  updateEach,
  type Write,
} from "../core/command.ts";
import { TIMES } from "../core/policy.ts";
import { type BeanRow, oldestFirst, type WaitlistRow } from "../core/records.ts";

/**
 * How bags come to those who wait (contract §7). First come, first served per bean, strictly: the
 * head of the queue is offered its bags, then the next, until one does not fit; no entry is passed
 * over.
 *
 * The queue's right begins with the offer. Until then free bags are for anybody: a bag that the
 * head has no use for is not kept from a buyer who pays. Whatever frees bags on purpose (stock, a
 * left place, a canceled order) is offered to the queue in its own transaction; what payments
 * release is offered by the next run of housekeeping.
 */

/** Bags of one bean that this command adds to the stock or releases. */
export interface StockChange {
  product_id: string;
  on_hand?: number;
  held?: number;
}

/**
 * What `offerFreeStock` needs: the stock rows first, which is what all who touch a queue wait for, and
 * the entries that it may be about. `heads` were the first of their queues a moment ago, as many as may
 * be offered something. That is enough, however long the queue: who joins comes after all who are there,
 * and who had an offer comes back only while the bean is off sale, when none is made. What was left out,
 * because it has joined only now or because there are very many, the next housekeeping finds.
 */
export const queueReads = (productIds: readonly string[], heads: readonly string[]) => [
  lock("stock", { product_id: productIds }),
  lock("waitlist", { id: heads }),
  readUnlocked("beans", { product_id: productIds }),
];

/** Whether who is offered bags of it could order them; undefined for a bean that is not on sale. */
export const canBeOffered = (bean: Product | undefined): boolean =>
  bean !== undefined && !isExclusive(bean);

export function isOfferedNow({ beans }: { beans: readonly BeanRow[] }, productId: string): boolean {
  const row = beans.find(({ product_id }) => product_id === productId);
  return canBeOffered((row?.on_sale === 1 && publishedOf(row)) || undefined);
}

/** Of a queue, the head first. */
export const queueOf = (rows: readonly WaitlistRow[], productId: string): WaitlistRow[] =>
  rows.filter((row) => row.product_id === productId && row.status === "WAITING").sort(oldestFirst);

/**
 * Offers of beans that are sold again: while they were not, their bags could not be ordered, so that the
 * time for it begins anew, and is told anew. Whose buyer is paying needs neither.
 */
export const offerAnew = (
  { waitlist }: Pick<State, "waitlist">,
  productIds: readonly string[],
  { now }: { now: number },
): Write[] =>
  updateEach(
    "waitlist",
    waitlist.filter((row) => productIds.includes(row.product_id) && row.attempt_id === null),
    { status: "OFFERED", offer_expires_at: now + TIMES.waitlist_offer_ms },
  );

/** Rows that `offerAnew` needs. */
export const offersOf = (productIds: readonly string[]) =>
  lock("waitlist", { product_id: productIds, status: "OFFERED" });

/** Changes the stock and offers what is then free to the heads of the queues, in one go. */
export function offerFreeStock(
  changes: readonly StockChange[],
  s: State,
  { now }: { now: number },
): Write[] {
  return changes.flatMap(({ product_id, on_hand = 0, held = 0 }) => {
    const stock = s.stock.find((row) => row.product_id === product_id);
    if (!stock) throw new Error(`no stock row for ${product_id}`);
    let free = stock.on_hand + on_hand - (stock.held + held);
    let offered = 0;
    const offers: Write[] = [];
    const queue = isOfferedNow(s, product_id) ? queueOf(s.waitlist, product_id) : [];
    for (const entry of queue) {
      if (entry.quantity > free) break;
      free -= entry.quantity;
      offered += entry.quantity;
      const offer_expires_at = now + TIMES.waitlist_offer_ms;
      offers.push(update("waitlist", { id: entry.id }, { status: "OFFERED", offer_expires_at }));
    }
    return [...changeStock(s.stock, product_id, on_hand, held + offered), ...offers];
  });
}

export interface QueueUpdate {
  expired: number;
  offered: number;
}

/**
 * Housekeeping for one bean: offers that were not used in time end, and what is free goes to the
 * heads: `entries` are both. An offer whose buyer is paying is left alone until that payment has ended;
 * one that cannot be ordered, because its bean is off sale, waits again where it was.
 */
export const expireAndOffer: Rule<
  { now: number; productId: string; entries: readonly string[] },
  QueueUpdate
> = {
  reads: (c) => queueReads([c.productId], c.entries),
  decide(c, s) {
    const over = s.waitlist.filter((entry) => isOver(entry, c.now));
    const changes = offerFreeStock([{ product_id: c.productId, held: -bagCount(over) }], s, c);
    const ended: Partial<WaitlistRow> = isOfferedNow(s, c.productId)
      ? { status: "EXPIRED" }
      : { status: "WAITING", offer_expires_at: null };
    return {
      reply: {
        expired: over.length,
        offered: changes.filter((write) => write.table === "waitlist").length,
      },
      writes: [...updateEach("waitlist", over, ended), ...changes],
    };
  },
};

const isOver = (entry: WaitlistRow, now: number): boolean =>
  entry.status === "OFFERED" &&
  entry.attempt_id === null &&
  entry.offer_expires_at !== null &&
  entry.offer_expires_at <= now;
