/** "Order again" makes a checkout of the same bags, note and address, and says what it leaves out. */
import { afterAll, describe, expect, test } from "vitest";
import { orderAgain } from "../../src/orders/order-again.ts";
import type { Terms } from "../../src/quotes/quote-answer.ts";
import { CATALOG } from "../support/catalog.ts";
import { newEmail, purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, send } from "../support/shopper.ts";
import { text } from "./pages/reading.ts";
import { BROWSER, cartPage, FIELDS, visitor } from "./quick-checkout/checkout.ts";

const shop = await startService();
afterAll(() => shop.stop());

const valueIn = (page: string, name: string) =>
  new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1];

test("the same purchase is one press and one page away, in this browser only", async () => {
  const { baseUrl } = shop;
  const payer = visitor(baseUrl);
  const email = newEmail();
  const page = await cartPage(baseUrl, "items=kenya-nyeri:2&gift_note=Enjoy");
  await payer.send(page);
  const review = (await payer.submit(page, { email })).headers.get("location")!;
  await payAsBuyer(baseUrl, review);
  await eventually(async () => (await payer.send(review)).text.includes("Order again"));
  const pressed = await payer.press(`${review}/again`, {});
  const next = pressed.headers.get("location")!;
  expect(next).not.toBe(new URL(page, baseUrl).pathname);
  const { text: here } = await payer.send(next);
  expect(valueIn(here, "qty_kenya-nyeri")).toBe("2");
  expect(here).toContain("Enjoy");
  const filled = Object.entries(FIELDS).filter(([name]) => name !== "region");
  for (const [name, value] of filled) {
    expect([name, valueIn(here, name)]).toEqual([name, name === "email" ? email : value]);
  }
  expect(here).toContain(`value="${FIELDS.region}" selected`);
  const elsewhere = (await send(baseUrl, next, { headers: BROWSER })).text;
  expect(valueIn(elsewhere, "qty_kenya-nyeri")).toBe("2");
  for (const secret of [email, FIELDS.line1]) expect(elsewhere).not.toContain(secret);
});

test("an order says what its next one leaves out, if anything", async () => {
  const hint = async (shipments: number) => {
    const { reviewUrl } = await purchase(shop.baseUrl, { shipments, gift_notes: ["One"] });
    return /It leaves out ([^.]*)/.exec(
      text((await send(shop.baseUrl, reviewUrl, { headers: BROWSER })).text),
    )?.[1];
  };
  expect([await hint(1), await hint(2)]).toEqual([undefined, "the second note"]);
});

describe("what it brings", () => {
  const line = (product_id: string, quantity: number) => ({
    product_id,
    quantity,
    name: product_id,
  });
  const parcel = (items: ReturnType<typeof line>[], more: object = {}) => ({
    address: ADDRESS,
    items,
    gift_notes: [],
    ...more,
  });
  const again = (...shipments: ReturnType<typeof parcel>[]) =>
    orderAgain(
      {
        quote: { buyer_email: "buyer@example.com" },
        terms: { shipments } as unknown as Terms,
        ordered: { shipments: shipments.map((_, position) => ({ position, address: null })) },
      },
      CATALOG,
    );
  const other = { ...ADDRESS, line1: "2 Other Street" };

  test.each<[string, Parameters<typeof again>, Partial<NonNullable<ReturnType<typeof again>>>]>([
    [
      "two parcels to one address are one",
      [parcel([line("kenya-nyeri", 1)]), parcel([line("kenya-nyeri", 2)])],
      {
        cart: { items: [{ product_id: "kenya-nyeri", quantity: 3 }] },
        address: ADDRESS,
        leftOut: [],
      },
    ],
    [
      "several addresses",
      [parcel([line("kenya-nyeri", 1)]), parcel([line("kenya-nyeri", 1)], { address: other })],
      { address: null, leftOut: ["the addresses"] },
    ],
    [
      "more notes than one",
      [parcel([line("kenya-nyeri", 3)], { gift_notes: ["A", "B", "C"] })],
      {
        cart: { items: [{ product_id: "kenya-nyeri", quantity: 3 }], gift_note: "A" },
        leftOut: ["all notes but one"],
      },
    ],
    [
      "more bags of a coffee than a checkout takes",
      [parcel([line("kenya-nyeri", 100)]), parcel([line("kenya-nyeri", 20)])],
      {
        cart: { items: [{ product_id: "kenya-nyeri", quantity: 100 }] },
        leftOut: ["20 bags of kenya-nyeri"],
      },
    ],
    [
      "a coffee that left the shop",
      [parcel([line("kenya-nyeri", 1), line("gone", 1)])],
      { cart: { items: [{ product_id: "kenya-nyeri", quantity: 1 }] }, leftOut: ["gone"] },
    ],
  ])("%s", (_, shipments, expected) => {
    expect(again(...shipments)).toMatchObject(expected);
  });

  test("nothing, if none of it is sold any more", () => {
    expect(again(parcel([line("gone", 1)]))).toBeNull();
  });
});
