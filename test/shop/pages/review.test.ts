import { describe, expect, test } from "vitest";
import { DEFAULT_SHOP } from "../../../src/core/shop.ts";
import type { Bought } from "../../../src/quotes/bought-already.ts";
import type { Standing } from "../../../src/quotes/standing.ts";
import { reviewPage } from "../../../src/shop/pages/review.ts";
import type { ReviewView } from "../../../src/shop/pages/review-view.ts";
import { layout } from "../../../src/web/layout.ts";
import { WAITLISTED } from "../../support/catalog.ts";
import { cancelRequest, gallery } from "./gallery.ts";
import { text } from "./reading.ts";
import { ALL_SHIPMENTS, ordered, review, SECOND, shipment, terms, tracked } from "./views.ts";

const shown = (view: ReviewView): string =>
  layout(reviewPage(view), { shop: DEFAULT_SHOP, mode: "live", supportEmail: undefined });

const BOUGHT: Bought = {
  ...{ same: true, at: 0, minutesAgo: 4, quoteId: "qte_1", bags: "2 bags of Kenya Nyeri" },
  order: { id: "ord_1", called: "#1001" },
};

describe("the review page", () => {
  const page = shown(review());

  test("of an order begins with its status, date and Track", () => {
    const said = text(gallery["review-shipped"]!);
    const places = ["on its way", "Estimated delivery", "Track package", "#1001"].map((part) =>
      said.indexOf(part),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(-1);
  });

  test.each(["review-delivery-failed", "review-returned", "review-late"])(
    "%s shows no estimate",
    (name) => expect(text(gallery[name]!)).not.toContain("Estimated delivery"),
  );

  test.each(["review-disputed", "review-dispute-lost"])("%s says no thanks", (name) =>
    expect(text(gallery[name]!)).not.toContain("Thank you"),
  );

  test("orders again once there is an order", () => {
    expect(gallery["review-completed"]).toContain('/again"');
    expect(page).not.toContain('/again"');
  });

  test("keeps the line breaks of a gift note", () => {
    expect(page).toContain('<p class="note">Happy birthday!\nBrew it slowly.</p>');
  });

  test("counts gift notes through the bags of all lines", () => {
    const items = ["First", "Second"].map((name, i) => ({
      product_id: `bean-${i}`,
      name,
      quantity: i + 1,
      unit_price_minor: 2200,
    }));
    const shipments = [{ ...shipment, items, gift_notes: ["one", "two", "three"] }];
    const said = text(shown(review({}, { terms: terms({ shipments }) })));
    expect(said).toContain("Bag 1, First one Bag 2, Second two Bag 3, Second three");
  });

  test.each([
    ["review-payable", 1],
    ["review-declined", 1],
    ["review-provider-down", 1],
    ["review-not-charged", 1],
    ["review-bags-gone", 0],
    ["review-ordered-already", 0],
    ["review-courtesy-taken", 2],
    ["review-bags-taken", 1],
    ["review-confirming", 0],
    ["review-processing", 0],
    ["review-paid", 2],
    ["review-cancel-problems", 2],
    ["review-cancel-asked", 2],
    ["review-partly-canceled", 2],
    ["review-shipped", 1],
    ["review-canceled", 1],
    ["review-expired", 0],
    ["review-sold-out", 0],
    ["review-courtesy-used", 1],
    ["review-key-revoked", 0],
    ["review-waitlist", 0],
  ])("%s has %i buttons, each with a form of its own", (name, buttons) => {
    expect(gallery[name]!.match(/<form/g) ?? []).toHaveLength(buttons);
    expect(gallery[name]!.match(/<button/g) ?? []).toHaveLength(buttons);
  });

  test.each(Object.keys(gallery).filter((name) => /review-.*(paid|cancel|shipped)/.test(name)))(
    "%s has nothing to pay",
    (name) => expect(text(gallery[name]!)).not.toMatch(/Pay \$/),
  );

  test.each([
    ["review-not-charged", "Your card wasn’t charged."],
    ["review-not-charged", "may show the payment as pending"],
    ["review-bags-gone", "may show the payment as pending"],
    ["review-courtesy-taken", "$78.50"],
    ["review-late", "3 days"],
    ["review-late", "March 16, 2026"],
    ["review-refunded-before", "$20.00"],
    ["review-refunded-with", "$48.50"],
    ["review-refund-failed", "$68.50"],
    ["review-paid", "March 7 – March 16, 2026"],
    ["review-shipped", "Sample Post, tracking number 9400-0000"],
    ["review-shipped", "It is in the roaster already."],
    ["review-cancel-asked", ", Portland: 1 bag of Rwanda Huye"],
    ["review-dispute-lost", "Mar 20, 2026, 9:00 AM UTC −$48.50"],
    ["review-dispute-lost", "$0.00"],
    ["review-delivery-failed", "Test Buyer Delivery failed 100 Example Street"],
  ])("%s shows %s", (name, fact) => {
    expect(text(gallery[name]!)).toContain(fact);
  });

  test.each(["review-confirming", "review-processing"])(
    "%s warns against a second payment",
    (name) => expect(text(gallery[name]!)).toMatch(/do not pay again/i),
  );

  test.each(["review-declined", "review-erased"])("%s says that nothing was charged", (name) =>
    expect(text(gallery[name]!)).toMatch(/nothing was charged/i),
  );

  test("a returned shipment is to be decided until it is fully refunded", () => {
    const words = "It can be sent again, to another address too";
    expect(text(gallery["review-returned"]!)).toContain(words);
    expect(text(gallery["review-returned-refunded"]!)).not.toContain(words);
  });

  test.each(["review-wrong-amount", "review-other", "review-waitlist"])(
    "%s does not claim that nothing was charged",
    (name) => expect(text(gallery[name]!)).not.toContain("Nothing was charged"),
  );

  test("an expired quote whose payment came too late does not say that nothing was charged", () => {
    const late = { status: "EXPIRED", problem: "TOO_LATE" } as const;
    expect(text(shown(review(late)))).toContain("came too late and is being returned");
    const owed = [late, { status: "EXPIRED" }] as const;
    for (const state of owed) {
      const page = text(shown(review({ ...state, owedMinor: 3200 })));
      expect(page).toContain("$32.00 could not be refunded yet.");
      expect(page).not.toMatch(/Nothing was charged|is being returned/);
    }
  });

  test("sends a buyer without an agent back to the link", () => {
    const expired = shown(
      review({ status: "EXPIRED" }, { quote: { ...review().quote, agent_id: null } }),
    );
    expect(text(expired)).toContain("Open your link again");
    expect(text(expired)).not.toContain("Ask your agent");
  });

  test("links a buyer without an agent to the waitlist and to other beans", () => {
    const short = [{ product_id: WAITLISTED, requested: 2, available: 0 }];
    const said = shown(
      review(
        { status: "WAITLIST_OFFERED", short },
        { quote: { ...review().quote, agent_id: null } },
      ),
    );
    expect(said).toContain(`href="/waitlist?bean=${WAITLISTED}&amp;bags=2"`);
    expect(said).toContain('href="/"');
    expect(text(said)).not.toContain("an agent");
  });

  test("never refers to an agent whose key was revoked, before and after the order", () => {
    const shipped = ordered(["FAILED", "PENDING"]);
    const order = shown(review({ status: "PAID" }, { revoked: true, ordered: shipped }));
    const gone = { status: "INVALIDATED", reason: "OUT_OF_STOCK" } as const;
    const soldOut = shown(review(gone, { revoked: true }));
    for (const page of [gallery["review-key-revoked"]!, order, soldOut]) {
      expect(text(page)).not.toMatch(/ask your agent|your link again/i);
    }
    expect(text(soldOut)).toContain("You can still choose your coffee here");
  });

  test("offers no order at full price if its quote couldn't be paid", () => {
    const gone = { status: "INVALIDATED", reason: "COURTESY_USED" } as const;
    const page = shown(review({ ...gone, bought: BOUGHT }, { revoked: true }));
    expect(text(page)).not.toMatch(/without the courtesy|Pay here/);
    expect(page).not.toContain("<form");
  });

  test("says what went wrong before introducing the order", () => {
    for (const name of ["declined", "not-charged", "replaced", "bags-taken", "provider-down"]) {
      const said = gallery[`review-${name}`]!;
      expect(said.indexOf('class="notice')).toBeGreaterThan(0);
      expect(said.indexOf('class="notice')).toBeLessThan(said.indexOf("prepared this order"));
    }
  });

  test("names the only shipment that has not left and can be canceled", () => {
    const said = shown(review({ status: "PAID" }, { ordered: ordered(["SHIPPED", "PENDING"]) }));
    expect(text(said)).toContain("To Test Parents , Portland: 1 bag of Rwanda Huye");
    expect(said).toContain(`type="hidden" name="shipment" value="${SECOND}"`);
    expect(said).not.toContain('type="checkbox"');
  });

  test("names another payment, and mentions paying here only if that is possible", () => {
    const paid = BOUGHT;
    const settling = { ...paid, order: null };
    const said = (standing: Partial<Standing>, bought: Bought) =>
      text(shown(review({ ...standing, bought })));
    const gone = { status: "INVALIDATED", reason: "OUT_OF_STOCK" } as const;
    for (const standing of [{}, { ...gone, reason: "COURTESY_USED" } as const]) {
      expect(said(standing, paid)).toContain(
        "That’s order #1001: 2 bags of Kenya Nyeri. Pay here only if you want them",
      );
      expect(said(standing, settling)).toContain(
        "That’s a payment that is settling: 2 bags of Kenya Nyeri. Pay here only",
      );
    }
    expect(said(gone, paid)).toContain("That’s order #1001:");
    for (const bought of [paid, settling]) expect(said(gone, bought)).not.toContain("Pay here");
    expect(said({ status: "EXPIRED" }, paid)).not.toContain("That’s order");
  });

  test.each([
    [0, "less than a minute"],
    [1, "1 minute"],
    [59, "59 minutes"],
    [60, "1 hour"],
    [48 * 60 - 1, "47 hours"],
    [48 * 60, "2 days"],
  ])("says of a payment %i minutes ago that it was %s ago", (minutesAgo, ago) => {
    const page = shown(review({ bought: { ...BOUGHT, minutesAgo } }));
    expect(page).toContain(`You paid for the same items ${ago} ago.`);
  });

  test("says that the rest goes on only while something is under way", () => {
    const canceled = { byBuyer: false, reason: null };
    const cancelRequests = [cancelRequest({ status: "DECLINED", shipment_ids: ALL_SHIPMENTS })];
    const said = (first: "SHIPPED" | "DELIVERED") =>
      text(
        shown(
          review(
            { status: "PAID" },
            { ordered: ordered([first, "CANCELED"], { canceled, cancelRequests }) },
          ),
        ),
      );
    expect(said("SHIPPED")).toContain("We canceled part of this order; the rest goes on.");
    expect(said("SHIPPED")).toContain("We declined the cancellation. Your order goes on.");
    expect(said("DELIVERED")).toContain("We canceled part of this order.");
    expect(said("DELIVERED")).not.toContain("We declined the cancellation.");
    expect(said("DELIVERED")).not.toMatch(/go(es)? on\b/);
  });

  test("does not mention a declined request after its shipments were canceled", () => {
    const cancelRequests = [cancelRequest({ status: "DECLINED" })];
    const canceled = { byBuyer: false, reason: null };
    const said = text(
      shown(
        review(
          { status: "PAID" },
          { ordered: ordered(["SHIPPED", "CANCELED"], { canceled, cancelRequests }) },
        ),
      ),
    );
    expect(said).not.toContain("We declined");
  });

  test.each(["javascript:alert(1)", "data:text/html,x", "not an address", ""])(
    "does not link to a tracking address such as %s",
    (url) => {
      const row = { ...tracked, tracking_url: url };
      const said = shown(review({ status: "PAID" }, { ordered: ordered([row, "PENDING"]) }));
      expect(said).toContain("Sample Post, tracking number");
      expect(said).not.toContain('rel="noreferrer"');
    },
  );
});
