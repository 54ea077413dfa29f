import {
  audited,
  entryOf,
  isInLog,
  type MerchantAct,
  refuseIfChangedSince,
} from "../core/audit.ts";
import { bagCount, bags, freeBags, isOrAre } from "../core/bags.ts";
import {
  insert,
  lock,
  type Rule,
  readUnlocked,
  type State,
  update,
  updateEach,
  type Write,
  writeRule,
} from "../core/command.ts";
import { illegalStep, unknownTo } from "../core/errors.ts";
import { whole } from "../core/fields.ts";
import { oldestFirst, type StockRow, type WaitlistRow } from "../core/records.ts";
import { offerFreeStock, offersOf, queueReads, waitsAgain } from "./offer-free-stock.ts";

const MOST_ON_HAND = 1_000_000;

export const OnHand = whole({ least: 0, most: MOST_ON_HAND, of: "bags" });
export const Received = whole({ least: 1, most: 100_000, of: "bags" });

interface StockAct extends MerchantAct {
  productId: string;
  /** Entries at the head of the bean's queue. */
  heads: readonly string[];
}

/** Waitlist offers that a smaller stock ended: their entries are back in the queue. */
export interface StockSet {
  ended?: { id: string; buyer_email: string; quantity: number }[];
}

/**
 * Sets the counted stock and offers free bags to the waitlist at once (contract §7). A stock below the
 * offered bags ends offers, of the last to join first. `seen`: the number that a page showed.
 */
export const setStock: Rule<StockAct & { onHand: number; seen?: number | undefined }, StockSet> = {
  reads: (c) => [...queueReads([c.productId], c.heads), offersOf([c.productId])],
  decide(c, s) {
    const row = s.stock[0];
    const before = row?.on_hand ?? null;
    if (row && c.seen !== undefined && c.seen !== row.on_hand) {
      throw illegalStep(
        `${c.productId} was ${c.seen} on hand when you looked and is ${row.on_hand} now. ` +
          "Look again before you set it.",
      );
    }
    const ended = row ? offersOver(c.productId, row.held - c.onHand, s) : [];
    const held = (row?.held ?? 0) - bagCount(ended);
    if (c.onHand < held) {
      throw illegalStep(
        `${bags(held)} of ${c.productId} ${isOrAre(held)} being paid for: set ${held} or more, or wait until ` +
          "those payments are through. An order that cannot be filled can be canceled and refunded.",
      );
    }
    const detail = { on_hand: c.onHand, before, ...(ended.length > 0 && { ended: ended.length }) };
    return {
      reply:
        ended.length === 0
          ? {}
          : {
              ended: ended.map(({ id, buyer_email, quantity }) => ({ id, buyer_email, quantity })),
            },
      writes: [
        ...updateEach("waitlist", ended, waitsAgain(c)),
        ...addedBags(c.productId, c.onHand - (before ?? 0), s, c, bagCount(ended)),
        audited(c, "stock.set", c.productId, detail),
      ],
    };
  },
};

/** The waitlist offers that `setStock` would end. */
export const offersEnding: Rule<{ productId: string; onHand: number }, WaitlistRow[]> = {
  reads: (c) => [
    readUnlocked("stock", { product_id: c.productId }),
    readUnlocked("waitlist", { product_id: c.productId, status: "OFFERED" }),
  ],
  decide: (c, s) => ({
    reply: offersOver(c.productId, (s.stock[0]?.held ?? 0) - c.onHand, s),
    writes: [],
  }),
};

/** Offers that end so that this many bags are free again: the last to join first. */
function offersOver(productId: string, over: number, { waitlist }: State): WaitlistRow[] {
  const offers = waitlist
    .filter((one) => one.product_id === productId && one.status === "OFFERED" && !one.attempt_id)
    .sort((a, b) => oldestFirst(b, a));
  const ended: WaitlistRow[] = [];
  for (const entry of offers) {
    if (bagCount(ended) >= over) break;
    ended.push(entry);
  }
  return ended;
}

/** Adds received bags. A difference counts right when two people unpack at once, or bags sell meanwhile. */
export const receiveStock = writeRule<StockAct & { bags: number }>({
  reads: (c) => [...queueReads([c.productId], c.heads), entryOf(c)],
  writes(c, s) {
    if (isInLog(s)) return [];
    const on_hand = (s.stock[0]?.on_hand ?? 0) + c.bags;
    if (on_hand > MOST_ON_HAND) throw illegalStep(`That would be ${on_hand} bags of one bean.`);
    return [
      ...addedBags(c.productId, c.bags, s, c),
      audited(c, "stock.receive", c.productId, { bags: c.bags, on_hand }),
    ];
  },
});

/** Changes the bags on hand and offers free ones. Creates the row of a bean that was never counted. */
const addedBags = (
  product_id: string,
  on_hand: number,
  s: State,
  c: { now: number },
  freed = 0,
): Write[] =>
  s.stock[0]
    ? offerFreeStock([{ product_id, on_hand, held: -freed }], s, c)
    : [insert("stock", { product_id, on_hand, held: 0 })];

/** Default of `low_at`. */
const FEW_BAGS = 10;

/** Whether the merchant should roast or buy more of a bean. */
export const isLow = (row: Pick<StockRow, "on_hand" | "held" | "low_at">): boolean =>
  freeBags(row) < lowAt(row);

export const lowAt = ({ low_at }: Pick<StockRow, "low_at">): number => low_at ?? FEW_BAGS;

/** Sets below how many free bags the desk warns. */
export const setLowStock = writeRule<
  MerchantAct & { productId: string; lowAt: number; seen?: number | undefined }
>({
  reads: (c) => [lock("stock", { product_id: c.productId })],
  writes(c, s) {
    const row = s.stock[0];
    if (!row) throw unknownTo("bean in stock");
    refuseIfChangedSince(c.seen, lowAt(row), "This number");
    const detail = { low_at: c.lowAt, before: lowAt(row) };
    return [
      update("stock", { product_id: c.productId }, { low_at: c.lowAt }),
      audited(c, "stock.low-at", c.productId, detail),
    ];
  },
});
