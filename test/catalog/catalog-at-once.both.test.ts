/** A change of the catalog at one instance, seen from another (contract §1). */
import { describe, expect, test, vi } from "vitest";
import { createLimits } from "../../src/agents/limits.ts";
import { perform } from "../../src/api/perform.ts";
import { createLog } from "../../src/app/log.ts";
import { buildQuickCheckoutLink } from "../../tools/checkouts.ts";
import { CATALOG, DECAF, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { intent, newAgent, openShop, type Shop } from "../support/shop.ts";
import { quoteRequest } from "../support/shopper.ts";
import { describeEveryStore, type OpenStore, openUsual } from "../support/stores.ts";

const NEW_BEAN = "kenya-kirinyaga";

async function change({ admin }: Shop, id: string, fields: object, on_sale = true) {
  const seen = (await admin.catalog.list()).find((bean) => bean.product_id === id)?.changed_at;
  const product = { ...structuredClone(CATALOG.find(id) ?? CATALOG.find(STOCKED)!), ...fields };
  await admin.catalog.save({
    product: { ...product, product_id: id },
    on_sale,
    seen: seen ?? null,
  });
}

const newPrice = (shop: Shop, price_minor: number) => change(shop, STOCKED, { price_minor });

/** One instance that changes the catalog, and another that hears of nothing by itself. */
async function withDeafInstance(open: OpenStore) {
  const { store, other } = await open();
  const one = await openShop(store);
  const deaf = await openShop({ ...other, onCatalogChange: () => () => {} });
  const agentId = await newAgent(one);
  /** Price of one bag in a new quote of that instance. */
  const quote = async (product_id = STOCKED) => {
    const asker = { agentId, finderKey: null };
    const { quotes } = deaf.merchant;
    const { body } = await quotes.create(quoteRequest({ product_id }), asker, intent());
    return body.terms.shipments[0]!.items[0]!.unit_price_minor;
  };
  return { one, deaf, agentId, quote };
}

describeEveryStore("a catalog changed by one instance", (open) => {
  test("reaches the others by itself", async () => {
    const { store, other } = await open();
    const [one, two] = [await openShop(store), await openShop(other)];
    await newPrice(one, 2300);
    const { catalog, information } = two.merchant;
    await vi.waitFor(() => expect(catalog.find(STOCKED)?.price_minor).toBe(2300), 5000);
    expect(information.products[0]!.price_minor).toBe(2300);
  });

  test("prices every later quote, under concurrent requests", async () => {
    const { one, quote } = await withDeafInstance(open);
    let published = 2200;
    let begun = 2200;
    const publishing = (async () => {
      for (let price = 2201; price <= 2212; price++) {
        begun = price;
        await newPrice(one, price);
        published = price;
      }
    })();
    const wrong: number[][] = [];
    while (published < 2212) {
      const least = published;
      const prices = await Promise.all([quote(), quote(), quote()]);
      wrong.push(...prices.filter((it) => it < least || it > begun).map((it) => [it, least]));
    }
    await publishing;
    expect(wrong).toEqual([]);
  });
});

describe("an instance that has not heard of a change", () => {
  const gone = { code: "VALIDATION_FAILED", problems: [{ code: "UNKNOWN_PRODUCT" }] };

  test("quotes, answers and links by the new catalog", async () => {
    const { one, deaf, quote } = await withDeafInstance(openUsual);
    await newPrice(one, 2300);
    await change(one, NEW_BEAN, { price_minor: 3100 });
    const input = { items: [{ product_id: NEW_BEAN, quantity: 1 }] };
    const { body } = await perform(
      buildQuickCheckoutLink,
      { input, credentials: {}, address: "192.0.2.1" },
      {
        ...{ merchant: deaf.merchant, log: createLog("silent"), checkAnswers: true },
        limits: createLimits(null, { clock: deaf.clock.now }),
      },
    );
    expect(body).toMatchObject({ pricing: { subtotal_minor: 3100 } });
    await one.admin.catalog.move({ product_id: WAITLISTED, place: 1 });
    const { products } = await deaf.merchant.information.catalog();
    expect(products[0]!.product_id).toBe(WAITLISTED);
    expect(products.find((bean) => bean.product_id === STOCKED)?.price_minor).toBe(2300);
    expect([await quote(), await quote(NEW_BEAN)]).toEqual([2300, 3100]);
    await change(one, STOCKED, {}, false);
    await expect(quote()).rejects.toMatchObject(gone);
  });

  test("asks the buyer of a quick-checkout page to agree to the new price", async () => {
    const { one, deaf } = await withDeafInstance(openUsual);
    const cart = { items: [{ product_id: STOCKED, quantity: 2 }] };
    const { quickCheckout } = deaf.merchant;
    const { total_minor: acceptedMinor } = await quickCheckout.price(cart);
    await newPrice(one, 2300);
    const agreed = await quickCheckout.agree(cart, { email: "buyer@example.com", acceptedMinor });
    const pricing = { total_minor: acceptedMinor + 200 };
    expect(agreed).toMatchObject({ kind: "raised", shownMinor: acceptedMinor, pricing });
  });

  test("sells no bean by a link after it went off sale, also by a cart that was read before", async () => {
    const { one, deaf } = await withDeafInstance(openUsual);
    const { quickCheckout } = deaf.merchant;
    const link = { bag: STOCKED, qty: "2" };
    const cart = await quickCheckout.check(link);
    await change(one, STOCKED, {}, false);
    const opened = quickCheckout.check(link).then((read) => quickCheckout.open(read));
    await expect(opened).rejects.toMatchObject(gone);
    const form = { email: "buyer@example.com", acceptedMinor: null };
    await expect(quickCheckout.agree(cart, form)).rejects.toMatchObject(gone);
    await expect(quickCheckout.checkCart(cart)).rejects.toMatchObject(gone);
  });

  test("knows which bean has a waitlist", async () => {
    const { one, deaf, agentId } = await withDeafInstance(openUsual);
    await change(one, DECAF, { availability: "WAITLIST" });
    await change(one, WAITLISTED, { availability: "STOCKED" });
    const join = async (product_id: string) => {
      await one.admin.stock.set({ product_id, on_hand: 0 });
      const request = { product_id, quantity: 10, buyer: { email: "mara@example.com" } };
      return deaf.merchant.waitlist.join(request, agentId, intent());
    };
    expect((await join(DECAF)).body).toMatchObject({ product_id: DECAF, position: 1 });
    await expect(join(WAITLISTED)).rejects.toMatchObject({ code: "WAITLIST_NOT_OFFERED" });
  });
});
