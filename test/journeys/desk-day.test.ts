/** A day with thirty orders at the desk: on a desktop and on a phone, without JavaScript. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { merchantAt, SECRET } from "../http/desk/visitor.ts";
import { launchBrowser } from "../support/browser.ts";
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
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** A shop with so many orders, which came a minute apart by one agent. */
async function shopWith(count: number) {
  const service = await startService({ MERCHANT_SECRET: SECRET });
  onTestFinished(service.stop);
  const key = await register(service.baseUrl);
  const orders = [];
  for (let i = 0; i < count; i++) {
    orders.push((await purchase(service.baseUrl, {}, key)).order);
    service.clock.advance(60_000);
  }
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
      const field = page.locator("input[name^=shp_]").first();
      await field.fill(number);
      await field.press("Enter");
      desk.clicks += 1;
      await page.waitForLoadState();
    },
    text: () => page.locator("main").innerText(),
    close: () => context.close(),
  };
  await desk.open();
  return desk;
}

const fits = async (page: Page) => {
  const wide = await page
    .locator("html")
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect([page.url(), Math.max(0, wide)]).toEqual([page.url(), 0]);
};

test("ten orders are roasted by at most 6 clicks and shipped by at most 15, on a desktop", async () => {
  const { service } = await shopWith(10);
  const desk = await atTheDesk(service, DESKTOP);
  await desk.click("link", /10 to roast/);
  await desk.click("button", /into the roaster/);
  expect(await desk.text()).toContain("10 in the roaster.");
  expect(desk.clicks).toBeLessThanOrEqual(6);

  desk.clicks = 0;
  await desk.open();
  await desk.click("link", /10 to ship/);
  for (let i = 0; i < 10; i++) await desk.scan(`9400 1000 ${i}`);
  expect(await desk.text()).toContain("Nothing waits to be shipped");
  expect(desk.clicks).toBeLessThanOrEqual(15);
  await desk.close();
});

test("a day with thirty orders on a phone: a slip taken back, a number corrected, a buyer who cancels, a message", async () => {
  const { service, key, orders } = await shopWith(30);
  const [first, second] = orders;
  const wish = { reason_code: "CHANGED_MIND", message: "We ordered twice." };
  await send(service.baseUrl, `/v1/orders/${second.id}/cancel-requests`, { key, body: wish });
  await send(service.baseUrl, "/v1/feedback", { key, body: { message: "Ground, please." } });

  const desk = await atTheDesk(service, PHONE);
  expect(await desk.text()).toContain("We ordered twice.");
  await desk.page.locator(`a[href="/desk/orders/${second.id}"]`).first().click();
  await desk.click("button", /Accept, cancel and refund/);
  await desk.open();
  await desk.click("button", "Answered");
  expect(await desk.text()).not.toContain("Ground, please.");

  await desk.click("link", /29 to roast/);
  await desk.click("button", /into the roaster/);
  await desk.open("/slips");
  expect(await desk.page.locator(".packing-slip").count()).toBe(29);

  await desk.open("/ship");
  await desk.scan("WRONG 1");
  await desk.click("button", new RegExp(`Undo #${first.number}`));
  expect(await desk.text()).toContain("1 taken back.");
  await desk.scan("9400 2000 1");
  for (const field of await desk.page.locator("input[name^=shp_]").all()) {
    await field.fill("9400 2000 3");
  }
  await desk.click("button", "Hand over to the carrier");
  expect(await desk.text()).toContain("Nothing waits to be shipped");

  await desk.open("/orders");
  await desk.page.getByRole("searchbox").fill(String(first.number));
  await desk.click("button", "Search");
  await desk.page.getByRole("link", { name: `#${first.number}` }).click();
  await desk.page.getByText("Correct the tracking number…").click();
  await desk.page.locator("input[id^=correct-number]").fill("9400 2000 2");
  await desk.click("button", "Correct it");
  await desk.page.getByText("Refund…").click();
  await desk.page.getByLabel("Amount in dollars").fill("2.50");
  await desk.click("button", "Send the money back");
  await desk.page.getByText("Refund…").click();
  await desk.page.getByLabel("Amount in dollars").fill("1.25");
  await desk.click("button", "Send the money back");
  await desk.click("button", "Delivered");
  await desk.close();

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
});

const PAGES = ["", "/orders", "/roast", "/ship", "/slips", "/stock", "/messages", "/sales", "/log"];

test("every page of the day has no serious axe violation and fits, at 100 % and at 200 % text", async () => {
  const { service, orders } = await shopWith(2);
  const { cookie } = await merchantAt(service.baseUrl);
  const [name = "", value = ""] = cookie.split("=", 2);
  const found: string[] = [];
  for (const [options, size] of [
    [DESKTOP, "100%"],
    [PHONE, "200%"],
  ] as const) {
    // The page's own policy would refuse the larger text.
    const context = await browser.newContext({ ...options, bypassCSP: true });
    await context.addCookies([{ name, value, url: service.baseUrl }]);
    const page = await context.newPage();
    for (const path of [...PAGES, `/orders/${orders[0].id}`]) {
      await page.goto(`${service.baseUrl}/desk${path}`);
      await page.addStyleTag({ content: `html { font-size: ${size} }` });
      await page.locator("main details").evaluateAll((all) => {
        for (const details of all) details.setAttribute("open", "");
      });
      await fits(page);
      const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
      for (const { id, impact, nodes } of (await axe.analyze()).violations) {
        if (impact !== "serious" && impact !== "critical") continue;
        found.push(`${path} at ${size}: ${id} ${nodes[0]?.html}`);
      }
    }
    await context.close();
  }
  expect(found).toEqual([]);
}, 120_000);
