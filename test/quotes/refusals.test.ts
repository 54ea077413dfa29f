/** Codes and times of the refusals around a quote. */
import { expect, test } from "vitest";
import { type State, stateOf } from "../../src/core/command.ts";
import { MerchantError } from "../../src/core/errors.ts";
import type { QuoteRow, QuoteStateRow } from "../../src/core/records.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { QuoteRequest } from "../../src/quotes/quote-request.ts";
import { type CreateQuote, createCheckout, createQuote } from "../../src/quotes/quote-rules.ts";
import { paymentRefusal } from "../../src/quotes/quote-view.ts";
import type { PaymentObstacle } from "../../src/quotes/standing.ts";
import { request } from "../support/beans.ts";
import { CATALOG, STOCKED } from "../support/catalog.ts";
import { customer, NOW, quote, quoteState, stock } from "../support/rows.ts";

const SHOP = { shop: DEFAULT_SHOP, timeZone: "UTC" };

test.each<[PaymentObstacle, object]>([
  [
    { kind: "unavailable" },
    { code: "PROVIDER_UNAVAILABLE", status: 503, retryable: true, retryAfter: 5 },
  ],
  [
    { kind: "taken", what: "PAGE" },
    { code: "QUOTE_ALREADY_PAID", status: 409, retryAfter: 60 },
  ],
  [
    { kind: "taken", what: "BAGS" },
    { code: "OUT_OF_STOCK", status: 409, retryAfter: 60 },
  ],
  [
    { kind: "taken", what: "COURTESY" },
    { code: "DISCOUNT_NOT_ELIGIBLE", status: 422, retryAfter: 60 },
  ],
])("a payment that cannot start, %o", (why, refusal) => {
  expect(paymentRefusal(why)).toMatchObject(refusal);
});

const refused = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    if (error instanceof MerchantError) return error.code;
    throw error;
  }
};

test.each<[string, Partial<QuoteRow>, Partial<QuoteStateRow>]>([
  ["QUOTE_EXPIRED", { expires_at: NOW }, { status: "OPEN" }],
  ["QUOTE_EXPIRED", { expires_at: NOW }, { status: "CHECKOUT_READY" }],
  ["QUOTE_ALREADY_PAID", {}, { status: "PROCESSING" }],
  ["QUOTE_ALREADY_PAID", {}, { status: "PAID", order_id: "ord_1" }],
  ["QUOTE_NOT_PAYABLE", {}, { status: "INVALIDATED", reason: "WRONG_AMOUNT" }],
  ["QUOTE_HASH_MISMATCH", { quote_hash: "sha256:other" }, { status: "OPEN" }],
])("a checkout is refused as %s for a quote of %o that is %o", (code, change, state) => {
  const row = quote(change);
  const asked = {
    now: NOW,
    found: { quote: row, revoked: false },
    quoteHash: quote().quote_hash,
    finderKeyHash: null,
    beans: [],
    reviewUrl: "",
    mode: "sandbox",
    ...SHOP,
  };
  const rows = stateOf({ quote_states: [quoteState(state)] });
  expect(refused(() => createCheckout.decide(asked, rows))).toBe(code);
});

test("a checkout is given out until the quote's last millisecond", () => {
  const terms = { pricing: { total_minor: 3200 }, discount_code: null, shipments: [] };
  const row = quote({ expires_at: NOW + 1, terms: JSON.stringify(terms) });
  const asked = {
    now: NOW,
    found: { quote: row, revoked: false },
    quoteHash: row.quote_hash,
    finderKeyHash: null,
    beans: [],
    reviewUrl: "https://shop.example/review/token",
    mode: "sandbox",
    ...SHOP,
  };
  const rows = stateOf({ quote_states: [quoteState({ status: "OPEN" })] });
  expect(createCheckout.decide(asked, rows).reply).toMatchObject({ status: "CHECKOUT_READY" });
});

/** A quote of one bag at this price, in a shop that ships for nothing. */
function quoted(
  price_minor: number,
  more: Record<string, unknown> = {},
  rows: Partial<State> = {},
) {
  const bean = CATALOG.products.find(({ product_id }) => product_id === STOCKED)!;
  const command: CreateQuote = {
    now: NOW,
    id: "qte_new",
    nonce: "n",
    reviewUrl: null,
    mode: "sandbox",
    ...SHOP,
    agentId: null,
    cart: null,
    checkout: null,
    replaces: null,
    finderKeyHash: null,
    follows: null,
    request: QuoteRequest.parse(request(more)),
    productIds: [STOCKED],
    beans: [{ ...bean, price_minor }],
    catalogVersion: 0,
    ttlMs: 1,
    shop: { ...DEFAULT_SHOP, shipping_per_address_minor: 0 },
    pause: null,
    timeZone: "UTC",
    customer: "buyer@example.com",
    bought: null,
    isFirstOrder: false,
  };
  const free = [stock({ on_hand: 500, held: 0 })];
  return createQuote.decide(command, stateOf({ stock: free, ...rows }));
}

test.each([
  [49, "LIMIT_EXCEEDED"],
  [50, 50],
  // $100 off each full $500.
  [124_989_999, 99_999_999],
  [124_990_000, "LIMIT_EXCEEDED"],
])("an order of one bag at %i cents is of %s", (price, expected) => {
  expect(refused(() => quoted(price).reply.terms.pricing.total_minor)).toBe(expected);
});

test.each([
  [2200, 0, 1760],
  [2200, 1, "DISCOUNT_NOT_ELIGIBLE"],
  // The discount of large orders replaces the code, whoever has ordered before.
  [60_000, 1, 50_000],
])("FIRSTBAG on %i cents after %i orders: %s", (price, paid_orders, expected) => {
  const rows = { customers: [customer({ paid_orders })] };
  const made = () => quoted(price, { discount_code: "FIRSTBAG" }, rows);
  expect(refused(() => made().reply.terms.pricing.total_minor)).toBe(expected);
});
