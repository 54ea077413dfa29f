import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { allocate, type PricedShipment, price as priceAt } from "../../src/quotes/pricing.ts";

const price = (shipments: readonly PricedShipment[], firstOrder: boolean) =>
  priceAt(shipments, { shop: DEFAULT_SHOP, firstOrder });

/** Few bags too, so that many orders get no courtesy. */
const line = fc.record({
  unitMinor: fc.integer({ min: 50, max: 20_000 }),
  quantity: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 100 })),
});

const shipment = fc.record({
  addressKey: fc.constantFrom("a", "b", "c", "d"),
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
});

const order = fc.record({
  shipments: fc.oneof(
    fc.array(shipment, { minLength: 1, maxLength: 2 }),
    fc.array(shipment, { minLength: 1, maxLength: 8 }),
  ),
  firstOrder: fc.boolean(),
});

const add = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);

const coffee = (shipments: readonly PricedShipment[]) =>
  add(shipments.flatMap((s) => s.lines.map((l) => l.unitMinor * l.quantity)));

describe("any order", () => {
  it("has parts that sum to its total exactly, none below zero", () => {
    fc.assert(
      fc.property(order, ({ shipments, firstOrder }) => {
        const p = price(shipments, firstOrder);
        const lines = p.shipments.flatMap((s) => s.lines);
        const off = p.courtesy?.amountMinor ?? 0;
        expect(p.subtotalMinor).toBe(coffee(shipments));
        expect(p.totalMinor).toBe(p.subtotalMinor - off + p.shippingMinor);
        expect(add(p.shipments.map((s) => s.subtotalMinor))).toBe(p.subtotalMinor);
        expect(add(p.shipments.map((s) => s.shippingMinor))).toBe(p.shippingMinor);
        expect(add(lines.map((l) => l.courtesyMinor))).toBe(off);
        for (const s of p.shipments) {
          expect(add(s.lines.map((l) => l.totalMinor))).toBe(s.subtotalMinor);
          expect(add(s.lines.map((l) => l.courtesyMinor))).toBe(s.courtesyMinor);
        }
        for (const l of lines) {
          expect(l.courtesyMinor).toBeGreaterThanOrEqual(0);
          expect(l.courtesyMinor).toBeLessThanOrEqual(l.totalMinor);
        }
        const amounts = [p, ...p.shipments, ...lines].flatMap((part) =>
          Object.values(part).filter((value) => typeof value === "number"),
        );
        expect(amounts.every((n) => Number.isSafeInteger(n) && n >= 0)).toBe(true);
      }),
    );
  });

  it("has the same totals in any order of its shipments", () => {
    const shuffled = order.chain(({ shipments, firstOrder }) =>
      fc.record({
        shipments: fc.constant(shipments),
        other: fc.shuffledSubarray(shipments, { minLength: shipments.length }),
        firstOrder: fc.constant(firstOrder),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ shipments, other, firstOrder }) => {
        const { shipments: _, ...one } = price(shipments, firstOrder);
        const { shipments: __, ...two } = price(other, firstOrder);
        expect(two).toEqual(one);
      }),
    );
  });

  it("pays $10 shipping for every address below $40, counted before any courtesy", () => {
    fc.assert(
      fc.property(order, ({ shipments, firstOrder }) => {
        const addresses = [...new Set(shipments.map((s) => s.addressKey))];
        const paying = addresses.filter(
          (key) => coffee(shipments.filter((s) => s.addressKey === key)) < 4000,
        );
        expect(price(shipments, firstOrder).shippingMinor).toBe(1000 * paying.length);
      }),
    );
  });

  it("splits amounts as exact arithmetic does, up to the largest order", () => {
    const amounts = fc.integer({ min: 1, max: 25_000_000 });
    const weights = fc.array(fc.integer({ min: 1, max: 12_500_000 }), {
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(fc.property(amounts, weights, (amount, all) => expectExact(amount, all)));
    expectExact(24_999_999, [124_999_999, 1]);
  });
});

/** Largest remainder in integers without bounds: every share is its floor or one cent more. */
function expectExact(amount: number, weights: number[]) {
  const shares = allocate(amount, weights);
  const whole = BigInt(add(weights));
  const exact = weights.map((weight, i) => {
    const product = BigInt(amount) * BigInt(weight);
    return { i, floor: Number(product / whole), remainder: product % whole };
  });
  const left = amount - add(exact.map((e) => e.floor));
  const lucky = [...exact]
    .sort((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder > b.remainder ? -1 : 1))
    .slice(0, left)
    .map((e) => e.i);
  expect(shares).toEqual(exact.map((e) => e.floor + (lucky.includes(e.i) ? 1 : 0)));
}
