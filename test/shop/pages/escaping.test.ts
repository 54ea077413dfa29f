import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_SHOP } from "../../../src/core/shop.ts";
import { ROUTES } from "../../../src/desk/desk.ts";
import { beanPage } from "../../../src/shop/pages/landing.ts";
import { reviewPage } from "../../../src/shop/pages/review.ts";
import { quickCheckoutPage } from "../../../src/shop/quick-checkout.ts";
import { layout, type Page } from "../../../src/web/layout.ts";
import { problemPage } from "../../../src/web/problem-page.ts";
import { opened, strangersPages } from "../../desk/seeded.ts";
import { CATALOG } from "../../support/catalog.ts";
import { ordered, quickCheckout, review, shipment, terms, tracked } from "./views.ts";

/** Markup, attribute breakers, entities and script addresses, in any mixture. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'", '"'),
      fc.constantFrom(
        "</p></main>",
        "&lt;b&gt;",
        "<!--",
        "javascript:alert(1)",
        "\u202e",
        "--><p>",
      ),
      fc.constantFrom("@", "me@example.com"),
      fc.string({ unit: "grapheme", minLength: 1 }),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(""));

/**
 * The tags of a page with the names of their attributes, which no stranger may change. Our own bare
 * `<wbr>` behind an "@" does not count.
 */
function skeleton(...pages: Page[]): string {
  const documents = pages
    .map((page) => layout(page, { shop: DEFAULT_SHOP, mode: "live", supportEmail: undefined }))
    .join("");
  return [...documents.matchAll(/<(\/?[a-zA-Z!][^\s>]*)((?:[^>"]|"[^"]*")*)>/g)]
    .filter(([tag]) => tag !== "<wbr>")
    .map(([, name, rest]) => `${name}${(rest ?? "").replace(/"[^"]*"/g, "")}`)
    .join("\n");
}

test("every page of the desk is in the gallery", () => {
  const paths = ROUTES.map(({ place, path = `/desk/${place}` }) => path);
  const missing = paths.filter((path) => {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`);
    return !opened.some((one) => pattern.test(one));
  });
  expect(missing).toEqual([]);
});

describe("a stranger's text changes no tag and no attribute", () => {
  test("on the review page", () => {
    const hostileReview = (word: string) => {
      const line2 = word;
      const address = { name: word, line1: word, line2, city: word, region: word };
      const approved = terms({
        shipments: [
          {
            ...shipment,
            recipient_ref: word,
            address: { ...address, postal_code: word, country: "US" },
            items: [{ product_id: "unknown", name: word, quantity: 1, unit_price_minor: 2200 }],
            gift_notes: [word],
          },
        ],
        pricing: {
          ...terms().pricing,
          courtesy: { kind: "FIRST_ORDER", code: word, amount_minor: 440, allocations: [] },
        },
        discount_code: { code: word, applied: false, reason: word },
      });
      const about = {
        terms: approved,
        quote: { ...review().quote, buyer_email: word },
        agentName: word,
      };
      const row = { ...tracked, status: word as "SHIPPED", carrier: word, tracking_number: word };
      return skeleton(
        reviewPage(review({}, about)),
        reviewPage(review({ status: "PAID" }, { ...about, ordered: ordered([row]) })),
      );
    };
    const expected = hostileReview("plain");
    fc.assert(fc.property(hostile, (word) => hostileReview(word) === expected));
  });

  test("in the quick-checkout form", () => {
    const hostileForm = (word: string) =>
      quickCheckoutPage({
        ...quickCheckout,
        bags: { ...quickCheckout.bags, values: { gift_note: word } },
        values: { email: word, name: word, line1: word, line2: word, city: word },
        problems: [{ field: "city", message: word }],
      });
    const expected = skeleton(hostileForm("plain"));
    fc.assert(fc.property(hostile, (word) => skeleton(hostileForm(word)) === expected));
  });

  test("in the data of a bean's page", () => {
    const [bean] = CATALOG.products;
    const seller = { baseUrl: "https://shop.example", shop: DEFAULT_SHOP };
    const hostileBean = (word: string) =>
      beanPage({ product: { ...bean!, summary: word }, free: 400 }, 0, seller);
    const expected = skeleton(hostileBean("plain"));
    fc.assert(fc.property(hostile, (word) => skeleton(hostileBean(word)) === expected));
  });

  test("on a problem page", () => {
    const hostileProblem = (word: string) =>
      problemPage({
        title: word,
        detail: word,
        code: "OTHER",
        errors: [{ pointer: word, code: "X", detail: word }],
        request_id: word,
        withoutCode: word,
        again: { action: word, fields: { [word]: word, box: [word, word] } },
      });
    const expected = skeleton(hostileProblem("plain"));
    fc.assert(fc.property(hostile, (word) => skeleton(hostileProblem(word)) === expected));
  });

  test("on the merchant's desk", async () => {
    const hostileDesk = async (word: string) => skeleton(...(await strangersPages(word)));
    const plain = await hostileDesk("plain");
    // Only a contact with an "@" gets a link to reply.
    const withReply = await hostileDesk("plain@example.com");
    expect(withReply).not.toBe(plain);
    await fc.assert(
      fc.asyncProperty(hostile, async (word) => {
        const expected = word.includes("@") ? withReply : plain;
        return (await hostileDesk(word)) === expected;
      }),
    );
  });
});
