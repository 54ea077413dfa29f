/** Sales figures by the shop's calendar. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { dayIn, estimateIn } from "../../src/core/time.ts";
import { lastDays, refundedByShipment, type Sale, salesFigures } from "../../src/orders/sales.ts";

const CHICAGO = dayIn("America/Chicago");

const sale = (paidAt: string, more: Partial<Sale> = {}): Sale => ({
  paid_at: Date.parse(paidAt),
  amount_minor: 3200,
  shipping_minor: 1000,
  courtesy_minor: 0,
  bags: [{ product_id: "bean-a", quantity: 1, coffee_minor: 2200, courtesy_minor: 0 }],
  ...more,
});

it("delivery is estimated by the shop's calendar, even across a clock change", () => {
  const expected = (timeZone: string, at: number) =>
    estimateIn({ timeZone, shop: DEFAULT_SHOP }, at)(at).delivery;
  const evening = Date.parse("2026-03-03T03:00:00Z");
  expect(expected("America/Chicago", evening)).toEqual({
    earliest: "2026-03-07",
    latest: "2026-03-16",
  });
  expect(expected("UTC", evening)).toEqual({ earliest: "2026-03-08", latest: "2026-03-17" });
  const night = Date.parse("2026-03-28T23:30:00+01:00");
  expect(expected("Europe/Berlin", night)).toEqual({
    earliest: "2026-04-02",
    latest: "2026-04-11",
  });
});

describe("the last days", () => {
  it("follow the shop's time zone: an evening in Chicago is not yet tomorrow", () => {
    const now = Date.parse("2026-03-03T03:00:00Z");
    expect(lastDays(2, now, CHICAGO)).toEqual(["2026-03-01", "2026-03-02"]);
    expect(lastDays(2, now, dayIn("UTC"))).toEqual(["2026-03-02", "2026-03-03"]);
  });

  it("skip and repeat none when the clocks change", () => {
    for (const now of ["2026-03-10T05:30:00Z", "2026-11-04T05:30:00Z"]) {
      const days = lastDays(10, Date.parse(now), CHICAGO);
      const steps = days.map((day, i) => Date.parse(day) - Date.parse(days[i - 1] ?? day));
      expect(steps.slice(1)).toEqual(Array(9).fill(86_400_000));
    }
  });
});

describe("the figures", () => {
  it("count a sale on its day, and a day without one as nothing", () => {
    const days = ["2026-03-01", "2026-03-02"];
    const sales = [
      sale("2026-03-02T12:00:00Z", { courtesy_minor: 440 }),
      sale("2026-03-03T03:00:00Z", {
        bags: [{ product_id: "bean-b", quantity: 3, coffee_minor: 6600, courtesy_minor: 440 }],
      }),
    ];
    const lines = [{ amount_minor: -1000, at: Date.parse("2026-03-01T12:00:00Z") }];
    const figures = salesFigures({ sales, lines }, days, CHICAGO);
    expect(figures.days).toEqual([
      {
        day: days[0],
        orders: 0,
        bags: 0,
        net_minor: 0,
        shipping_minor: 0,
        takings_minor: 0,
        courtesy_minor: 0,
        refunded_minor: 1000,
        after_refunds_minor: -1000,
      },
      {
        day: days[1],
        orders: 2,
        bags: 4,
        net_minor: 4400,
        shipping_minor: 2000,
        takings_minor: 6400,
        courtesy_minor: 440,
        refunded_minor: 0,
        after_refunds_minor: 6400,
      },
    ]);
    expect(figures.beans).toEqual([
      { product_id: "bean-b", bags: 3, coffee_minor: 6600, courtesy_minor: 440 },
      { product_id: "bean-a", bags: 1, coffee_minor: 2200, courtesy_minor: 0 },
    ]);
  });

  it("have equal sums by day and by bean, without sales outside the range", () => {
    const start = Date.parse("2026-03-01T12:00:00Z");
    const arbitrary = fc.array(
      fc.record({
        paid_at: fc.integer({ min: start - 5 * 86_400_000, max: start + 10 * 86_400_000 }),
        quantity: fc.integer({ min: 1, max: 100 }),
        bean: fc.constantFrom("a", "b", "c"),
      }),
    );
    fc.assert(
      fc.property(arbitrary, (drawn) => {
        const sales = drawn.map(({ paid_at, quantity, bean }) => ({
          ...sale("2026-03-01T00:00:00Z"),
          paid_at,
          bags: [
            { product_id: bean, quantity, coffee_minor: quantity * 2200, courtesy_minor: quantity },
          ],
        }));
        const days = lastDays(7, start + 6 * 86_400_000, CHICAGO);
        const figures = salesFigures({ sales, lines: [] }, days, CHICAGO);
        const inside = sales.filter(({ paid_at }) => days.includes(CHICAGO(paid_at)));
        const bags = inside.reduce((n, { bags: [line] }) => n + line!.quantity, 0);
        expect(figures.days.reduce((n, day) => n + day.bags, 0)).toBe(bags);
        expect(figures.beans.reduce((n, bean) => n + bean.bags, 0)).toBe(bags);
        expect(figures.beans.reduce((n, bean) => n + bean.courtesy_minor, 0)).toBe(bags);
      }),
    );
  });
});

describe("refunds by shipment", () => {
  type Line = [cause: string, amount: number, named?: number[] | undefined];
  const split = (paid: number[], lines: Line[]) => {
    // The first line of a cause names its shipments.
    const named = new Map(
      lines.toReversed().map(([cause, , of]) => [cause, of ? new Set(of) : null]),
    );
    const rows = lines.map(([cause, amount_minor]) => ({ cause, amount_minor }));
    return refundedByShipment(rows, paid, (cause) => named.get(cause) ?? null);
  };

  it.each<[string, Line[], number[][]]>([
    ["in proportion", [["a", -100]], [[25, 75]]],
    ["in whole cents", [["a", -101]], [[25, 76]]],
    ["what was made for one", [["a", -100, [0]]], [[100, 0]]],
    ["above what that one was paid", [["a", -1300, [0]]], [[1000, 300]]],
    [
      "of one refunded before",
      [
        ["a", -1000, [0]],
        ["b", -300, [0]],
      ],
      [
        [1000, 0],
        [0, 300],
      ],
    ],
    [
      "a failed one",
      [
        ["a", -100, [0]],
        ["a", 100],
      ],
      [
        [100, 0],
        [-100, 0],
      ],
    ],
    [
      "again after a failed one",
      [
        ["a", -1000, [0]],
        ["a", 1000],
        ["b", -1000, [0]],
      ],
      [
        [1000, 0],
        [-1000, 0],
        [1000, 0],
      ],
    ],
    ["everything", [["a", -4000]], [[1000, 3000]]],
    [
      "all, after one",
      [
        ["a", -1000, [0]],
        ["b", -3000],
      ],
      [
        [1000, 0],
        [0, 3000],
      ],
    ],
    [
      "all of it to the bank, after a part",
      [
        ["a", -1000, [0]],
        ["d", -4000],
      ],
      [
        [1000, 0],
        [250, 3750],
      ],
    ],
    ["money of an unknown cause", [["d", 400]], [[-100, -300]]],
  ])("%s", (_, lines, expected) => {
    expect(split([1000, 3000], lines)).toEqual(expected);
  });

  it("add up to every line, and later lines change no earlier share", () => {
    const line = fc.tuple(
      fc.constantFrom("a", "b", "c", "d"),
      fc.integer({ min: -5000, max: 5000 }).filter((minor) => minor !== 0),
    );
    fc.assert(
      fc.property(
        fc.array(fc.nat(5000), { minLength: 1, maxLength: 5 }).filter((paid) => paid.some(Boolean)),
        fc.array(line, { maxLength: 8 }),
        fc.subarray([0, 1, 2, 3, 4]),
        (paid, drawn, named) => {
          const lines = drawn.map(
            ([cause, minor]): Line => [cause, minor, cause < "c" ? named : undefined],
          );
          const shares = split(paid, lines);
          const sums = shares.map((one) => one.reduce((a, b) => a + b, 0));
          expect(sums).toEqual(lines.map(([, minor]) => 0 - minor));
          const earlier = lines.slice(0, -1);
          expect(split(paid, earlier)).toEqual(shares.slice(0, earlier.length));
        },
      ),
    );
  });
});
