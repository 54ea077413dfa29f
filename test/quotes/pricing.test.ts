import { describe, expect, it, test } from "vitest";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { type PricedShipment, price as priceAt } from "../../src/quotes/pricing.ts";

const price = (shipments: readonly PricedShipment[], firstOrder: boolean) =>
  priceAt(shipments, { shop: DEFAULT_SHOP, firstOrder });

/** One shipment of one line of single bags at this price, to this address. */
const shipment = (unitMinor: number, addressKey = "here"): PricedShipment => ({
  addressKey,
  lines: [{ unitMinor, quantity: 1 }],
});

const many = (n: number, unitMinor: number) =>
  Array.from({ length: n }, (_, i) => shipment(unitMinor, `address ${i}`));

describe("the price of an order, in cents", () => {
  test.each<[string, PricedShipment[], boolean, number]>([
    ["one bag of $22.00 pays $10.00 shipping", [shipment(2200)], false, 3200],
    ["its first-order courtesy is 20 % of the coffee", [shipment(2200)], true, 2760],
    ["$40.00 ships free, and takes $8.00 off", [shipment(4000)], true, 3200],
    ["$39.99 pays shipping; the courtesy does not lower it", [shipment(3999)], true, 4199],
    ["two addresses pay twice", [shipment(2200, "a"), shipment(2200, "b")], false, 6400],
    ["two shipments to one address add up", [shipment(2200), shipment(2200)], false, 4400],
    ["two small shipments to one address pay once", [shipment(1500), shipment(1500)], false, 4000],
    ["each address by itself", [shipment(2200, "a"), shipment(4400, "b")], true, 6600],
    ["24 addresses, and the spend courtesy over all", many(24, 2200), false, 66_800],
    ["$600 takes $100 off, not 20 %", [shipment(60_000)], false, 50_000],
  ])("%s", (_, shipments, firstOrder, total) => {
    expect(price(shipments, firstOrder).totalMinor).toBe(total);
  });

  test.each<[number, number, number]>([
    [3, 1, 1000],
    [2200, 440, 1000],
    [3999, 800, 1000],
    [5000, 1000, 0],
    [49_999, 1000, 0],
  ])("FIRSTBAG on %i cents takes %i off and ships for %i", (subtotal, off, shipping) => {
    expect(price([shipment(subtotal)], true)).toMatchObject({
      courtesy: { kind: "FIRST_ORDER", amountMinor: off },
      shippingMinor: shipping,
      totalMinor: subtotal - off + shipping,
    });
  });

  test.each<[number, number]>([
    [49_999, 0],
    [50_000, 10_000],
    [99_999, 10_000],
    [100_000, 20_000],
    [149_999, 20_000],
    [150_000, 30_000],
    [199_999, 30_000],
    [10_000_000, 2_000_000],
  ])("the spend courtesy on %i cents is %i", (subtotal, off) => {
    const { courtesy } = price([shipment(subtotal)], false);
    expect(courtesy).toEqual(off === 0 ? null : { kind: "SPEND", amountMinor: off });
  });

  it("replaces the first-order courtesy by the spend courtesy from $500", () => {
    expect(price([shipment(50_000)], true).courtesy).toEqual({
      kind: "SPEND",
      amountMinor: 10_000,
    });
  });

  it("rounds 20 % to the nearest cent", () => {
    const off = (minor: number) => price([shipment(minor)], true).courtesy?.amountMinor;
    expect([2052, 2053, 2054, 2055].map(off)).toEqual([410, 411, 411, 411]);
  });

  it("counts every bag of a line", () => {
    const lines = [
      { unitMinor: 2200, quantity: 3 },
      { unitMinor: 2050, quantity: 2 },
    ];
    const priced = price([{ addressKey: "here", lines }], false);
    expect(priced.shipments[0]?.lines.map((l) => l.totalMinor)).toEqual([6600, 4100]);
    expect(priced.totalMinor).toBe(10_700);
  });
});

describe("the courtesy is divided", () => {
  const shares = (units: number[], firstOrder: boolean) =>
    price(
      units.map((unit) => shipment(unit)),
      firstOrder,
    ).shipments.map((s) => s.courtesyMinor);

  it("in proportion to the lines", () => {
    expect(shares([10_000, 40_000], false)).toEqual([2000, 8000]);
  });

  it("without one, every line keeps its whole price", () => {
    expect(shares([2200, 2050], false)).toEqual([0, 0]);
  });

  it("with the remaining cent for the largest remainder", () => {
    // 20 % of 101 + 103 is 41: 20.299… and 20.700…
    expect(shares([101, 103], true)).toEqual([20, 21]);
  });

  it("with ties in line order", () => {
    // The cap of 1000 over three equal lines: 333.33 each.
    expect(shares([5000, 5000, 5000], true)).toEqual([334, 333, 333]);
  });

  it("an address's first shipment carries its shipping", () => {
    const priced = price([shipment(1000, "a"), shipment(1000, "b"), shipment(1000, "a")], false);
    expect(priced.shipments.map((s) => s.shippingMinor)).toEqual([1000, 1000, 0]);
  });
});

it("shipping follows the owner's prices", () => {
  const shop = { shipping_per_address_minor: 700, free_shipping_from_minor: 2500 };
  const shippingOf = (unitMinor: number) =>
    priceAt([shipment(unitMinor)], { shop, firstOrder: false }).shippingMinor;
  expect([shippingOf(2400), shippingOf(2500)]).toEqual([700, 0]);
});
