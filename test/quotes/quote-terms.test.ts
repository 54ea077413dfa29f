import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import canonicalize from "canonicalize";
import { describe, expect, it, test } from "vitest";
import { canonicalJson } from "../../src/core/hash.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import type { Terms } from "../../src/quotes/quote-answer.ts";
import { QuoteRequest } from "../../src/quotes/quote-request.ts";
import { bagsByProduct, buildTerms, hashTerms } from "../../src/quotes/quote-terms.ts";
import { advice } from "../../src/quotes/quote-view.ts";
import { request, shipment } from "../support/beans.ts";
import { CATALOG } from "../support/catalog.ts";
import { ADDRESS } from "../support/shopper.ts";

const terms = (change: Record<string, unknown> = {}, nonce = "n"): Terms =>
  buildTerms({
    request: QuoteRequest.parse(request(change)),
    beans: CATALOG.products,
    expiresAt: Date.UTC(2026, 2, 9),
    nonce,
    shop: DEFAULT_SHOP,
  });

const bags = (product_id: string, quantity: number) => ({ product_id, quantity });

describe("the terms of a quote", () => {
  it("have a hash that anyone can recompute", () => {
    const made = terms({
      discount_code: "firstbag",
      shipments: [
        shipment({ gift_notes: ['For "you" — ☕\n\u2028 é'], recipient_ref: "b" }),
        shipment({ address: { ...ADDRESS, line1: "2 Ål Straße" }, recipient_ref: "a" }),
      ],
    });
    const sent = JSON.parse(JSON.stringify(made)) as unknown;
    const digest = createHash("sha256").update(canonicalize(sent)!, "utf8").digest("hex");
    expect(hashTerms(canonicalJson(made))).toBe(`sha256:${digest}`);
  });

  it("hash differently with another nonce, so that the hash reveals no address", () => {
    const [one, two] = ["a", "b"].map((nonce) => hashTerms(canonicalJson(terms({}, nonce))));
    expect(one).not.toBe(two);
  });

  it("contain everything that the buyer approves", () => {
    expect(terms({ discount_code: " firstBAG" })).toEqual({
      contract_version: "opc/0.1",
      policy_version: "policy_v1",
      buyer: { email: "buyer@example.com" },
      currency: "usd",
      shipments: [
        {
          recipient_ref: "home",
          address: ADDRESS,
          items: [
            {
              product_id: "kenya-nyeri",
              name: CATALOG.find("kenya-nyeri")?.name_to_use_with_humans,
              quantity: 1,
              unit_price_minor: 2200,
            },
          ],
          gift_notes: [],
          subtotal_minor: 2200,
          shipping_minor: 1000,
          courtesy_minor: 440,
        },
      ],
      pricing: {
        subtotal_minor: 2200,
        courtesy: {
          kind: "FIRST_ORDER",
          code: "FIRSTBAG",
          amount_minor: 440,
          allocations: [{ shipment: 0, line: 0, amount_minor: 440 }],
        },
        shipping_minor: 1000,
        total_minor: 2760,
        total_display: "$27.60",
      },
      discount_code: { code: "FIRSTBAG", applied: true },
      preferences: { substitutions: "none" },
      expires_at: "2026-03-09T00:00:00.000Z",
      nonce: "n",
    });
  });

  it("report a code that the spend courtesy replaced as not applied, with the reason", () => {
    const big = terms({
      discount_code: "FIRSTBAG",
      shipments: [shipment({ items: [bags("kenya-nyeri", 23)] })],
    });
    expect(big.pricing.courtesy).toMatchObject({ kind: "SPEND", amount_minor: 10_000 });
    expect(big.pricing.courtesy).not.toHaveProperty("code");
    expect(big.discount_code).toMatchObject({ code: "FIRSTBAG", applied: false });
    expect(big.discount_code?.reason).toMatch(/replaces.*ends with the first order/i);
  });

  it("merge two lines of one bean in a shipment, at the first one's place", () => {
    const lines = [bags("kenya-nyeri", 2), bags("peru-cajamarca-decaf", 1), bags("kenya-nyeri", 3)];
    const [sent] = terms({ shipments: [shipment({ items: lines })] }).shipments;
    expect(sent?.items.map(({ product_id, quantity }) => bags(product_id, quantity))).toEqual([
      bags("kenya-nyeri", 5),
      bags("peru-cajamarca-decaf", 1),
    ]);
  });

  it("price two shipments to one address together, with any recipient names", () => {
    const other = { ...ADDRESS, name: "Somebody Else", line1: "1  MAIN street" };
    const { pricing } = terms({ shipments: [shipment(), shipment({ address: other })] });
    expect(pricing).toMatchObject({ shipping_minor: 0, total_minor: 4400 });
  });
});

it("the documented example has the hash that the service computes", () => {
  const document = readFileSync(new URL("../../docs/http-api.md", import.meta.url), "utf8");
  const example = (name: string) =>
    new RegExp(`<!-- example: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\\n\`\`\``).exec(
      document,
    )![1]!;
  expect(hashTerms(canonicalJson(JSON.parse(example("terms"))))).toBe(example("hash"));
});

it("bags are summed over all shipments, in a fixed order", () => {
  const shipments = [{ items: [bags("b", 1), bags("a", 2)] }, { items: [bags("b", 3)] }];
  expect(bagsByProduct(shipments)).toEqual([bags("a", 2), bags("b", 4)]);
});

it("the amount missing for free shipping is shown per address, the smallest first", () => {
  const to = (recipient_ref: string, product_id: string) =>
    shipment({
      recipient_ref,
      address: { ...ADDRESS, line1: `${recipient_ref} Street` },
      items: [bags(product_id, 1)],
    });
  const two = [to("cy", "peru-cajamarca-decaf"), to("bob", "rwanda-huye")];
  expect(advice(terms({ shipments: two }), DEFAULT_SHOP)).toEqual([
    { code: "FREE_SHIPPING", text: "Free shipping needs $15.50 more to bob, $19.50 more to cy." },
  ]);
});

test.each([
  // $250.00, and as much again.
  [
    [bags("rwanda-huye", 1), bags("peru-cajamarca-decaf", 11)],
    "$250.00 more of coffee takes $100.00 off.",
  ],
  // $242.00 needs more than twice the coffee.
  [[bags("kenya-nyeri", 11)], undefined],
  [[bags("kenya-nyeri", 23)], "$494.00 more of coffee takes $200.00 off."],
])("the next large-order discount is advised within twice the coffee: %#", (items, text) => {
  const found = advice(terms({ shipments: [shipment({ items })] }), DEFAULT_SHOP).filter(
    ({ code }) => code === "SPEND_COURTESY",
  );
  expect(found.map((one) => one.text)).toEqual(text === undefined ? [] : [text]);
});
