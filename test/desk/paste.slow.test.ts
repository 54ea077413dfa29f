/** Tracking numbers pasted into the worklist of a real browser: the desk's only script. */
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { uspsNumber } from "../support/labels.ts";
import { purchase } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { merchantAt, SECRET } from "./visitor.ts";

test("a pasted table is matched by order number, and a pasted column fills the fields", async () => {
  const [browser, shop] = await Promise.all([
    launchBrowser(),
    startService({ MERCHANT_SECRET: SECRET }),
  ]);
  onTestFinished(() => Promise.all([browser.close(), shop.stop()]).then(() => {}));
  const admin = shop.service.merchant.admin("cli");
  for (let i = 0; i < 3; i++) {
    const { order } = await purchase(shop.baseUrl);
    await admin.orders.roast({ order_id: order.id });
    shop.clock.advance(1000);
  }
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const [name = "", value = ""] = (await merchantAt(shop.baseUrl)).cookie.split("=", 2);
  await context.addCookies([{ name, value, url: shop.baseUrl }]);
  const page = await context.newPage();
  const cells = page.locator("[data-cell]");
  const values = () => cells.evaluateAll((all) => all.map((cell) => cell.value));
  const paste = async (text: string) => {
    await page.goto(`${shop.baseUrl}/desk/ship`);
    // The browser focuses a field only a moment after the page has loaded.
    await page.waitForFunction("document.activeElement.matches('[data-cell]')");
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press("ControlOrMeta+V");
  };
  const [first, second, last] = [1, 2, 3].map(uspsNumber);
  await paste(`Order\tTracking\n#1003\t${last}\n#1002\t${second}\n#9999\t${first}\n`);
  await page.getByText("1 line without a shipment").waitFor();
  expect(await values()).toEqual(["", second, last]);
  await paste(`${first}\r\n\r\n${last}\r\n`);
  expect(await values()).toEqual([first, "", last]);
  await page.getByRole("button", { name: "Mark 2 as shipped" }).click();
  expect(await page.locator("main").innerText()).toContain("2 on the way.");
  const shipped = (await admin.orders.list()).toReversed();
  expect(shipped.map(({ shipments }) => shipments[0]!.tracking?.number)).toEqual([
    first,
    undefined,
    last,
  ]);
});
