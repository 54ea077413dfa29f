import { afterAll, describe, expect, test } from "vitest";
import { form } from "../../support/purchase.ts";
import { DAY, startService, testClock } from "../../support/service.ts";
import { send } from "../../support/shopper.ts";
import { stateOf } from "../pages/reading.ts";
import { cartPage, FIELDS, openLink } from "./checkout.ts";

const clock = testClock();
const shop = await startService({}, clock);
afterAll(() => shop.stop());

const tokenOf = (page: string): string => page.split("/").at(-1) ?? "";

describe("the token of a cart's page", () => {
  test("reveals nothing about the cart", async () => {
    const link = {
      items: "kenya-nyeri:3",
      buyer_email: "someone@example.com",
      gift_note: "A secret wish",
      discount_code: "FIRSTBAG",
    };
    const token = tokenOf(await cartPage(shop.baseUrl, link));
    expect(token).not.toMatch(/nyeri|someone|example|secret|FIRSTBAG|quantity/i);
  });

  test("differs each time, so that two people with one link never share a page", async () => {
    const link = "items=kenya-nyeri:1";
    expect(await cartPage(shop.baseUrl, link)).not.toBe(await cartPage(shop.baseUrl, link));
  });

  test.each([
    ["cut short", (token: string) => token.slice(0, -7)],
    ["changed by a letter", (token: string) => flipped(token, token.length - 5)],
    ["changed in its middle", (token: string) => flipped(token, token.length >> 1)],
    ["replaced by another word", () => "nothing"],
  ])("%s leads to a page that says so, for GET and POST", async (_name, spoil) => {
    const page = await cartPage(shop.baseUrl, "items=kenya-nyeri:1");
    const path = `/checkout/${spoil(tokenOf(page))}`;
    const answers = [await send(shop.baseUrl, path), await send(shop.baseUrl, path, form(FIELDS))];
    for (const { status, text, headers } of answers) {
      expect(status).toBe(404);
      expect(stateOf(text)).toBe("BROKEN");
      expect(text).toContain('<a href="/find-order">');
      expect(headers.get("cache-control")).toBe("no-store, no-transform");
      expect(headers.get("x-robots-tag")).toContain("noindex");
    }
  });

  test("with a sealed cart of 0.3.0 leads to a page that says that it has ended", async () => {
    const sealed = `eyJhbGciOiJkaXIi.${"x".repeat(320)}.yz`;
    const { status, text } = await send(shop.baseUrl, `/checkout/${sealed}`);
    expect([status, stateOf(text)]).toEqual([410, "EXPIRED"]);
    expect(text).toContain('href="/#beans"');
  });

  test("is valid as long as the page says, and then the page says that it expired", async () => {
    const { body } = await openLink(shop.baseUrl, "items=kenya-nyeri:1&format=json");
    const { pathname } = new URL(body.checkout_url);
    clock.advance(DAY - 1000);
    expect((await send(shop.baseUrl, pathname)).status).toBe(200);
    clock.advance(1000);
    expect(Date.parse(body.expires_at)).toBe(clock.now());
    for (const answer of [
      await send(shop.baseUrl, pathname),
      await send(shop.baseUrl, pathname, form(FIELDS)),
    ]) {
      expect(answer.status).toBe(410);
      expect(stateOf(answer.text)).toBe("EXPIRED");
    }
  });
});

describe("a long link", () => {
  // The longest note has 200 code points of four bytes.
  const note = `a${"🫘".repeat(199)}`;
  const link = { items: "kenya-nyeri:1", gift_note: note, buyer_email: "long@example.com" };

  test("may have more than 2,000 characters", async () => {
    const query = new URLSearchParams(link).toString();
    expect(query.length).toBeGreaterThan(2000);
    const page = await cartPage(shop.baseUrl, query);
    // Servers and proxies commonly limit a request line to 8 KiB.
    expect(page.length).toBeLessThan(4000);
    const opened = await send(shop.baseUrl, page);
    expect(opened.text).toContain(note);
    const sent = await send(shop.baseUrl, page, form({ ...FIELDS, email: "long@example.com" }));
    const review = await send(shop.baseUrl, sent.headers.get("location") ?? "");
    expect(review.text).toContain(note);
  });
});

const flipped = (token: string, at: number): string =>
  `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
