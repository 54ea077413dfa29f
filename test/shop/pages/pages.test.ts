import { describe, expect, test } from "vitest";
import { bags } from "../../../src/core/bags.ts";
import { ERRORS } from "../../../src/core/errors.ts";
import { DEFAULT_SHOP } from "../../../src/core/shop.ts";
import { WORKLIST_SCRIPT } from "../../../src/desk/worklist.ts";
import { quickCheckoutPage } from "../../../src/shop/quick-checkout.ts";
import { waitlistPlacePage } from "../../../src/shop/waitlist.ts";
import { errorsPage, styleSheet } from "../../../src/web/documents.ts";
import { daySpan, moment, money } from "../../../src/web/format.ts";
import { layout } from "../../../src/web/layout.ts";
import { gallery } from "./gallery.ts";
import { text } from "./reading.ts";
import { quickCheckout, SUPPORT_EMAIL, waitlistPlace } from "./views.ts";

/** Data for crawlers, which no browser runs. */
const DATA = /<script type="application\/ld\+json">[^<]*<\/script>/;

describe("every page", () => {
  test.each(Object.entries(gallery))("%s is one clean document", (name, page) => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page.match(/<h1[ >]/g)).toHaveLength(1);
    expect(page.match(/<main /g)).toHaveLength(1);
    expect(page).toContain('name="viewport"');
    const allowed = name.startsWith("desk-") ? String(WORKLIST_SCRIPT) : "";
    expect(page.replace(allowed, "").replace(DATA, "")).not.toMatch(
      /<script|<style|\sstyle=|\son[a-z]+=|javascript:/i,
    );
    if (!name.startsWith("desk-")) expect(page).toContain(`href="mailto:${SUPPORT_EMAIL}"`);
    expect(page).not.toMatch(/undefined|\[object|\bNaN\b|Invalid Date/);
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\/(?!shop\.example|example\.com)/);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(["WAITING", "OFFERED", "CONVERTED", "EXPIRED", "LEFT"] as const)(
    "a waitlist page for one bag has no plural (%s)",
    (status) => {
      const entry = { ...waitlistPlace.entry, status, quantity: 1 };
      for (const settling of status === "OFFERED" ? [true, false] : [false]) {
        for (const sold of [true, false]) {
          const page = waitlistPlacePage({ ...waitlistPlace, entry, settling, sold });
          expect(text(String(page.head))).not.toMatch(/\bbags\b|\bthe(y|m)\b/i);
          expect(text(String(page.body))).not.toMatch(/\bbags\b|\bthe(y|m)\b/i);
        }
      }
    },
  );

  test.each(Object.entries(gallery))("%s closes what it opens", (_name, page) => {
    const open: string[] = [];
    for (const [, close, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (["meta", "link", "br", "wbr", "input", "img"].includes(name!)) continue;
      if (close) expect(open.pop()).toBe(name);
      else open.push(name!);
    }
    expect(open).toEqual([]);
  });

  test("links only to existing anchors of itself and the front page", () => {
    for (const [name, page] of Object.entries(gallery)) {
      for (const [, front, id] of page.matchAll(/href="(\/?)#([^"]*)"/g)) {
        expect(
          front ? `${gallery.landing}${gallery["shop-cart"]}` : page,
          `${name}: #${id}`,
        ).toContain(`id="${id}"`);
      }
    }
  });

  // The texts of errors are for programs, too.
  test.each(Object.keys(gallery).filter((name) => name !== "errors"))(
    "%s has curly apostrophes",
    (name) => {
      const straight = /[a-z](?:'|&#39;)(?:s|t|ll|re|ve|d|m)\b/gi;
      expect(text(gallery[name]!).match(straight) ?? []).toEqual([]);
    },
  );

  test("has its colors in browsers from before 2024, without light-dark()", () => {
    expect(styleSheet().replace(/\/\*.*?\*\//gs, "")).not.toContain("light-dark(");
  });

  test("with a token in its address stays out of search engines", () => {
    for (const [name, page] of Object.entries(gallery)) {
      const open = ["landing", "errors", "bean", "shipping", "privacy"].includes(name);
      expect(page.includes('name="robots" content="noindex'), name).toBe(!open);
    }
  });
});

describe("quick checkout", () => {
  test("lets the browser fill in the address", () => {
    const page = layout(quickCheckoutPage(quickCheckout), {
      shop: DEFAULT_SHOP,
      mode: "live",
      supportEmail: undefined,
    });
    for (const word of [
      "email",
      "shipping name",
      "shipping address-line1",
      "shipping address-line2",
      "shipping address-level2",
      "shipping address-level1",
      "shipping postal-code",
    ]) {
      expect(page).toContain(`autocomplete="${word}"`);
    }
  });
});

test.each([
  "checkout-problems",
  "checkout-higher-total",
  "shop-cart-problems",
  "quick-link-problems",
  "waitlist-problems",
])("%s asks in its title to look at the form again", (name) => {
  expect(gallery[name]).toContain("<title>Please c");
});

test("the errors page has an anchor and an explanation for every code", () => {
  const page = layout(errorsPage(), { shop: DEFAULT_SHOP, mode: "live", supportEmail: undefined });
  for (const [code, { help, title }] of Object.entries(ERRORS)) {
    expect(page).toContain(`id="${code}"`);
    expect(text(page)).toContain(title);
    expect(text(page)).toContain(help);
  }
});

test("money, times and counts read well", () => {
  expect(money(3520)).toBe("$35.20");
  expect(money(99_999_999)).toBe("$999,999.99");
  expect(moment("2026-12-31T23:59:59.999Z")).toBe(
    "Dec 31, 2026, 11:59 PM UTC".replace(" PM", "\u00a0PM"),
  );
  expect(daySpan("2026-12-28T00:00:00.000Z", "2027-01-06T00:00:00.000Z")).toBe(
    "December 28, 2026 – January 6, 2027",
  );
  expect([bags(1), bags(2)]).toEqual(["1 bag", "2 bags"]);
});
