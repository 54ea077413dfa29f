import { illegalStep } from "../order/order-log.ts";
import { type AuditAuthor, audited } from "../shared/audit.ts";
import { insert, type Rule } from "../shared/command.ts";
import { whole } from "../shared/fields.ts";
import type { StockRow } from "../shared/records.ts";
import { offerFreeStock, queueReads } from "../waitlist/offer-free-stock.ts";

export const OnHand = whole({ least: 0, most: 1_000_000, of: "bags" });

export interface SetStock {
  now: number;
  productId: string;
  onHand: number;
  /** What the merchant saw before counting; undefined where no page showed it. */
  seen?: number | undefined;
  /** Entries at the head of its queue. */
  heads: readonly string[];
  by: AuditAuthor;
}

/**
 * The merchant has counted the stock. What is free then goes to those who wait, at once (contract
 * §7).
 */
export const setStock: Rule<SetStock, null> = {
  reads: (c) => queueReads([c.productId], c.heads),
  decide(c, s) {
    const row = s.stock[0];
    const detail = { on_hand: c.onHand, before: row?.on_hand ?? null };
    const entry = audited(c.by, "stock.set", c.productId, c.now, detail);
    if (!row) {
      const fresh: StockRow = { product_id: c.productId, on_hand: c.onHand, held: 0 };
      return { reply: null, writes: [insert("stock", fresh), entry] };
    }
    if (c.seen !== undefined && c.seen !== row.on_hand) {
      throw illegalStep(
        `${c.productId} was ${c.seen} on hand when you looked and is ${row.on_hand} now. ` +
          "Look again before you set it.",
      );
    }
    if (c.onHand < row.held) {
      throw illegalStep(
        `${row.held} bags of ${c.productId} are held by payments under way and waitlist offers: ` +
          `on_hand is ${row.on_hand} now and can be set to ${row.held} or more.`,
      );
    }
    const change = { product_id: c.productId, on_hand: c.onHand - row.on_hand, held: 0 };
    return { reply: null, writes: [...offerFreeStock([change], s, c), entry] };
  },
};
