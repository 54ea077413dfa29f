/** The desk in a real browser, with and without JavaScript, and what the agent sees of it. */

import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { launchBrowser, overhang } from "../support/browser.ts";
import { uspsNumber } from "../support/labels.ts";
import { purchase, readyQuote } from "../support/purchase.ts";
import { confirmed } from "../support/queue.ts";
import { startService, type TestService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";
import { merchantAt, SECRET } from "./visitor.ts";

let browser: Browser;
let service: TestService;

beforeAll(async () => {
  [browser, service] = await Promise.all([
    launchBrowser(),
    startService({ MERCHANT_SECRET: SECRET }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
};

/** One page for each screen: who has signed in once is not asked again. */
const pages = new Map<BrowserContextOptions, Page>();
const complaints: string[] = [];

async function openPage(screen: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage({ javaScriptEnabled: false, ...screen });
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  pages.set(screen, page);
  return page;
}

/** Signed in by the form; fails on whatever the browser refuses, such as a blocked form. */
async function atTheDesk(screen: BrowserContextOptions, run: (page: Page) => Promise<void>) {
  const page = pages.get(screen) ?? (await openPage(screen));
  await page.goto(`${service.baseUrl}/desk`);
  if (new URL(page.url()).pathname === "/desk/sign-in") {
    await page.getByLabel("Merchant secret").fill(SECRET);
    await press(page, "Sign in");
  }
  await run(page);
  expect(complaints.splice(0)).toEqual([]);
}

const press = async (page: Page, name: string | RegExp) => {
  await page.getByRole("button", { name }).click();
  expect(await overhang(page)).toBe(0);
};

const go = async (page: Page, name: string) => {
  const nav = page.getByRole("navigation", { name: "Desk" });
  const link = nav.getByRole("link", { name });
  if (!(await link.isVisible())) await nav.locator("summary").click();
  await link.click();
};

/** Orders of a shop of their own, at a desk with JavaScript. */
async function roastedOrders(count: number) {
  const shop = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(() => shop.stop());
  const key = await register(shop.baseUrl);
  for (let i = 0; i < count; i++) await purchase(shop.baseUrl, {}, key);
  const admin = shop.service.merchant.admin("cli");
  const orders = (await admin.orders.list()).toReversed();
  for (const { id } of orders) await admin.orders.roast({ order_id: id });
  const context = await browser.newContext({
    ...desktop,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  onTestFinished(() => context.close());
  const [name = "", value = ""] = (await merchantAt(shop.baseUrl)).cookie.split("=", 2);
  await context.addCookies([{ name, value, url: shop.baseUrl }]);
  const page = await context.newPage();
  await page.goto(`${shop.baseUrl}/desk`);
  return { shop, admin, orders, page };
}

test("33 orders ship with one paste and one click, and 26 are delivered with two clicks", async () => {
  const { shop, admin, orders, page } = await roastedOrders(33);
  const numbers = orders.map((_, i) => `1Z999AA${String(10_123_456_784 + i)}`);
  await page.goto(`${shop.baseUrl}/desk/ship`);
  const column = `${numbers.join("\n")}\n`;
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(column)})`);
  expect(await page.evaluate("document.activeElement.matches('[data-cell]')")).toBe(true);
  await page.keyboard.press("ControlOrMeta+V");
  expect(
    await page.locator("[data-cell]").evaluateAll((cells) => cells.map((cell) => cell.value)),
  ).toEqual(numbers);
  await page.getByRole("button", { name: "Mark 33 as shipped" }).click();
  expect(await page.locator("main").innerText()).toContain("33 on the way.");
  const shipped = (await admin.orders.list()).toReversed();
  expect(shipped.map(({ shipments }) => shipments[0]!.tracking?.number)).toEqual(numbers);

  for (const { shipments } of shipped.slice(0, 7)) {
    await admin.shipments.move({ shipment_id: shipments[0]!.id, to: "DELIVERED" });
  }
  await page.goto(`${shop.baseUrl}/desk`);
  await page.getByRole("navigation").getByRole("link", { name: "Deliver" }).click();
  await page.getByRole("button", { name: "Mark all 26 as delivered" }).click();
  expect(await page.locator("main").innerText()).toContain("26 delivered.");
});

test("a pasted table is matched by order number, and a pasted column fills the fields", async () => {
  const { shop, page } = await roastedOrders(3);
  await page.goto(`${shop.baseUrl}/desk/ship`);
  const paste = async (text: string) => {
    await page.locator("[data-cell]").first().focus();
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press("ControlOrMeta+V");
  };
  const values = () =>
    page.locator("[data-cell]").evaluateAll((cells) => cells.map((cell) => cell.value));
  const [first, second, last] = [1, 2, 3].map(uspsNumber);
  await paste(`Order\tTracking\n#1003\t${last}\n#1002\t${second}\n#9999\t${first}\n`);
  await page.getByText("1 line without a shipment").waitFor();
  expect(await values()).toEqual(["", second, last]);
  await page.goto(`${shop.baseUrl}/desk/ship`);
  await paste(`${first}\r\n\r\n${last}\r\n`);
  expect(await values()).toEqual([first, "", last]);
  await page.getByRole("button", { name: "Mark 2 as shipped" }).click();
  expect(await page.locator("main").innerText()).toContain("2 on the way.");
});

describe("the merchant", () => {
  test("cancels a part, roasts, ships and delivers on a phone, and the agent follows it", async () => {
    const { order, key } = await purchase(service.baseUrl, { shipments: 2 });
    await atTheDesk(phone, async (page) => {
      await page.locator(".tray", { hasText: "Roast" }).click();
      await page.locator(`a[href='/desk/orders/${order.id}']`).click();
      await page.getByText("Cancel some shipments…").click();
      const form = page.locator("form", { has: page.getByText("Which shipments?") });
      await form.getByRole("checkbox").nth(1).check();
      await form.getByLabel("Reason").fill("No such street.");
      await form.getByLabel("Refund what was paid for them").uncheck();
      await press(page, "Cancel these shipments");
      await press(page, "Cancel the shipment without a refund");
      await press(page, "Start roasting");
      await page.getByLabel("Carrier").fill("USPS");
      await page.getByLabel("Tracking number").fill("9400 1000");
      await press(page, "Mark as shipped");
      await page.reload();
      await press(page, "Mark delivered");
      expect(await page.locator("main").innerText()).toContain("The shipment has arrived.");
    });
    const log = `/v1/orders/${order.id}/events`;
    const { events } = (await send(service.baseUrl, log, { key })).body;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      "order.confirmed",
      "payment.verified",
      "shipment.updated",
      "order.roasting",
      "shipment.updated",
      "order.shipped",
      "shipment.updated",
      "order.completed",
    ]);
  });

  test("accepts a cancellation, offers stock to the waitlist and revokes a key", async () => {
    const { order, key } = await purchase(service.baseUrl);
    const wish = { reason_code: "WRONG_ADDRESS", message: "Sorry" };
    await send(service.baseUrl, `/v1/orders/${order.id}/cancel-requests`, { key, body: wish });
    await service.service.merchant
      .admin("cli")
      .stock.set({ product_id: "rwanda-huye", on_hand: 0 });
    service.clock.advance(1000);
    const waiting = await register(service.baseUrl);
    const body = { product_id: "rwanda-huye", quantity: 2, buyer: { email: "w@example.com" } };
    const joined = await send(service.baseUrl, "/v1/waitlist", { key: waiting, body });
    await confirmed(service, joined.body.id);
    const entry = `/v1/waitlist/${joined.body.id}`;
    await atTheDesk(desktop, async (page) => {
      await page.getByRole("table").getByRole("link").first().click();
      await press(page, "Accept, cancel and refund");
      await press(page, "Cancel the order and refund");
      await go(page, "Stock");
      await page.getByLabel("Bags of Rwanda Huye on hand").fill("2");
      await press(page, "Set bags of Rwanda Huye");
      const offered = await send(service.baseUrl, entry, { key: waiting });
      expect(offered.body.status).toBe("OFFERED");
      await go(page, "Agents");
      // The newest is the first.
      await page.getByText("Revoke…").first().click();
      await press(page, "Revoke the key of Test agent");
      await press(page, "Sign out");
      expect(new URL(page.url()).pathname).toBe("/desk/sign-in");
    });
    const { body: refused } = await send(service.baseUrl, entry, { key: waiting });
    expect(refused.code).toBe("KEY_REVOKED");
    const { body: left } = await send(service.baseUrl, `/v1/orders/${order.id}`, { key });
    expect(left.status).toBe("CANCELED");
  });

  test.each([
    ["a phone", phone, "kirinyaga"],
    ["a desktop", desktop, "gichugu"],
  ])(
    "adds a bean and changes a price on %s, and an open quote keeps its price",
    async (...[, screen, region]) => {
      const { quote, key } = await readyQuote(service.baseUrl);
      const name = `Kenya ${region}`;
      const [first, second] = service.service.merchant.catalog.products;
      await atTheDesk(screen, async (page) => {
        await go(page, "Catalog");
        await page.getByRole("link", { name: "Add a bean" }).click();
        await fillBean(page, { ...NEW_BEAN, Name: name });
        await press(page, "Save");
        await go(page, "Catalog");
        await page.getByRole("link", { name: first!.name_to_use_with_humans }).click();
        await fillBean(page, { Price: dollars(first!.price_minor + 50) });
        await press(page, "Save");
        await go(page, "Catalog");
        await press(page, `Move ${second!.name_to_use_with_humans} up`);
      });
      expect(await soldNow()).toContain(name);
      const { products } = service.service.merchant.catalog;
      expect(products.slice(0, 2)).toMatchObject([
        { product_id: second!.product_id },
        { product_id: first!.product_id, price_minor: first!.price_minor + 50 },
      ]);
      const kept = await send(service.baseUrl, `/v1/quotes/${quote.id}`, { key });
      expect(kept.body).toMatchObject({ status: "CHECKOUT_READY", terms: quote.terms });
      await service.service.merchant
        .admin("cli")
        .catalog.move({ product_id: first!.product_id, place: 1 });
    },
  );
});

const dollars = (minor: number): string => (minor / 100).toFixed(2);

const NEW_BEAN = {
  Price: "23.50",
  "Opening stock": "12",
  Roast: "Medium",
  Flavors: "plum, honey",
};

async function fillBean(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

/** The front page, as a person reads it. */
const soldNow = async (): Promise<string> =>
  (await send(service.baseUrl, "/", { headers: { accept: "text/html" } })).text;
