/** The whole purchase: the agent over /v1, the buyer in a real browser without JavaScript. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

let browser: Browser;
let service: TestService;

beforeAll(async () => {
  [browser, service] = await Promise.all([launchBrowser(), startService()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const devices: [string, BrowserContextOptions][] = [
  ["on a desktop", { viewport: { width: 1280, height: 900 } }],
  ["on a phone", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
];

/** A page of its own, that fails on whatever the browser refuses, such as a blocked form. */
async function withPage(options: BrowserContextOptions, run: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await run(page);
  await context.close();
  expect(complaints).toEqual([]);
}

const fits = (page: Page) =>
  page.locator("body").evaluate((body) => body.scrollWidth <= body.clientWidth);

// How a page is laid out is no matter of the database: on the second engine, one device.
const used = inject("engine") === "postgres" ? devices.slice(1) : devices;

describe.each(used)("a buyer %s", (_, device) => {
  test("reviews, is declined, pays with another card, and finds the order on the same page", async () => {
    const wanted = { discount_code: "FIRSTBAG", quantity: 2, gift_notes: ["For you"] };
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl, wanted);
    await withPage(device, async (page) => {
      await page.goto(reviewUrl);
      const text = await page.locator("main").innerText();
      expect(text).toContain(quote.total_display);
      expect(text).toContain("For you");
      expect(text).toContain("1 Main Street");
      expect(await fits(page)).toBe(true);
      await page.getByRole("button", { name: `Pay ${quote.total_display}` }).click();
      await page.getByLabel(/declined/i).check();
      expect(await fits(page)).toBe(true);
      await page.getByRole("button", { name: /pay/i }).click();
      expect(await page.locator("main").innerText()).toContain("Your card was declined.");
      await page.getByLabel(/4242/).check();
      await page.getByRole("button", { name: /pay/i }).click();
      const order = await orderOf(service.baseUrl, key, quote.id);
      await page.goto(reviewUrl);
      expect(await page.locator("h1").innerText()).toContain("Thank you");
      expect(await page.locator("main").innerText()).toContain(`#${order.number}`);
      expect(await page.getByRole("button", { name: /pay/i }).count()).toBe(0);
      expect(await fits(page)).toBe(true);
    });
    const { body } = await send(service.baseUrl, `/v1/quotes/${quote.id}`, { key });
    expect(body.status).toBe("PAID");
  });

  test("approves 3-D Secure and is brought back to the shop", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    await withPage(device, async (page) => {
      await page.goto(reviewUrl);
      await page.getByRole("button", { name: /^pay/i }).click();
      await page.getByLabel(/3-D Secure/i).check();
      await page.getByRole("button", { name: /pay/i }).click();
      await page.getByRole("button", { name: /complete|approve|confirm/i }).click();
      await page.waitForURL(`${reviewUrl}**`);
      await orderOf(service.baseUrl, key, quote.id);
    });
  });

  test("opens a quick-checkout link, types email and address, and pays", async () => {
    const link = `${service.baseUrl}/v1/quick-checkout?items=kenya-nyeri:2&gift_note=Enjoy`;
    const email = newEmail();
    await withPage(device, async (page) => {
      await page.goto(link);
      expect(new URL(page.url()).pathname).toMatch(/^\/checkout\//);
      expect(await page.locator("main").innerText()).toContain("$44.00");
      expect(await fits(page)).toBe(true);
      const fields = { email, name: "Test Buyer", line1: "1 Main Street", city: "Austin" };
      for (const [name, value] of Object.entries({ ...fields, postal_code: "78701" })) {
        await page.locator(`[name=${name}]`).fill(value);
      }
      await page.locator("[name=region]").selectOption("TX");
      await page.locator("main form button[type=submit]").first().click();
      await page.waitForURL(/\/review\//);
      const reviewUrl = page.url();
      await page.getByRole("button", { name: "Pay $44.00" }).click();
      await page.getByLabel(/4242/).check();
      await page.getByRole("button", { name: /pay/i }).click();
      await page.waitForURL(/\/review\//);
      await page.goto(reviewUrl);
      expect(await page.locator("h1").innerText()).toContain("Thank you");
    });
    const paid = await service.store.queries.customer(email);
    expect(paid).toMatchObject({ paid_orders: 1 });
  });
});
