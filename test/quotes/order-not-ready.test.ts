import { expect, it, test } from "vitest";
import type { AttemptRow, QuoteRow, QuoteStateRow } from "../../src/core/records.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { createCheckout } from "../../src/quotes/quote-rules.ts";
import { orderNotReady } from "../../src/quotes/quote-view.ts";
import { attempt, MINUTE, NOW, quote, quoteState } from "../support/rows.ts";

const SHOP = { shop: DEFAULT_SHOP, timeZone: "UTC" };

type Last = Partial<AttemptRow> & { owed_minor?: number };

const refusal = (
  state: Partial<QuoteStateRow>,
  more: { quote?: Partial<QuoteRow>; last?: Last } = {},
) =>
  orderNotReady(
    {
      quote: quote(more.quote),
      state: quoteState(state),
      revoked: false,
      last: more.last && attempt(more.last),
    },
    { now: NOW, ...SHOP, reviewUrl: "https://shop.example/review/token" },
  );

test.each<[string, string, Partial<QuoteStateRow>, Partial<QuoteRow>]>([
  ["expired", "expired at", {}, { expires_at: NOW }],
  ["sold out", "too few are left", { status: "INVALIDATED", reason: "OUT_OF_STOCK" }, {}],
  ["courtesy redeemed", "discount", { status: "INVALIDATED", reason: "COURTESY_USED" }, {}],
  ["priced for information", "cannot be paid", { status: "WAITLIST_OFFERED" }, {}],
])("a dead quote is final and says why: %s", (_, says, state, change) => {
  const error = refusal(state, { quote: change });
  expect(error).toMatchObject({ code: "ORDER_NOT_READY", status: 404, retryable: false });
  expect(error.message).toContain("This quote cannot become an order.");
  expect(error.message).toContain(says);
  expect(error.next.map(({ action }) => action).join()).toContain("request_quote");
});

test.each<[string, string, Partial<QuoteStateRow>, Partial<AttemptRow>?]>([
  ["not begun", "until the buyer has paid", {}],
  ["begun", "begun to pay", { paying_until: NOW + MINUTE }],
  [
    "declined, on an open page",
    "another card may do",
    { paying_until: NOW + MINUTE },
    { declined: 1 },
  ],
  [
    "declined, and given up",
    "declined by the buyer's bank",
    {},
    { outcome: "EXPIRED", declined: 1 },
  ],
  ["declined by the bank later", "declined by the buyer's bank", {}, { outcome: "FAILED" }],
  ["paid too late", "is being refunded", {}, { outcome: "PAID_TOO_LATE", declined: 1 }],
])(
  "where an order can still come it is retryable, with the link and how to wait: %s",
  (_, says, state, last) => {
    const error = refusal(state, last ? { last } : {});
    expect(error).toMatchObject({ code: "ORDER_NOT_READY", retryable: true });
    expect(error.message).toContain(says);
    expect(error.next).toMatchObject([
      { action: "https://shop.example/review/token" },
      { action: expect.stringContaining("get_quote_order") },
    ]);
  },
);

it("a late payment whose bags were sold is final, and the refund comes first in the text", () => {
  const last = { outcome: "PAID_TOO_LATE" };
  const error = refusal({ status: "INVALIDATED", reason: "OUT_OF_STOCK" }, { last });
  expect(error).toMatchObject({ retryable: false });
  expect(error.message).toContain("It is being returned.");
});

it("while a debit settles, the buyer is not asked to pay again, and retries wait", () => {
  const error = refusal({ status: "PROCESSING", paying_until: NOW + MINUTE });
  expect(error).toMatchObject({ retryable: true, retryAfter: 3600 });
  expect(error.message).toContain("settles in days");
  expect(JSON.stringify(error.next)).not.toContain("review");
});

test.each<[string, Partial<QuoteStateRow>, Partial<QuoteRow>, Last]>([
  ["expired", {}, { expires_at: NOW }, {}],
  ["paid too late, then expired", {}, { expires_at: NOW }, { outcome: "PAID_TOO_LATE" }],
  ["and not returned", {}, { expires_at: NOW }, { outcome: "PAID_TOO_LATE", owed_minor: 3200 }],
  ["sold out", { status: "INVALIDATED", reason: "OUT_OF_STOCK" }, {}, {}],
  ["priced for information", { status: "WAITLIST_OFFERED" }, {}, {}],
  ["settling", { status: "PROCESSING", paying_until: NOW + MINUTE }, {}, {}],
])("why no order comes is why its link is refused: %s", (_, state, change, last) => {
  const row = quote(change);
  const asked = {
    now: NOW,
    found: { quote: row, revoked: false, last: attempt(last) },
    quoteHash: row.quote_hash,
    finderKeyHash: null,
    beans: [],
    reviewUrl: "",
    mode: "sandbox",
    ...SHOP,
  };
  let said = "";
  try {
    createCheckout.decide(asked, { quote_states: [quoteState(state)] } as never);
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said).not.toBe("");
  expect(refusal(state, { quote: change, last }).message).toContain(said);
});
