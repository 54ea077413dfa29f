import { type Bags, bagCount, freeBagsOf } from "../core/bags.ts";
import { type State, update, updateEach, type Write } from "../core/command.ts";
import { sum } from "../core/money.ts";
import { TIMES } from "../core/policy.ts";
import { type AttemptRow, oldestFirst, type StockRow, type WaitlistRow } from "../core/records.ts";
import { isUnderWay } from "../core/time.ts";

/** Bags of one bean that a payment attempt keeps from others (contract §5). */
export interface Hold {
  product_id: string;
  quantity: number;
  /** Bags taken from free stock. The rest comes from the buyer's own waitlist offers. */
  fromStock: number;
  /** Waitlist entries whose held bags this attempt uses, and how many each holds. */
  entries: { id: string; quantity: number }[];
}

/** Stored form, in which `fromStock` keeps its first name. */
type StoredHold = Omit<Hold, "fromStock"> & { own: number };

export const holdsOf = (attempt: Pick<AttemptRow, "holds">): Hold[] =>
  (JSON.parse(attempt.holds) as StoredHold[]).map(({ own: fromStock, ...hold }) => ({
    ...hold,
    fromStock,
  }));

export const storedHolds = (holds: readonly Hold[]): string =>
  JSON.stringify(holds.map(({ fromStock: own, ...hold }): StoredHold => ({ ...hold, own })));

/** Plans to hold these bags: the buyer's own offers first, then free stock. Null if there are too few. */
export function planHolds(
  bags: readonly Bags[],
  stock: readonly StockRow[],
  offers: readonly WaitlistRow[],
): Hold[] | null {
  const holds: Hold[] = [];
  for (const { product_id, quantity } of bags) {
    const entries = entriesFor(product_id, quantity, offers);
    const fromStock = Math.max(0, quantity - bagCount(entries));
    if (fromStock > freeBagsOf(stock, product_id)) return null;
    holds.push({ product_id, quantity, fromStock, entries });
  }
  return holds;
}

/** The buyer's offers for a bean, the oldest first, no more of them than the quote needs. */
function entriesFor(productId: string, quantity: number, offers: readonly WaitlistRow[]) {
  const entries: Hold["entries"] = [];
  const open = offers
    .filter((entry) => entry.product_id === productId && entry.attempt_id === null)
    .sort(oldestFirst);
  for (const entry of open) {
    if (bagCount(entries) >= quantity) break;
    entries.push({ id: entry.id, quantity: entry.quantity });
  }
  return entries;
}

/** Bags of one bean that these take from free stock. */
export const bagsFromStock = (holds: readonly Hold[], productId: string): number =>
  sum(holds.filter((hold) => hold.product_id === productId).map((hold) => hold.fromStock));

const entriesOf = (holds: readonly Hold[]) => holds.flatMap((hold) => hold.entries);

/** Moves bags and the buyer's own offers from some attempts to another in one step. */
export function moveHolds(
  released: readonly Hold[],
  taken: readonly Hold[],
  attemptId: string | null,
  now: number,
  s: State,
): Write[] {
  const ids = new Set([...released, ...taken].map((hold) => hold.product_id));
  return [
    ...[...ids].flatMap((id) =>
      changeStock(s.stock, id, 0, bagsFromStock(taken, id) - bagsFromStock(released, id), now),
    ),
    ...updateEach("waitlist", entriesOf(released), { attempt_id: null }),
    ...updateEach("waitlist", entriesOf(taken), { attempt_id: attemptId }),
  ];
}

/** Releases the bags of an unpaid attempt, and returns the offers it used to the buyer. */
export const releaseHolds = (holds: readonly Hold[], now: number, s: State): Write[] =>
  moveHolds(holds, [], null, now, s);

/** Stock and offers without these attempts' holds. */
export function withoutHolds(
  attempts: readonly AttemptRow[],
  s: Pick<State, "stock" | "waitlist">,
): Pick<State, "stock" | "waitlist"> {
  const ids = new Set(attempts.map((attempt) => attempt.id));
  const holds = attempts.flatMap(holdsOf);
  return {
    stock: s.stock.map((row) => ({
      ...row,
      held: row.held - bagsFromStock(holds, row.product_id),
    })),
    waitlist: s.waitlist.map((entry) =>
      ids.has(entry.attempt_id ?? "") ? { ...entry, attempt_id: null } : entry,
    ),
  };
}

/** When enough bags may be free if holds expire, or null if no end is known. */
export function enoughAt(
  { product_id, quantity }: Bags,
  stock: readonly StockRow[],
  ends: readonly { at: number; bags: number }[],
): number | null {
  let free = freeBagsOf(stock, product_id);
  let at: number | null = null;
  for (const end of ends.toSorted((a, b) => a.at - b.at)) {
    at = end.at;
    free += end.bags;
    if (free >= quantity) break;
  }
  return at;
}

/**
 * Takes a paid attempt's bags out of the stock and converts the offers it used. `held` is false for a late
 * payment, whose bags were no longer held.
 */
export function consumeHolds(
  { holds, held }: { holds: readonly Hold[]; held: boolean },
  attemptId: string,
  s: State,
): Write[] {
  const used = { status: "CONVERTED", offer_expires_at: null, attempt_id: attemptId } as const;
  return holds.flatMap((hold) => {
    const kept = (held ? hold.fromStock : 0) + bagCount(hold.entries);
    return [
      ...changeStock(s.stock, hold.product_id, -hold.quantity, -kept),
      ...updateEach("waitlist", hold.entries, used),
    ];
  });
}

/**
 * Writes absolute figures, because the stock row is locked. `releasedAt`: bags released by an unpaid hold
 * are for everybody first, for a time that further releases do not extend.
 */
export function changeStock(
  stock: readonly StockRow[],
  productId: string,
  onHand: number,
  held: number,
  releasedAt?: number,
): Write[] {
  if (onHand === 0 && held === 0) return [];
  const row = stock.find((s) => s.product_id === productId);
  if (!row) throw new Error(`no stock row for ${productId}`);
  const released =
    releasedAt !== undefined && held < 0 && !isForEverybody(row.offers_from, releasedAt);
  return [
    update(
      "stock",
      { product_id: productId },
      {
        on_hand: row.on_hand + onHand,
        held: row.held + held,
        ...(released && { offers_from: releasedAt! + TIMES.freed_bags_ms }),
      },
      { on_hand: row.on_hand, held: row.held },
    ),
  ];
}

/** Whether released bags are for everybody and not yet offered to the waitlist. */
export const isForEverybody = (offersFrom: number | null, now: number): boolean =>
  offersFrom !== null && isUnderWay(offersFrom, TIMES.freed_bags_ms, now);
