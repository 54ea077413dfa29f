import { audited, type MerchantAct } from "../shared/audit.ts";
import { type State, update, writeRule } from "../shared/command.ts";
import { unknownTo } from "../shared/errors.ts";
import type { BeanRow } from "../shared/records.ts";
import { catalogReads, nextVersion } from "./catalog-version.ts";

export interface MoveBean extends MerchantAct {
  productId: string;
  /** Where it is to stand among all beans that there are, counted from 1. */
  place: number;
  /** Every bean there is. */
  productIds: readonly string[];
}

/**
 * A bean takes another place in the shop, at once: no price and no text depends on it. The place is
 * told, not the direction, so that the same button pressed twice moves it once.
 */
export const moveBean = writeRule<MoveBean>({
  reads: (c) => catalogReads(c.productIds),
  writes(c, s) {
    const before = beansInOrder(s);
    const moved = before.find(({ product_id }) => product_id === c.productId);
    if (!moved) throw unknownTo("bean");
    const after = before.filter((row) => row !== moved);
    after.splice(c.place - 1, 0, moved);
    if (after.every((row, i) => row === before[i])) return [];
    return [
      ...nextVersion(s, [c.productId]).writes,
      ...after.map(({ product_id }, position) => update("beans", { product_id }, { position })),
      audited(c, "catalog.moved", c.productId, { place: c.place }),
    ];
  },
});

/** As the shop shows them; one whose only draft was thrown away is none. */
const beansInOrder = ({ beans }: Pick<State, "beans">): BeanRow[] =>
  beans
    .filter(({ published, draft }) => published !== null || draft !== null)
    .sort((a, b) => a.position - b.position || (a.product_id < b.product_id ? -1 : 1));
