import { type Act, type ActContext, adminVerb, Id, Seen } from "../core/admin-verb.ts";
import { freeBags } from "../core/bags.ts";
import { MerchantError } from "../core/errors.ts";
import { beansOnSale } from "./catalog.ts";
import type { CatalogContext } from "./live-catalog.ts";
import { queueHeads } from "./queue-heads.ts";
import {
  isLow,
  lowAt,
  OnHand,
  offersEnding,
  Received,
  receiveStock,
  setLowStock,
  setStock,
} from "./stock.ts";

/** The merchant's stock (contract §15). */
export function adminStock(context: CatalogContext, act: Act) {
  const { store, catalog } = context;
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

  /** Fields of every act on a bean's bags, then the bean's new row with the act's reply. */
  async function on<R extends object | null>(
    productId: string,
    run: (base: ActContext & { productId: string }) => Promise<R>,
  ) {
    if (!catalog.known(productId)) {
      throw new MerchantError("NOT_FOUND", `No such bean. ${beansOnSale(catalog)}`);
    }
    const reply = await run({ ...act(), productId });
    return { ...(await list()).find((row) => row.product_id === productId)!, ...reply };
  }

  /** Waitlist entries that can be offered some of the new bags. */
  const headsFor = (product_id: string, quantity: number) =>
    queueHeads(context, [{ product_id, quantity }]);

  return {
    list: adminVerb({}, list),
    set: adminVerb(
      { product_id: Id, on_hand: OnHand, seen: OnHand.optional() },
      ({ product_id, on_hand: onHand, seen }) =>
        on(product_id, async (base) => {
          const before = (await list()).find((row) => row.product_id === product_id);
          const heads = await headsFor(product_id, onHand - (before?.on_hand ?? 0));
          return store.run(setStock, { ...base, onHand, seen, heads });
        }),
    ),
    /** Waitlist offers that so small a stock would end. */
    ending: adminVerb(
      { product_id: Id, on_hand: OnHand },
      async ({ product_id: productId, on_hand: onHand }) =>
        (await store.run(offersEnding, { productId, onHand })).map(
          ({ id, buyer_email, quantity }) => ({ id, buyer_email, quantity }),
        ),
    ),
    /** Adds bags, so that bags sold or received in the meantime stay counted. */
    receive: adminVerb({ product_id: Id, bags: Received }, ({ product_id, bags }) =>
      on(product_id, async (base) =>
        store.run(receiveStock, { ...base, bags, heads: await headsFor(product_id, bags) }),
      ),
    ),
    setLow: adminVerb(
      { product_id: Id, low_at: OnHand, seen: Seen },
      ({ product_id, low_at: lowAt, seen }) =>
        on(product_id, (base) => store.run(setLowStock, { ...base, lowAt, seen })),
    ),
  };
}
