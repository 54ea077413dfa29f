import { describe, expect, test, vi } from "vitest";
import type { Quote } from "../../src/quotes/quote-answer.ts";
import { CATALOG, DECAF, STOCKED } from "../support/catalog.ts";
import { intent, newAgent, openShop, type Shop } from "../support/shop.ts";
import { quoteRequest } from "../support/shopper.ts";
import { openUsual } from "../support/stores.ts";

const bean = (id: string) => structuredClone(CATALOG.find(id)!);
const seen = async ({ admin }: Shop, id: string) =>
  (await admin.catalog.show({ product_id: id })).changed_at;

async function newPrice(shop: Shop, id: string, price_minor: number) {
  const product = { ...bean(id), price_minor };
  await shop.admin.catalog.save({ product, on_sale: true, seen: await seen(shop, id) });
}

const total = ({ terms }: Quote): number => terms.pricing.total_minor;

const opened = async () => openShop((await openUsual()).store);

const priceOf = ({ merchant }: Shop, id: string) => merchant.catalog.find(id)?.price_minor;

describe("the catalog", () => {
  test("is read from the file once, and kept in the database", async () => {
    const { store, other } = await openUsual();
    const shop = await openShop(store);
    expect(await shop.admin.catalog.export()).toEqual({ products: CATALOG.products });
    await newPrice(shop, STOCKED, 2300);
    const later = await openShop(other);
    expect(priceOf(later, STOCKED)).toBe(2300);
  });

  test("answers questions from its current state", async () => {
    const shop = await opened();
    const priceTold = async () =>
      (await shop.merchant.finder.ask("What does Kenya Nyeri cost?", null)).beans?.[0]?.text;
    expect(await priceTold()).toContain("$22.00");
    await newPrice(shop, STOCKED, 2300);
    expect(await priceTold()).toContain("$23.00");
  });

  test("keeps the price of open quotes, and prices the next ones anew", async () => {
    const shop = await opened();
    const agentId = await newAgent(shop);
    const asker = { agentId, finderKey: null };
    const quote = async () =>
      (await shop.merchant.quotes.create(quoteRequest(), asker, intent())).body;
    const before = await quote();
    await newPrice(shop, STOCKED, 2300);
    expect(total(await shop.merchant.quotes.get(before.id, agentId))).toBe(total(before));
    expect(total(await quote())).toBe(total(before) + 100);
  });

  test.each([
    ["a second exclusive bean", DECAF, { availability: "EXCLUSIVE" }, "/products/availability"],
    [
      "a name without its country",
      STOCKED,
      { name_to_use_with_humans: "Nyeri" },
      "/products/0/name_to_use_with_humans",
    ],
  ])("refuses %s at its field, and changes nothing", async (_what, id, wrong, pointer) => {
    const shop = await opened();
    const product = { ...bean(id), ...wrong } as ReturnType<typeof bean>;
    await expect(
      shop.admin.catalog.save({ product, on_sale: true, seen: await seen(shop, id) }),
    ).rejects.toMatchObject({ code: "VALIDATION_FAILED", problems: [{ pointer, code: "RULE" }] });
    expect(await shop.admin.catalog.export()).toEqual({ products: CATALOG.products });
  });

  test("refuses to take the last bean off sale", async () => {
    const shop = await opened();
    await shop.admin.catalog.import({ file: JSON.stringify({ products: [bean(STOCKED)] }) });
    const last = { product: bean(STOCKED), on_sale: false, seen: await seen(shop, STOCKED) };
    await expect(shop.admin.catalog.save(last)).rejects.toMatchObject({
      problems: [{ pointer: "/products/on_sale" }],
    });
  });

  test("keeps the rules over all beans when two owners save at once", async () => {
    const { store, other } = await openUsual();
    const shops = [await openShop(store), await openShop(other)];
    const ours = CATALOG.products.filter(({ availability }) => availability !== "EXCLUSIVE");
    await shops[0]!.admin.catalog.import({ file: JSON.stringify({ products: ours }) });
    const saved = await Promise.allSettled(
      shops.map((shop, i) => {
        const product = { ...bean(STOCKED), product_id: `kenya-${i}`, availability: "EXCLUSIVE" };
        const exclusive = product as ReturnType<typeof bean>;
        return shop.admin.catalog.save({ product: exclusive, on_sale: true, seen: null });
      }),
    );
    expect(saved.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const { products } = await shops[0]!.admin.catalog.export();
    expect(products.filter(({ availability }) => availability === "EXCLUSIVE")).toHaveLength(1);
  });

  test("takes a bean off sale and never deletes it, because orders name it", async () => {
    const shop = await opened();
    const save = async (change: object, on_sale: boolean) => {
      const product = { ...bean(STOCKED), ...change };
      await shop.admin.catalog.save({ product, on_sale, seen: await seen(shop, STOCKED) });
    };
    await save({}, false);
    expect(shop.merchant.catalog.find(STOCKED)).toBeUndefined();
    expect(shop.merchant.catalog.known(STOCKED)?.name_to_use_with_humans).toBe("Kenya Nyeri");
    await save({ price_minor: 2100 }, true);
    expect(priceOf(shop, STOCKED)).toBe(2100);
  });

  test("gives a new bean its opening stock", async () => {
    const shop = await opened();
    const fresh = { ...bean(STOCKED), product_id: "kenya-kirinyaga", opening_stock: 7 };
    await shop.admin.catalog.save({ product: fresh, on_sale: true, seen: null });
    const stock = await shop.admin.stock.list();
    expect(stock.find((row) => row.product_id === "kenya-kirinyaga")?.on_hand).toBe(7);
  });

  test("accepts only one of two forms with the same version", async () => {
    const shop = await opened();
    const looked = await seen(shop, STOCKED);
    const save = (price_minor: number) => {
      const product = { ...bean(STOCKED), price_minor };
      return shop.admin.catalog.save({ product, on_sale: true, seen: looked });
    };
    await save(2300);
    await expect(save(2400)).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    expect(priceOf(shop, STOCKED)).toBe(2300);
  });

  test("imports a file in place of all beans, and exports the same", async () => {
    const shop = await opened();
    const products = CATALOG.products
      .filter(({ product_id }) => product_id !== STOCKED)
      .map((product) => ({ ...product, price_minor: product.price_minor + 50 }));
    const { changed } = await shop.admin.catalog.import({ file: JSON.stringify({ products }) });
    expect(changed).toHaveLength(4);
    expect(await shop.admin.catalog.export()).toEqual({ products });
    expect(shop.merchant.catalog.find(STOCKED)).toBeUndefined();
    await expect(shop.admin.catalog.import({ file: `{"products": []}` })).rejects.toMatchObject({
      problems: [{}],
    });
    expect(
      (await shop.admin.catalog.import({ file: JSON.stringify({ products }) })).changed,
    ).toEqual([]);
  });

  test("keeps beans that an import leaves out, behind its beans and in their order", async () => {
    const shop = await opened();
    const ids = async () => (await shop.admin.catalog.list()).map((one) => one.product_id);
    const before = await ids();
    const kept = before.slice(2).toReversed();
    const products = kept.map(bean);
    await shop.admin.catalog.import({ file: JSON.stringify({ products }) });
    expect(await ids()).toEqual([...kept, ...before.slice(0, 2)]);
  });

  test("moves a bean in the shop at every instance at once; the same form twice moves it once", async () => {
    const { store, other } = await openUsual();
    const shop = await openShop(store);
    const beside = await openShop(other);
    const order = ({ merchant }: Shop) => merchant.catalog.products.map((one) => one.product_id);
    const [first, second, ...rest] = order(shop);
    await shop.admin.catalog.move({ product_id: second!, place: 1 });
    await shop.admin.catalog.move({ product_id: second!, place: 1 });
    expect(order(shop)).toEqual([second, first, ...rest]);
    // A page on which it had another place.
    const stale = shop.admin.catalog.move({ product_id: second!, place: 3, seen: 2 });
    await expect(stale).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    await shop.admin.catalog.move({ product_id: second!, place: 1, seen: 1 });
    await vi.waitFor(() => expect(order(beside)).toEqual(order(shop)), 5000);
    await shop.admin.catalog.move({ product_id: second!, place: 99 });
    expect(order(shop)).toEqual([first, ...rest, second]);
    const moves = (await shop.admin.audit.list()).filter(({ act }) => act === "catalog.moved");
    expect(moves).toHaveLength(2);
    await expect(shop.admin.catalog.move({ product_id: "none", place: 1 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(shop.admin.catalog.move({ product_id: first!, place: 0 })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });

  test("records every change in the audit log: who, when and what", async () => {
    const shop = await opened();
    await newPrice(shop, STOCKED, 2300);
    const line = (await shop.admin.audit.list()).find(({ act }) => act === "catalog.saved");
    expect(line).toMatchObject({
      actor: "cli",
      act: "catalog.saved",
      subject: STOCKED,
      detail: { price_minor: ["2200", "2300"] },
    });
  });

  test.each([
    ["a producer in a text", { summary: "From a family farm." }],
    ["a price of nothing", { price_minor: 0 }],
    ["a line too long", { choose_if: "x".repeat(201) }],
  ])("a bean with %s is refused, at its field", async (_name, wrong) => {
    const shop = await opened();
    const product = { ...bean(STOCKED), ...wrong };
    await expect(
      shop.admin.catalog.save({ product, on_sale: true, seen: await seen(shop, STOCKED) }),
    ).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      problems: [{ pointer: `/product/${Object.keys(wrong)[0]}` }],
    });
  });
});
