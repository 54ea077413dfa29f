import { expect, test } from "vitest";
import { type Purchase, similarPurchases, wishOf } from "../../src/quotes/bought-already.ts";
import { attempt } from "../support/rows.ts";
import { ADDRESS } from "../support/shopper.ts";

const NOW = 1_000_000;
const CUSTOMER = "buyer@example.com";

/** Bags by bean, to one address. */
const wish = (bags: Record<string, number>, line1 = "1 Main Street") => ({
  shipments: [
    {
      address: { ...ADDRESS, line1 },
      items: Object.entries(bags).map(([product_id, quantity]) => ({
        ...{ product_id, quantity, name: product_id },
      })),
    },
  ],
});

/** The purchases that a quote of these bags finds, each taken a minute after the one before. */
function found(
  wanted: ReturnType<typeof wish>,
  ...bought: [id: string, ReturnType<typeof wish>, customer?: string][]
) {
  const quotes = bought.map(([id, terms, customer = CUSTOMER]) => ({
    id,
    customer,
    terms: JSON.stringify(terms),
  }));
  const taken = bought.map(([quote_id], i) =>
    attempt({ quote_id: quote_id as never, taken_at: NOW - (bought.length - i) * 60_000 }),
  );
  const own = { id: "own", customer: CUSTOMER, terms: wanted } as unknown as Purchase;
  return similarPurchases(own, taken, quotes as never, NOW).map(({ quoteId, same }) => [
    quoteId,
    same,
  ]);
}

test.each<[string, Parameters<typeof found>, unknown[]]>([
  ["the same bags and address", [wish({ a: 2 }), ["one", wish({ a: 2 })]], [["one", true]]],
  [
    "the same to another address",
    [wish({ a: 2 }), ["one", wish({ a: 2 }, "2 Elm")]],
    [["one", false]],
  ],
  ["half of the bags", [wish({ a: 4 }), ["one", wish({ a: 2 })]], [["one", false]]],
  ["less than half of them", [wish({ a: 5 }), ["one", wish({ a: 2, b: 9 })]], []],
  ["its own payment", [wish({ a: 2 }), ["own", wish({ a: 2 })]], []],
  ["another customer's", [wish({ a: 2 }), ["one", wish({ a: 2 }), "ann@example.com"]], []],
  [
    "several: the same first, then the most alike, then the newest",
    [
      wish({ a: 4 }),
      ...([
        ["half", wish({ a: 2 })],
        ["same", wish({ a: 4 })],
        ["more", wish({ a: 3 })],
        ["newer half", wish({ a: 2 })],
      ] as [string, ReturnType<typeof wish>][]),
    ],
    [
      ["same", true],
      ["more", false],
      ["newer half", false],
      ["half", false],
    ],
  ],
])("a quote finds %s", (_, purchases, expected) => {
  expect(found(...purchases)).toEqual(expected);
});

test("the order of shipments and lines makes no other wish", () => {
  const [one, two] = [wish({ a: 1, b: 2 }), wish({ c: 3 }, "2 Elm Street")];
  const hash = (...parts: ReturnType<typeof wish>[]) =>
    wishOf(CUSTOMER, { shipments: parts.flatMap(({ shipments }) => shipments) });
  expect(hash(one, two)).toBe(hash(two, wish({ b: 2, a: 1 })));
  expect(hash(one, two)).not.toBe(hash(one, wish({ c: 4 }, "2 Elm Street")));
  expect(hash(one)).not.toBe(wishOf("ann@example.com", one));
});
