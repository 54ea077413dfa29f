import { type Bags, bagCount, freeBagsOf } from "../core/bags.ts";
import { type State, update, updateEach, type Write } from "../core/command.ts";
import type { AttemptId } from "../core/ids.ts";
import { type AttemptRow, oldestFirst, type StockRow, type WaitlistRow } from "../core/records.ts";

/** Bags of one bean that an authorized or processing payment has taken (contract §5). */
export interface Hold {
  product_id: string;
  quantity: number;
  /** Bags taken from free stock. The rest comes from the buyer's own waitlist offers. */
  fromStock: number;
  /** Waitlist entries whose held bags this payment uses, and how many each holds. */
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

/** Plans to take these bags: the buyer's own offers first, then free stock. Null if there are too few. */
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

/** Bags that these take from free stock, or give back to it, and the offers they use. */
const moved = (
  holds: readonly Hold[],
  sign: 1 | -1,
  attemptId: AttemptId | null,
  s: State,
): Write[] => [
  ...holds.flatMap(({ product_id, fromStock }) =>
    changeStock(s.stock, product_id, 0, sign * fromStock),
  ),
  ...updateEach(
    "waitlist",
    holds.flatMap(({ entries }) => entries),
    { attempt_id: attemptId },
  ),
];

/** Takes bags and the buyer's own offers for a payment. */
export const takeHolds = (holds: readonly Hold[], attemptId: AttemptId, s: State): Write[] =>
  moved(holds, 1, attemptId, s);

/** Returns the bags of a payment that made no order, and its offers to the buyer. */
export const releaseHolds = (holds: readonly Hold[], s: State): Write[] =>
  moved(holds, -1, null, s);

/**
 * Takes a paid attempt's bags out of the stock and converts the offers it used. `held` is false for a late
 * payment, whose bags were no longer held.
 */
export function consumeHolds(
  { holds, held }: { holds: readonly Hold[]; held: boolean },
  attemptId: AttemptId,
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

/** Writes absolute figures, because the stock row is locked. */
export function changeStock(
  stock: readonly StockRow[],
  productId: string,
  onHand: number,
  held: number,
): Write[] {
  if (onHand === 0 && held === 0) return [];
  const row = stock.find((s) => s.product_id === productId);
  if (!row) throw new Error(`no stock row for ${productId}`);
  return [
    update(
      "stock",
      { product_id: productId },
      { on_hand: row.on_hand + onHand, held: row.held + held },
      { on_hand: row.on_hand, held: row.held },
    ),
  ];
}
