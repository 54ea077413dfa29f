/** A change of the catalog at one instance, seen from another (contract §1). */
import { expect, test, vi } from "vitest";
import { createLimits } from "../../src/agents/limits.ts";
import { perform } from "../../src/api/perform.ts";
import { createLog } from "../../src/app/log.ts";
import { buildQuickCheckoutLink } from "../../tools/build-quick-checkout-link.ts";
import { CATALOG, DECAF, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { intent, newAgent, openShop, type Shop } from "../support/shop.ts";
import { quoteRequest } from "../support/shopper.ts";
import { describeEveryStore, type OpenStore } from "../support/stores.ts";

const NEW_BEAN = "kenya-kirinyaga";

async function change({ admin }: Shop, id: string, fields: object, onSale = true) {
  const seen = (await admin.catalog.list()).find((bean) => bean.product_id === id)?.changed_at;
  const product = { ...structuredClone(CATALOG.find(id) ?? CATALOG.find(STOCKED)!), ...fields };
  await admin.catalog.save({
    product: { ...product, product_id: id },
    on_sale: onSale,
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
    const request = quoteRequest({ product_id });
    const asker = { agentId, finderKey: null };
    const { body } = await deaf.merchant.quotes.create(request, asker, intent());
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

  test("prices the next quote everywhere, even before the notification", async () => {
    const { one, quote } = await withDeafInstance(open);
    expect(await quote()).toBe(2200);
    await newPrice(one, 2300);
    expect(await quote()).toBe(2300);
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

  test("is in the next answer to agents", async () => {
    const { one, deaf } = await withDeafInstance(open);
    await newPrice(one, 2300);
    const { products } = await deaf.merchant.information.catalog();
    expect(products.find((bean) => bean.product_id === STOCKED)?.price_minor).toBe(2300);
  });

  test("is in the next answer to agents in its new order", async () => {
    const { one, deaf } = await withDeafInstance(open);
    await one.admin.catalog.move({ product_id: WAITLISTED, place: 1 });
    const { products } = await deaf.merchant.information.catalog();
    expect(products[0]!.product_id).toBe(WAITLISTED);
  });

  test("sells a new bean everywhere, and one off sale nowhere", async () => {
    const { one, quote } = await withDeafInstance(open);
    await change(one, NEW_BEAN, { price_minor: 3100 });
    expect(await quote(NEW_BEAN)).toBe(3100);
    await change(one, STOCKED, {}, false);
    await expect(quote()).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      problems: [{ pointer: "/shipments", code: "UNKNOWN_PRODUCT" }],
    });
  });

  test("makes a new bean known to the next request", async () => {
    const { one, deaf } = await withDeafInstance(open);
    await change(one, NEW_BEAN, { price_minor: 3100 });
    const input = { items: [{ product_id: NEW_BEAN, quantity: 1 }] };
    const limits = createLimits(null, { clock: deaf.clock.now });
    const { body } = await perform(
      buildQuickCheckoutLink,
      { input, credentials: {}, address: "192.0.2.1" },
      { merchant: deaf.merchant, limits, log: createLog("silent"), checkAnswers: true },
    );
    expect(body).toMatchObject({ pricing: { subtotal_minor: 3100 } });
  });

  test("sets the price that a quick-checkout page asks the buyer to agree to", async () => {
    const { one, deaf } = await withDeafInstance(open);
    const cart = { items: [{ product_id: STOCKED, quantity: 2 }] };
    const { quickCheckout } = deaf.merchant;
    const { total_minor: acceptedMinor } = await quickCheckout.price(cart);
    await newPrice(one, 2300);
    const agreed = await quickCheckout.agree(cart, { email: "buyer@example.com", acceptedMinor });
    expect(agreed).toMatchObject({
      kind: "raised",
      shownMinor: acceptedMinor,
      pricing: { total_minor: acceptedMinor + 200 },
    });
  });

  test("sells no bean by a link after it went off sale", async () => {
    const { one, deaf } = await withDeafInstance(open);
    const { quickCheckout } = deaf.merchant;
    const cart = await quickCheckout.check({ bag: STOCKED, qty: "2" });
    await change(one, STOCKED, {}, false);
    const gone = { code: "VALIDATION_FAILED", problems: [{ code: "UNKNOWN_PRODUCT" }] };
    const form = { email: "buyer@example.com", acceptedMinor: null };
    await expect(quickCheckout.agree(cart, form)).rejects.toMatchObject(gone);
    await expect(quickCheckout.checkCart(cart)).rejects.toMatchObject(gone);
  });

  test("refuses a link whose cart was read just before", async () => {
    const { one, deaf } = await withDeafInstance(open);
    const { quickCheckout } = deaf.merchant;
    await change(one, STOCKED, {}, false);
    const opened = quickCheckout
      .check({ bag: STOCKED, qty: "2" })
      .then((cart) => quickCheckout.open(cart));
    await expect(opened).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      problems: [{ pointer: "/items", code: "UNKNOWN_PRODUCT" }],
    });
  });

  test("decides whether a bean has a waitlist", async () => {
    const { one, deaf, agentId } = await withDeafInstance(open);
    await change(one, DECAF, { availability: "WAITLIST" });
    await change(one, WAITLISTED, { availability: "STOCKED" });
    const join = (product_id: string) => {
      const request = { product_id, quantity: 10, buyer: { email: "mara@example.com" } };
      return deaf.merchant.waitlist.join(request, agentId, intent());
    };
    await one.admin.stock.set({ product_id: DECAF, on_hand: 0 });
    await one.admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
    expect((await join(DECAF)).body).toMatchObject({ product_id: DECAF, position: 1 });
    await expect(join(WAITLISTED)).rejects.toMatchObject({ code: "WAITLIST_NOT_OFFERED" });
  });
});
