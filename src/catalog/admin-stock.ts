import type { Act, ActContext, SentForm } from "../core/act-context.ts";
import { freeBags } from "../core/bags.ts";
import type { Context } from "../core/context.ts";
import { MerchantError } from "../core/errors.ts";
import { ADMIN_FIELDS, validated } from "../merchant/admin-fields.ts";
import { queueHeads } from "../waitlist/queue-heads.ts";
import { beansOnSale } from "./catalog.ts";
import { isLow, lowAt, receiveStock, setLowStock, setStock } from "./stock.ts";

/** The bags in stock: counted, received, and from when on there are few (contract §15). */
export function adminStock({ store, catalog }: Context, act: Act) {
  const list = async () => {
    const rows = await catalog.stock();
    return rows.map(({ catalog_version: _, ...row }) => ({
      ...row,
      name: catalog.known(row.product_id)?.name_to_use_with_humans ?? null,
      free: freeBags(row),
      low: isLow(row),
      low_at: lowAt(row),
    }));
  };

  /** What every act on a bean's bags carries; then the bean's row as it is after it. */
  async function on(
    productId: string,
    run: (base: ActContext & { productId: string }) => unknown,
    sent?: SentForm,
  ) {
    if (!catalog.known(productId)) {
      throw new MerchantError("NOT_FOUND", `No such bean. ${beansOnSale(catalog)}`);
    }
    await run({ ...act(sent), productId });
    return (await list()).find((row) => row.product_id === productId)!;
  }

  /** Who can be offered some of the bags that come. */
  const headsFor = (product_id: string, quantity: number) =>
    queueHeads(store.queries, [{ product_id, quantity }]);

  return {
    list: validated(ADMIN_FIELDS.nothing, list),
    set: validated(ADMIN_FIELDS.setStock, (productId: string, onHand: number, seen?: number) =>
      on(productId, async (base) => {
        const before = (await list()).find((row) => row.product_id === productId);
        const heads = await headsFor(productId, onHand - (before?.on_hand ?? 0));
        return store.run(setStock, { ...base, onHand, seen, heads });
      }),
    ),
    /** As a difference: what was sold or received meanwhile stays counted. */
    receive: validated(
      ADMIN_FIELDS.receiveStock,
      (productId: string, bags: number, form?: string) =>
        on(
          productId,
          async (base) =>
            store.run(receiveStock, { ...base, bags, heads: await headsFor(productId, bags) }),
          form ? [form, productId, bags] : undefined,
        ),
    ),
    setLow: validated(ADMIN_FIELDS.setLowStock, (productId: string, fewer: number) =>
      on(productId, (base) => store.run(setLowStock, { ...base, lowAt: fewer })),
    ),
  };
}
