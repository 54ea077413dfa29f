import { expect, test } from "vitest";
import { stockInWords } from "../../src/catalog/catalog-answer.ts";

test.each([
  ["STOCKED", 5000, { stock: "In stock, to buy now." }],
  ["STOCKED", 0, { stock: "Sold out for now.", free_bags: 0 }],
  ["STOCKED", 1, { stock: "1 bag is left to buy now.", free_bags: 1 }],
  ["WAITLIST", 200, { stock: "In stock, to buy now." }],
  ["STOCKED", 199, { stock: "In stock, to buy now." }],
  ["STOCKED", 4, { stock: "4 bags are left to buy now.", free_bags: 4 }],
  [
    "WAITLIST",
    38,
    {
      stock: "38 bags are left to buy now; beyond that, the waitlist.",
      free_bags: 38,
    },
  ],
  ["WAITLIST", 0, { stock: "No bag is left now; a buyer can join the waitlist.", free_bags: 0 }],
  [
    "EXCLUSIVE",
    12,
    {
      stock: "Only with a finder key. 12 bags are left to buy now.",
      free_bags: 12,
    },
  ],
] as const)("a %s bean with %d free bags says what can be had now", (availability, free, told) => {
  expect(stockInWords({ availability }, free)).toEqual(told);
});
