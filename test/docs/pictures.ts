/**
 * `npm run pictures`: takes README's two pictures of a service with one purchase.
 * `npm run pictures -- FOLDER`: every page in every state, on a phone, a desktop and at 200 % text,
 * to check after a change of the pages.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { merchantAt, SECRET } from "../desk/visitor.ts";
import { gallery } from "../shop/pages/gallery.ts";
import { openSite } from "../shop/pages/site.ts";
import { withBrowser } from "../support/browser.ts";
import { purchase, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

const README_PICTURES = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

const VIEWS = {
  phone: { viewport: PHONE, zoom: 1 },
  "phone-200": { viewport: PHONE, zoom: 2 },
  desktop: { viewport: DESKTOP, zoom: 1 },
} as const;

const [folder] = process.argv.slice(2);
await withBrowser(folder === undefined ? readme : (browser) => everyPage(browser, folder));

async function everyPage(browser: Browser, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const site = await openSite();
  const names = Object.keys(gallery);
  for (const [view, { viewport, zoom }] of Object.entries(VIEWS)) {
    const page = await browser.newPage({ viewport, bypassCSP: zoom > 1 });
    for (const [i, name] of names.entries()) {
      await page.goto(`${site.url}/${name}`);
      if (zoom > 1) await page.addStyleTag({ content: `html { font-size: ${zoom * 100}% }` });
      await page.screenshot({ path: join(into, `${name}.${view}.png`), fullPage: true });
      process.stderr.write(`\r${view} ${i + 1}/${names.length}  `);
    }
    await page.close();
  }
  await site.close();
  process.stderr.write(`\n${names.length} pages, ${Object.keys(VIEWS).length} views: ${into}\n`);
}

async function readme(browser: Browser): Promise<void> {
  await mkdir(README_PICTURES, { recursive: true });
  const service = await startService({ MERCHANT_SECRET: SECRET, DATABASE_URL: "sqlite::memory:" });
  const { baseUrl } = service;
  const { reviewUrl } = await readyQuote(baseUrl, {
    email: "you@example.com",
    gift_notes: ["Happy birthday!"],
  });
  for (let i = 0; i < 3; i++) await purchase(baseUrl);
  const { order, key } = await purchase(baseUrl, { email: "lena@example.com" });
  const wish = { reason_code: "DUPLICATE", message: "We ordered twice." };
  await send(baseUrl, `/v1/orders/${order.id}/cancel-requests`, { key, body: wish });
  const message = "Do you grind it, too? Ours is for a moka pot.";
  await send(baseUrl, "/v1/feedback", { key, body: { message } });
  const shoot = async (page: Page, name: string) => {
    await page.screenshot({ path: join(README_PICTURES, `${name}.png`) });
    process.stderr.write(`docs/pictures/${name}.png\n`);
  };

  const phone = await browser.newPage({ viewport: PHONE });
  await phone.goto(reviewUrl);
  await shoot(phone, "review");

  const [name = "", value = ""] = (await merchantAt(baseUrl)).cookie.split("=", 2);
  const desktop = await browser.newPage({ viewport: DESKTOP });
  await desktop.context().addCookies([{ name, value, url: baseUrl }]);
  await desktop.goto(`${baseUrl}/desk`);
  await shoot(desktop, "desk");
  await service.stop();
}
