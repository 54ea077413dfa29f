import { describe, expect, it, test } from "vitest";
import { cents, display } from "../../src/core/money.ts";
import type { AttemptRow, QuoteStateRow } from "../../src/core/records.ts";
import { DEFAULT_SHOP } from "../../src/core/shop.ts";
import { quoteView } from "../../src/quotes/quote-view.ts";
import { type FoundQuote, quoteStatus } from "../../src/quotes/standing.ts";
import { attempt, NOW, quote, quoteState } from "../support/rows.ts";

type StoredQuoteStatus = QuoteStateRow["status"];

interface Case {
  stored: StoredQuoteStatus;
  expired?: boolean;
  revoked?: boolean;
  lost?: FoundQuote["lost"];
  paying?: boolean;
}

describe("the status of a quote", () => {
  test.each<[Case, string]>([
    [{ stored: "OPEN" }, "OPEN"],
    [{ stored: "CHECKOUT_READY" }, "CHECKOUT_READY"],
    [{ stored: "OPEN", expired: true }, "EXPIRED"],
    [{ stored: "CHECKOUT_READY", expired: true }, "EXPIRED"],
    [{ stored: "OPEN", revoked: true }, "INVALIDATED"],
    [{ stored: "CHECKOUT_READY", revoked: true, expired: true }, "INVALIDATED"],
    [{ stored: "CHECKOUT_READY", expired: true, paying: true }, "CHECKOUT_READY"],
    [{ stored: "CHECKOUT_READY", revoked: true, paying: true }, "CHECKOUT_READY"],
    [{ stored: "PROCESSING", expired: true, revoked: true }, "PROCESSING"],
    [{ stored: "PAID", expired: true, revoked: true }, "PAID"],
    [{ stored: "OPEN", lost: "COURTESY_USED" }, "INVALIDATED"],
    [{ stored: "CHECKOUT_READY", lost: "OUT_OF_STOCK" }, "INVALIDATED"],
    [{ stored: "CHECKOUT_READY", lost: "OUT_OF_STOCK", expired: true }, "EXPIRED"],
    [{ stored: "CHECKOUT_READY", lost: "COURTESY_USED", paying: true }, "INVALIDATED"],
    [{ stored: "PAID", lost: "COURTESY_USED" }, "PAID"],
    [{ stored: "INVALIDATED", expired: true }, "INVALIDATED"],
    [{ stored: "WAITLIST_OFFERED", expired: true }, "WAITLIST_OFFERED"],
  ])("of %o is %s", ({ stored, expired, revoked, lost = null, paying }, status) => {
    const row = quote({ expires_at: expired ? NOW : NOW + 1 });
    const state = quoteState({ status: stored, paying_until: paying ? NOW + 1 : null });
    const found = { quote: row, state, revoked: revoked ?? false, lost };
    expect(quoteStatus(found, NOW)).toBe(status);
  });
});

describe("a quote's answer", () => {
  const pricing = { subtotal_minor: 2200, total_minor: 3200, total_display: "$32.00" };
  const terms = JSON.stringify({ currency: "usd", pricing, discount_code: null, shipments: [] });
  const view = (
    status: StoredQuoteStatus,
    reason: string | null = null,
    revoked = false,
    approved: object = JSON.parse(terms),
  ) => {
    const state = quoteState({ status, reason, order_id: "ord_1" });
    const context = {
      now: NOW,
      reviewUrl: "https://shop.example/review/token",
      mode: "sandbox",
      shop: DEFAULT_SHOP,
      timeZone: "UTC",
    };
    const row = quote({ terms: JSON.stringify(approved) });
    return quoteView({ quote: row, state, revoked }, context);
  };

  it("mentions a late payment even after it expired or sold out", () => {
    const last = attempt({ outcome: "PAID_TOO_LATE", owed_minor: 3200 } as Partial<AttemptRow>);
    const context = {
      now: NOW,
      reviewUrl: null,
      mode: "sandbox",
      shop: DEFAULT_SHOP,
      timeZone: "UTC",
    };
    const told = (found: Partial<FoundQuote>) =>
      quoteView(
        { quote: quote({ terms }), state: quoteState(), revoked: false, last, ...found },
        context,
      );
    for (const found of [
      { quote: quote({ terms, expires_at: NOW }) },
      { lost: "OUT_OF_STOCK" as const },
    ]) {
      const [late, owed, ...more] = told(found).messages;
      expect([late?.code, owed?.code, more]).toEqual(["PAID_TOO_LATE", "REFUND_FAILED", []]);
      expect(late?.text).not.toContain("is being");
      expect(owed?.text).toContain("$32.00 could not be refunded yet");
    }
  });

  test.each<[StoredQuoteStatus, boolean]>([
    ["OPEN", false],
    ["CHECKOUT_READY", true],
    ["PROCESSING", true],
    ["PAID", false],
    ["INVALIDATED", false],
    ["WAITLIST_OFFERED", false],
  ])("%s shows the review link: %s", (status, shown) => {
    expect(view(status)).toHaveProperty(
      "next",
      expect.arrayContaining([
        { action: expect.any(String), http: expect.any(String), why: expect.any(String) },
      ]),
    );
    expect("checkout" in view(status)).toBe(shown);
  });

  it("says that its payment is being processed", () => {
    expect(view("PROCESSING").messages).toMatchObject([{ code: "PAYMENT_PROCESSING" }]);
  });

  it("says that its discount code was not applied, and why", () => {
    const discount_code = { code: "FIRSTBAG", applied: false, reason: "A larger one applies." };
    const told = (discount: object | null) =>
      view("PAID", null, false, { ...JSON.parse(terms), discount_code: discount }).messages;
    expect(told(discount_code)).toEqual([
      { code: "DISCOUNT_NOT_APPLIED", text: "A larger one applies." },
    ]);
    expect(told({ code: "FIRSTBAG", applied: true })).toEqual([]);
    expect(told(null)).toEqual([]);
  });

  it("says why it was invalidated", () => {
    expect(view("INVALIDATED", "OUT_OF_STOCK").messages[0]).toMatchObject({ code: "OUT_OF_STOCK" });
    expect(view("OPEN", null, true)).toMatchObject({
      status: "INVALIDATED",
      messages: [{ code: "KEY_REVOKED" }],
    });
  });
});

test.each([
  [0, "$0.00"],
  [5, "$0.05"],
  [3520, "$35.20"],
  [123_450, "$1,234.50"],
  [99_999_999, "$999,999.99"],
  [-440, "-$4.40"],
])("%i cents read %s", (minor, text) => {
  expect(display(minor)).toBe(text);
});

test.each([
  ["12.50", 1250],
  ["$12.5", 1250],
  ["0.05", 5],
  ["012.50", null],
  ["00", null],
  ["1e2", null],
  ["-1", null],
])("%s typed is %s cents", (typed, minor) => {
  expect(cents(typed)).toBe(minor);
});
