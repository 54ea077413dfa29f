import { expect, it } from "vitest";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { paidByShipment, shipmentsRefundMinor } from "../../src/orders/merchant-refund.ts";
import { QuoteRequest } from "../../src/quotes/quote-request.ts";
import { buildTerms } from "../../src/quotes/quote-terms.ts";
import { request, shipment } from "../support/beans.ts";
import { CATALOG } from "../support/catalog.ts";
import { ADDRESS } from "../support/shopper.ts";

const asked = request({
  discount_code: "FIRSTBAG",
  shipments: [
    shipment({ items: [{ product_id: "kenya-nyeri", quantity: 1 }] }),
    shipment({
      recipient_ref: "away",
      address: { ...ADDRESS, line1: "2 Main Street" },
      items: [{ product_id: "kenya-nyeri", quantity: 2 }],
    }),
  ],
});

const terms = buildTerms({
  request: QuoteRequest.parse(asked),
  beans: CATALOG.products,
  expiresAt: 0,
  nonce: "n",
  shop: DEFAULT_SHOP,
});

it("each shipment's price is its coffee less its share of the courtesy, plus its shipping", () => {
  const [first, second] = terms.shipments as [
    (typeof terms.shipments)[0],
    (typeof terms.shipments)[0],
  ];
  const paid = paidByShipment(terms);
  expect(paid).toEqual([2200 - first.courtesy_minor! + 1000, 4400 - second.courtesy_minor!]);
  expect(paid[0]! + paid[1]!).toBe(terms.pricing.total_minor);
});

it("some shipments refund their part, all of them what is left, never more", () => {
  const [a, b] = [{ id: "a" }, { id: "b" }];
  const paid = [3000, 4000];
  const back = (canceled: { id: string }[], left: number) =>
    shipmentsRefundMinor(canceled, [a, b], { paid, left });
  expect([back([b], 7000), back([b], 500), back([a, b], 6500)]).toEqual([4000, 500, 6500]);
});
