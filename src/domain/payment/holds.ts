import { type State, update, type Write } from "../shared/command.ts";
import type { AttemptRow, StockRow, WaitlistRow } from "../shared/records.ts";

/** Bags of one bean that a payment attempt keeps from others (contract §5). */
export interface Hold {
  product_id: string;
  /** Bags of the quote. */
  quantity: number;
  /** Of these, taken from the free shelf; the rest comes out of the buyer's own waitlist offers. */
  own: number;
  /** Waitlist entries whose held bags this attempt uses, and how many each holds. */
  entries: { id: string; quantity: number }[];
}

export const holdsOf = (attempt: Pick<AttemptRow, "holds">): Hold[] =>
  JSON.parse(attempt.holds) as Hold[];

interface Bags {
  product_id: string;
  quantity: number;
}

/**
 * How these bags would be held: the buyer's own offers first, then the shelf. Null where they do not
 * reach.
 */
export function planHolds(
  bags: readonly Bags[],
  stock: readonly StockRow[],
  offers: readonly WaitlistRow[],
): Hold[] | null {
  const holds: Hold[] = [];
  for (const { product_id, quantity } of bags) {
    const row = stock.find((s) => s.product_id === product_id);
    const entries = entriesFor(product_id, quantity, offers);
    const own = Math.max(0, quantity - bagsIn(entries));
    if (own > Math.max(0, (row?.on_hand ?? 0) - (row?.held ?? 0))) return null;
    holds.push({ product_id, quantity, own, entries });
  }
  return holds;
}

/** The buyer's offers for a bean, the oldest first, no more of them than the quote needs. */
function entriesFor(
  productId: string,
  quantity: number,
  offers: readonly WaitlistRow[],
): Hold["entries"] {
  const entries: Hold["entries"] = [];
  const own = offers
    .filter((entry) => entry.product_id === productId && entry.attempt_id === null)
    .sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1));
  for (const entry of own) {
    if (bagsIn(entries) >= quantity) break;
    entries.push({ id: entry.id, quantity: entry.quantity });
  }
  return entries;
}

const bagsIn = (entries: Hold["entries"]): number =>
  entries.reduce((bags, entry) => bags + entry.quantity, 0);

export function takeHolds(holds: readonly Hold[], attemptId: string, s: State): Write[] {
  return holds.flatMap((hold) => [
    ...changeStock(s.stock, hold.product_id, 0, hold.own),
    ...hold.entries.map(({ id }) => update("waitlist", { id }, { attempt_id: attemptId })),
  ]);
}

/** The attempt came to nothing: its bags are free again, the offers it used are the buyer's again. */
export function releaseHolds(holds: readonly Hold[], s: State): Write[] {
  return holds.flatMap((hold) => [
    ...changeStock(s.stock, hold.product_id, 0, -hold.own),
    ...hold.entries.map(({ id }) => update("waitlist", { id }, { attempt_id: null })),
  ]);
}

/** The attempt was paid: its bags leave the shelf, the offers it used are converted. */
export function consumeHolds(holds: readonly Hold[], s: State): Write[] {
  return holds.flatMap((hold) => {
    return [
      ...changeStock(s.stock, hold.product_id, -hold.quantity, -hold.own - bagsIn(hold.entries)),
      ...hold.entries.map(({ id }) =>
        update("waitlist", { id }, { status: "CONVERTED", offer_expires_at: null }),
      ),
    ];
  });
}

/** Paid after its hold was lost: the bags are sold all the same; false where the shelf is short. */
export function consumeUnheld(
  bags: readonly Bags[],
  s: State,
): { writes: Write[]; enough: boolean } {
  const enough = planHolds(bags, s.stock, []) !== null;
  const writes = bags.flatMap((bag) => changeStock(s.stock, bag.product_id, -bag.quantity, 0));
  return { writes, enough };
}

/** The stock row is locked, so the new figures are written as such. */
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
