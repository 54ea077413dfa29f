/** People in front of a real browser without JavaScript, on the service as it runs; their agents over /v1. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launchBrowser, overhang } from "../support/browser.ts";
import { newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { startService, type TestService, testClock } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { engine } from "../support/stores.ts";

const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
};
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };

const clock = testClock();
let shop: TestService;
let browser: Browser;
let page: Page;
/** Requests that the browser blocked, could not find, or sent elsewhere. */
const complaints: string[] = [];
/** A form sent back for mending is a 4xx. */
const refusals: string[] = [];

beforeAll(async () => {
  [shop, browser] = await Promise.all([startService({}, clock), launchBrowser()]);
});
afterEach(async () => {
  await page.close();
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

async function sitDown(device: BrowserContextOptions) {
  page = await browser.newPage({ javaScriptEnabled: false, ...device });
  refusals.length = 0;
  page.setDefaultTimeout(5000);
  page.on("console", (message) => {
    // Chromium remarks on every refusal.
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(shop.baseUrl)) complaints.push(`foreign: ${request.url()}`);
  });
  page.on("response", (response) => {
    const answer = `${response.status()}: ${response.url()}`;
    if (response.status() >= 400) refusals.push(answer);
    if (response.status() === 404) complaints.push(answer);
  });
}

const heading = () => page.locator("h1").innerText();
const state = () => page.locator("main").getAttribute("data-state");
const main = () => page.locator("main").innerText();
const title = (words: string) => page.waitForSelector(`h1:has-text("${words}")`);
const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
/** Found as autofill finds them: by what the fields say they are for. */
async function fillIn(email: string) {
  const by = (purpose: string) => page.locator(`[autocomplete="${purpose}"]`);
  await by("email").fill(email);
  await by("shipping name").fill("Test Buyer");
  await by("shipping address-line1").fill("1 Main Street");
  await by("shipping address-level2").fill("Austin");
  await by("shipping address-level1").selectOption({ label: "Texas (TX)" });
  await by("shipping postal-code").fill("78701");
}

async function payWith(card: RegExp) {
  await page.getByLabel(card).check();
  await press(/^Pay .* \(pretend\)$/);
}

/** Back from paying: the page waits for the provider's word, and offers to look again. */
async function thanked() {
  await page.waitForURL(/\/review\//);
  for (let looks = 0; looks < 20; looks++) {
    if ((await state()) === "ORDERED") return;
    await page.getByRole("link", { name: "Check again" }).click();
  }
  throw new Error("the payment was not confirmed");
}

const fits = async () => expect(await overhang(page)).toBe(0);

// How a page is drawn does not depend on the database.
if (engine() === "sqlite")
  test("a buyer without an agent, on a desktop: goes from the front page to a paid order", async () => {
    await sitDown(DESKTOP);
    await page.goto(shop.baseUrl);
    await page.getByRole("link", { name: "Choose your coffee" }).click();
    await page.getByLabel("Bags of Kenya Nyeri").selectOption("2");
    await press("Add Kenya Nyeri to the cart");
    await press("Add Rwanda Huye to the cart");
    await press("Add Peru Cajamarca Decaf to the cart");
    await press("Remove Rwanda Huye");
    await page.getByText("Gift note or discount code").click();
    await page.getByLabel("Discount code").fill("FIRSTBAG");
    await page.getByLabel("Gift note").fill("Happy birthday!\nBrew it slowly.");
    await press(/^Check out( ·|$)/);
    expect(await heading()).toBe("Where should we send it?");
    await fits();
    await fillIn(newEmail());
    await press("Continue to review");
    expect(await main()).toContain("Brew it slowly.");
    await fits();
    await press("Pay $54.50");
    await fits();
    await payWith(/^Visa 4242/);
    await thanked();
    expect(await page.locator(".till").innerText()).toContain("$54.50");
    await fits();
  });

test("a buyer with an agent's link, on a phone: is declined, fails the bank's check, passes it and pays", async () => {
  await sitDown(PHONE);
  const wanted = { discount_code: "FIRSTBAG", quantity: 2, gift_notes: ["For you"] };
  const { key, quote, reviewUrl } = await readyQuote(shop.baseUrl, wanted);
  await page.goto(reviewUrl);
  const words = [
    "prepared this order",
    quote.terms.pricing.total_display,
    "For you",
    "1 Main Street",
  ];
  for (const said of words) expect(await main()).toContain(said);
  await fits();
  await press(`Pay ${quote.terms.pricing.total_display}`);
  await payWith(/^Visa 0002/);
  expect(await page.getByRole("alert").innerText()).toContain("Your card was declined.");
  await fits();
  await payWith(/^Visa 3220/);
  await press("Refuse");
  await payWith(/^Visa 3220/);
  await press("Approve");
  await page.waitForURL(`${reviewUrl}**`);
  await thanked();
  const order = await orderOf(shop.baseUrl, key, quote.id);
  expect(await page.locator(".facts").innerText()).toContain(`#${order.number}`);
  await page.goto(reviewUrl);
  expect(await state()).toBe("ORDERED");
  expect(await main()).toContain(`#${order.number}`);
  expect(await page.getByRole("button", { name: /pay/i }).count()).toBe(0);
  await fits();
  const { body } = await send(shop.baseUrl, `/v1/quotes/${quote.id}`, { key });
  expect(body.status).toBe("PAID");
  await page.getByText("Ask to cancel…").click();
  await page.getByLabel("Why?").selectOption({ label: "I ordered it twice" });
  await page.getByLabel("Message to the shop").fill("Sorry!");
  await fits();
  await press("Ask us to cancel");
  expect(await page.getByRole("status").innerText()).toContain("You asked us to cancel");
  const asked = { status: "REQUESTED", asked_by: "BUYER", reason_code: "DUPLICATE" };
  const read = () => orderOf(shop.baseUrl, key, quote.id);
  expect((await read()).cancel_request).toMatchObject({ ...asked, message: "Sorry!" });
  await fits();
  await press("Withdraw the request");
  expect(await main()).toContain("You withdrew the cancellation request");
  expect((await read()).cancel_request).toMatchObject({ status: "WITHDRAWN" });
  expect(refusals).toEqual([]);
});

test("a buyer who makes mistakes corrects a form, and agrees to a total without the discount", async () => {
  await sitDown(PHONE);
  const email = newEmail();
  for (const round of ["first", "second"]) {
    await page.goto(`${shop.baseUrl}/v1/quick-checkout?items=kenya-nyeri:1&discount_code=FIRSTBAG`);
    expect(new URL(page.url()).pathname).toMatch(/^\/checkout\//);
    expect(await main()).toContain("$27.60");
    await fits();
    await press("Continue to review");
    expect(await page.locator("#problems li").count()).toBe(6);
    await fits();
    await fillIn(email);
    await press("Continue to review");
    if (round === "second") {
      expect(await page.getByRole("alert").innerText()).toContain("this email has ordered before");
      expect(await page.title()).toContain("Please confirm the new total");
      await press("Accept $32.00 and continue");
    }
    await title("Your coffee, ready to order");
    clock.advance(1000);
    // As the review page advises.
    await page.goBack();
    expect(await page.getByLabel("Email").inputValue()).toBe(email);
    await press(round === "first" ? "Continue to review" : "Accept $32.00 and continue");
    await press(round === "first" ? "Pay $27.60" : "Pay $32.00");
    await payWith(/^Visa 4242/);
    await thanked();
  }
  expect(await shop.store.queries.customer(email)).toMatchObject({ paid_orders: 2 });
});
