/** A day at the desk in a real browser without JavaScript, and what the agent sees of it. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, overhang } from "../support/browser.ts";
import { purchase, readyQuote } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";
import { SECRET } from "./visitor.ts";

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
      await press(page, "Cancel these shipments");
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

  test("accepts a cancellation, feeds the waitlist and takes a key back", async () => {
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
        await fillBean(page, { ...NEW_BEAN, Id: `kenya-${region}`, Name: name });
        await press(page, "Save as draft");
        await page.getByRole("link", { name: first!.name_to_use_with_humans }).click();
        await fillBean(page, { Price: dollars(first!.price_minor + 50) });
        await press(page, "Save as draft");
        expect(await soldNow()).not.toContain(name);
        await page.getByRole("link", { name: "Preview" }).click();
        expect(await page.locator("main").innerText()).toContain(name);
        await press(page, "Publish");
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
  "Full name": "Kirinyaga Washed",
  Price: "23.50",
  Sold: "From stock",
  "Opening stock": "12",
  Country: "Kenya",
  Region: "Kirinyaga",
  Process: "Washed",
  Varieties: "SL28, SL34",
  Roast: "Medium",
  "The roast in words": "Medium roast: sweet and round",
  Flavors: "plum, honey",
  Brewing: "Pour over: 15 g to 250 g of water at 94 °C, 3 minutes.",
  "Whom it suits": "You want a sweet cup in the afternoon.",
  Summary: "Kenya, Kirinyaga. Washed SL28 and SL34, medium roast. Plum and honey.",
};

async function fillBean(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: true });
    if (label === "Sold") await field.selectOption(value);
    else await field.fill(value);
  }
}

/** The front page, as a person reads it. */
const soldNow = async (): Promise<string> =>
  (await send(service.baseUrl, "/", { headers: { accept: "text/html" } })).text;
