/** A day with thirty orders at the desk: in a browser on a desktop and on a phone, without JavaScript. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TIMES } from "../../src/core/policy.ts";
import { merchantAt, SECRET } from "../desk/visitor.ts";
import { launchBrowser, overhang } from "../support/browser.ts";
import { uspsNumber } from "../support/labels.ts";
import { purchase } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };
/** The narrowest phone that is still sold. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 320, height: 640 },
  hasTouch: true,
  isMobile: true,
};

let browser: Browser;
let shop: Awaited<ReturnType<typeof shopWith>>;
beforeAll(async () => {
  shop = await shopWith(30);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await shop?.service.stop();
});

/** A shop with so many orders, which came at once by one agent. */
async function shopWith(count: number) {
  const service = await startService({ MERCHANT_SECRET: SECRET });
  const key = await register(service.baseUrl);
  const bought = Array.from({ length: count }, () => purchase(service.baseUrl, {}, key));
  const orders = (await Promise.all(bought)).map(({ order }) => order);
  orders.sort((one, other) => one.number - other.number);
  return { service, key, orders };
}

/** A merchant at a screen, whose clicks are counted; a scanner's Enter is one. */
async function atTheDesk(service: TestService, options: BrowserContextOptions) {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  const [name = "", value = ""] = (await merchantAt(service.baseUrl)).cookie.split("=", 2);
  await context.addCookies([{ name, value, url: service.baseUrl }]);
  const page = await context.newPage();
  const desk = {
    page,
    clicks: 0,
    async open(path = "") {
      await page.goto(`${service.baseUrl}/desk${path}`);
      await fits(page);
    },
    async click(role: "button" | "link", label: string | RegExp) {
      await page.getByRole(role, { name: label }).first().click();
      desk.clicks += 1;
      await fits(page);
    },
    async scan(number: string) {
      const field = page.locator('input[name^="number.shp_"]').first();
      await field.fill(number);
      await field.press("Enter");
      desk.clicks += 1;
      await page.waitForLoadState();
    },
    async shipTheRest(from: number) {
      const count = await page.locator('input[name^="number.shp_"]').count();
      const column = Array.from({ length: count }, (_, i) => uspsNumber(from + i));
      await page.getByLabel("or a column of numbers").fill(column.join("\n"));
      await desk.click("button", "Check the numbers");
      await desk.click("button", `Mark ${count} as shipped`);
      expect(await desk.text()).toContain("Nothing to ship");
    },
    text: () => page.locator("main").innerText(),
    close: () => context.close(),
  };
  await desk.open();
  return desk;
}

const fits = async (page: Page) =>
  expect([page.url(), await overhang(page)]).toEqual([page.url(), 0]);

/** The first leaves the orders as they came, so that both walk the same ones. */
describe("a day with thirty orders", { shuffle: false }, () => {
  test(
    "on a desktop: all roasted, ten scanned, the rest pasted in a few clicks, and all undone",
    onDesktop,
  );
  test("on a phone: an undo, a corrected number, a cancellation, refunds and a message", onPhone);
});

async function onDesktop() {
  const desk = await atTheDesk(shop.service, DESKTOP);
  await desk.click("link", /Roast 30 orders/);
  await desk.click("button", /Start roasting/);
  expect(await desk.text()).toContain("30 in the roaster.");
  expect(desk.clicks).toBeLessThanOrEqual(6);

  desk.clicks = 0;
  await desk.open();
  await desk.click("link", /Ship 30 orders/);
  for (let i = 0; i < 10; i++) await desk.scan(uspsNumber(10 + i));
  expect(desk.clicks).toBeLessThanOrEqual(15);
  await desk.shipTheRest(20);

  desk.clicks = 0;
  await desk.open();
  await desk.click("link", "Deliver");
  await desk.click("button", "Mark all 30 as delivered");
  expect(await desk.text()).toContain("30 delivered.");
  expect(desk.clicks).toBe(2);
  await desk.click("button", "Undo all 30");

  await desk.open("/ship");
  await desk.click("button", "Undo all 30");
  expect(await desk.text()).toContain("30 undone.");
  await desk.open("/roast");
  await desk.click("button", "Undo all 30");
  await desk.open();
  expect(await desk.text()).toMatch(/Roast 30 orders/);
  await desk.close();
}

async function onPhone() {
  const { service, key, orders } = shop;
  const [first, second] = orders;
  const wish = { reason_code: "CHANGED_MIND", message: "We ordered twice." };
  await send(service.baseUrl, `/v1/orders/${second.id}/cancel-requests`, { key, body: wish });
  await send(service.baseUrl, "/v1/feedback", { key, body: { message: "Ground, please." } });

  const desk = await atTheDesk(service, PHONE);
  expect(await desk.text()).toContain("We ordered twice.");
  await desk.page.locator(`a[href="/desk/orders/${second.id}"]`).first().click();
  await desk.click("button", /Accept, cancel and refund/);
  await desk.click("button", /Cancel the order and refund/);
  await desk.open();
  await desk.click("button", "Mark answered");
  expect(await desk.text()).not.toContain("Ground, please.");

  await desk.click("link", /Roast 29 orders/);
  await desk.click("button", /Start roasting/);
  await desk.open("/slips");
  expect(await desk.page.locator(".packing-slip").count()).toBe(29);

  await desk.open("/ship");
  await desk.scan(uspsNumber(50));
  await desk.click("button", new RegExp(`Undo #${first.number}`));
  expect(await desk.text()).toContain("1 undone.");
  await desk.scan(uspsNumber(51));
  await desk.shipTheRest(60);

  await desk.open("/orders");
  await desk.page.getByRole("searchbox").fill(String(first.number));
  await desk.click("button", "Search");
  await desk.page.getByRole("link", { name: `#${first.number}` }).click();
  await desk.page.getByText("Correct the tracking number…").click();
  await desk.page.locator("form:has-text('Correct it') input[name=number]").fill("9400 2000 2");
  await desk.click("button", "Correct it");
  await desk.page.getByText("Refund…").click();
  await desk.page.getByLabel("Amount in dollars").fill("2.50");
  await desk.click("button", "Review the refund");
  await desk.click("button", "Refund $2.50");
  await desk.page.getByText("Refund…").click();
  await desk.page.getByLabel("Amount in dollars").fill("1.25");
  await desk.click("button", "Review the refund");
  await desk.click("button", "Refund $1.25");
  await desk.click("button", "Mark delivered");
  await desk.close();
  service.clock.advance(TIMES.undo_ms);
  await service.service.merchant.reconciler.run();

  const { body: order } = await send(service.baseUrl, `/v1/orders/${first.id}`, { key });
  expect(order).toMatchObject({
    status: "COMPLETED",
    payment: { refunded_minor: 375 },
    shipments: [{ status: "DELIVERED", tracking: { number: "9400 2000 2" } }],
  });
  const log = await send(service.baseUrl, `/v1/orders/${first.id}/events`, { key });
  const types = log.body.events.map(({ type }: { type: string }) => type);
  expect(types).toEqual(
    expect.arrayContaining(["shipment.step_undone", "shipment.tracking_corrected"]),
  );
  const waiting = await service.service.merchant.admin("cli").tasks.waiting();
  expect([waiting.refunds.count, waiting.messages.count]).toEqual([0, 0]);
}
