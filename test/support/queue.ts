import { openStore } from "../../src/app/compose.ts";
import { confirmPlace } from "../../src/waitlist/waitlist.ts";
import { CATALOG, STOCKED, WAITLISTED } from "./catalog.ts";
import { intent, newAgent, openShop, type Shop } from "./shop.ts";
import type { OpenStore } from "./stores.ts";

export async function join(
  { merchant, store }: Shop,
  agentId: string,
  quantity: number,
  email = "buyer@example.com",
  product_id = WAITLISTED,
) {
  const request = { product_id, quantity, buyer: { email } };
  const { body } = await merchant.waitlist.join(request, agentId, intent());
  await confirmed({ store }, body.id);
  return body;
}

/** As if the buyer had pressed the button behind the letter's link. */
export async function confirmed({ store }: Pick<Shop, "store">, id: string): Promise<void> {
  const { product_id: productId, customer } = (await store.queries.waitlistEntry(id))!;
  await store.run(confirmPlace, { now: Date.now(), id, productId, customer });
}

/** The same in the database of a running process. */
export async function confirmedIn(databaseUrl: string, id: string): Promise<void> {
  const store = await openStore(databaseUrl);
  await confirmed({ store }, id).finally(() => store.close());
}

export const leave = async ({ merchant }: Shop, id: string, agentId: string) =>
  (await merchant.waitlist.leave(id, agentId, intent())).body;

/** The catalog without the waitlist bean; another bean has a waitlist instead. */
export const WITHOUT_WAITLISTED = JSON.stringify({
  products: CATALOG.products
    .filter(({ product_id }) => product_id !== WAITLISTED)
    .map((one) => (one.product_id === STOCKED ? { ...one, availability: "WAITLIST" } : one)),
});

export const WITH_WAITLISTED = JSON.stringify({ products: CATALOG.products });

/** The waitlist bean's stock. */
export async function waitlisted({ admin }: Shop) {
  const rows = await admin.stock.list();
  const { on_hand, held } = rows.find((row) => row.product_id === WAITLISTED)!;
  return { on_hand, held };
}

/** Opens a shop without a bag of the waitlist bean, and an agent waiting for each quantity, in turn. */
export async function waiting(open: OpenStore, ...quantities: number[]) {
  const { store, other } = await open();
  const shop = await openShop(store);
  await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
  const queue: { id: string; agentId: string }[] = [];
  for (const [i, quantity] of quantities.entries()) {
    const agentId = await newAgent(shop);
    const email = i === 0 ? "buyer@example.com" : `buyer${i}@example.com`;
    queue.push({ id: (await join(shop, agentId, quantity, email)).id, agentId });
  }
  /** Each entry's position, or its status if it has none. */
  const look = () =>
    Promise.all(
      queue.map(async ({ id, agentId }) => {
        const { status, position } = await shop.merchant.waitlist.get(id, agentId);
        return position ?? status;
      }),
    );
  return { shop, other, queue, look };
}
