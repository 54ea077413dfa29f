import { canonicalJson, sha256 } from "../core/hash.ts";
import type { AgentId } from "../core/ids.ts";
import type { CheckoutRow } from "../core/records.ts";
import type { StoreContext } from "../db/store.ts";
import type { Cart } from "./cart.ts";
import {
  type ChangeCheckout,
  changeCheckout,
  isLive,
  isOfKind,
  newCheckoutId,
  type Opened,
  openCheckout,
  type TypedBuyer,
} from "./checkout.ts";

type Queries = StoreContext["store"]["queries"];

/** Finds a checkout by its id or the name of its UCP cart. */
export async function findCheckout(queries: Queries, id: string): Promise<CheckoutRow | undefined> {
  if (isOfKind(id, "chk")) return queries.checkout(id);
  return isOfKind(id, "crt") ? queries.checkoutByName(id) : undefined;
}

export function checkoutVerbs({ store, clock }: StoreContext) {
  return {
    find: (id: string) => findCheckout(store.queries, id),

    /** A checkout that can still be changed. */
    async live(id: string): Promise<CheckoutRow | undefined> {
      const row = await findCheckout(store.queries, id);
      return row && isLive(row, clock()) ? row : undefined;
    },

    /** A link's page. An agent that asks again for the same cart gets the same one while it lives. */
    openLink(cart: Cart, agentId: AgentId | null): Promise<Opened> {
      const name = agentId && sha256(`${agentId} ${canonicalJson(cart)}`);
      const id = newCheckoutId();
      return store.run(openCheckout, { now: clock(), id, name, cart, agentId, via: "LINK" });
    },

    /** The page of a place on a waitlist, always the same one. `page`: see `cartOfEntry`. */
    openPlace: (cart: Cart, page: string): Promise<Opened> =>
      store.run(openCheckout, {
        now: clock(),
        id: newCheckoutId(),
        name: page,
        page,
        cart,
        via: "WAITLIST",
      }),

    /** The shop's cart. */
    openShop: (cart: Cart, buyer?: TypedBuyer): Promise<Opened> =>
      store.run(openCheckout, { now: clock(), id: newCheckoutId(), cart, buyer, via: "SHOP" }),

    /** Returns false if somebody else has changed it since `version`. */
    async change(change: Omit<ChangeCheckout, "now">): Promise<boolean> {
      return !(await store.run(changeCheckout, { now: clock(), ...change })).stale;
    },
  };
}
