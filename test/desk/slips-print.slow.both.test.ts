/** Packing slips on paper: a real Chromium prints each slip on a page of its own, and no page is blank. */
import { inflateSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { purchase } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { SECRET } from "./visitor.ts";

let browser: Browser;
let service: TestService;
let page: Page;
const SLIPS = 23;

beforeAll(async () => {
  [browser, service] = await Promise.all([
    launchBrowser(),
    startService({ MERCHANT_SECRET: SECRET }),
  ]);
  const { roast } = service.service.merchant.admin("cli").orders;
  for (const wanted of [{ gift_notes: ["Happy birthday!"] }, { shipments: SLIPS - 1 }]) {
    const { order } = await purchase(service.baseUrl, wanted);
    await roast({ order_id: order.id });
  }
  page = await browser.newPage();
  await page.goto(`${service.baseUrl}/desk`);
  await page.getByLabel("Merchant secret").fill(SECRET);
  await page.getByRole("button", { name: "Sign in" }).click();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Width and height of each printed page in points, and whether there is text on it. */
async function printed() {
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const source = pdf.toString("latin1");
  const objects = new Map(
    [...source.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, id, body]) => [id!, body!]),
  );
  const textOf = (id: string): string => {
    const [, stream = ""] = /stream\r?\n([\s\S]*)\nendstream/.exec(objects.get(id)!) ?? [];
    return inflateSync(Buffer.from(stream, "latin1")).toString("latin1");
  };
  return [...objects.values()]
    .filter((body) => /\/Type \/Page\b(?!s)/.test(body))
    .map((body) => ({
      size: /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(body)!.slice(1).map(Number),
      hasText: /T[jJ]\b/.test(textOf(/\/Contents (\d+) 0 R/.exec(body)![1]!)),
    }));
}

test.each([
  ["4x6", [288, 432]],
  ["letter", [612, 792]],
])("%s paper: one page per slip, with and without the demo banner", async (size, points) => {
  await page.goto(`${service.baseUrl}/desk/slips?size=${size}`);
  expect(await page.locator(".packing-slip").count()).toBe(SLIPS);
  expect(await page.locator(".mode-banner").count()).toBe(1);
  const expected = Array(SLIPS).fill({ size: points, hasText: true });
  expect(await printed()).toEqual(expected);
  await page.locator(".mode-banner").evaluate((banner) => banner.remove());
  expect(await printed()).toEqual(expected);
});
