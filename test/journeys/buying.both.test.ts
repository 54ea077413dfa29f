/** People in front of a real browser without JavaScript, on the service as it runs; their agents over /v1. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser, overhang } from "../support/browser.ts";
import { newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { startService, type TestService, testClock } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { engine } from "../support/stores.ts";
import { buyerAt, WITHOUT_SCRIPTS, watched } from "./browser-buyer.ts";

const clock = testClock();
let shop: TestService;
let browser: Browser;
/** A page on one of the devices. */
let page: Page;
const pages = new Map<Device, Page>();
/** Requests that the browser blocked, could not find, or sent elsewhere. */
let complaints: string[];
/** A form sent back for mending is a 4xx. */
let refusals: string[];

const DEVICES = {
  "on a phone": { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  "on a desktop": { viewport: { width: 1280, height: 900 } },
} satisfies Record<string, BrowserContextOptions>;
type Device = keyof typeof DEVICES;

/** On PostgreSQL only the phone runs: how a page is drawn does not depend on the database. */
const SECOND_ENGINE = engine() === "postgres";
const USED: Device[] = SECOND_ENGINE ? ["on a phone"] : ["on a phone", "on a desktop"];

beforeAll(async () => {
  [shop, browser] = await Promise.all([startService({}, clock), launchBrowser()]);
  const seen = {
    baseUrl: shop.baseUrl,
    complain: (words: string) => complaints.push(words),
    refused: (answer: string) => refusals.push(answer),
  };
  for (const device of USED) {
    const opened = await browser.newPage({ ...DEVICES[device], ...WITHOUT_SCRIPTS });
    pages.set(device, watched(opened, seen));
  }
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});
beforeEach(() => sitDown("on a phone"));
afterEach(() => expect(complaints).toEqual([]));

function sitDown(device: Device) {
  page = pages.get(device)!;
  complaints = [];
  refusals = [];
}

const { heading, state, main, title, press, fillIn, payWith, thanked } = buyerAt(() => page);

const fits = async () => expect(await overhang(page)).toBe(0);

describe.each(USED)("a buyer %s", (device) => {
  beforeEach(() => sitDown(device));

  if (!SECOND_ENGINE)
    test("without an agent: goes from the front page to a paid order", async () => {
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

  test("with an agent's link: is declined, fails the bank's check, passes it and pays", async () => {
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
});

describe("a buyer who makes mistakes", () => {
  test("corrects a form, and agrees to a total without the discount", async () => {
    const email = newEmail();
    for (const round of ["first", "second"]) {
      await page.goto(
        `${shop.baseUrl}/v1/quick-checkout?items=kenya-nyeri:1&discount_code=FIRSTBAG`,
      );
      expect(new URL(page.url()).pathname).toMatch(/^\/checkout\//);
      expect(await main()).toContain("$27.60");
      await fits();
      await press("Continue to review");
      expect(await page.locator("#problems li").count()).toBe(6);
      await fits();
      await fillIn(email);
      await press("Continue to review");
      if (round === "second") {
        expect(await page.getByRole("alert").innerText()).toContain(
          "this email has ordered before",
        );
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
});

if (!SECOND_ENGINE)
  describe("a buyer whose agent sent a review link", () => {
    test("pays by bank debit, waits, and has an order once it settles", async () => {
      const { key, quote, reviewUrl } = await readyQuote(shop.baseUrl);
      await page.goto(reviewUrl);
      await press("Pay $32.00");
      await payWith(/^Bank debit/);
      await title("Your payment is on its way");
      expect(await page.getByRole("button").count()).toBe(0);
      clock.advance(3_600_000);
      await shop.sandbox?.tick();
      await orderOf(shop.baseUrl, key, quote.id);
      await page.getByRole("link", { name: "Check again" }).click();
      await title("Thank you");
    });

    test("finds a bean sold out when pressing pay, and was not charged", async () => {
      const { stock } = shop.service.merchant.admin("cli");
      const { reviewUrl } = await readyQuote(shop.baseUrl, { product_id: "peru-cajamarca-decaf" });
      await page.goto(reviewUrl);
      await stock.set({ product_id: "peru-cajamarca-decaf", on_hand: 0 });
      await press("Pay $30.50");
      await stock.set({ product_id: "peru-cajamarca-decaf", on_hand: 100 });
      expect(await state()).toBe("INVALIDATED");
      const told = await page.getByRole("alert").innerText();
      expect(told).toContain("Nothing was charged.");
      expect(told).toContain("Peru Cajamarca Decaf, 1 bag wanted, none left");
    });

    test("opens an expired quote and learns whom to ask", async () => {
      const { reviewUrl } = await readyQuote(shop.baseUrl);
      await page.goto(reviewUrl);
      clock.advance(8 * 86_400_000);
      await press("Pay $32.00");
      expect(await state()).toBe("EXPIRED");
      expect(await main()).toContain("Ask your agent for a new quote.");
    });

    test("lets the payment page expire, returns to the shop and pays", async () => {
      const { reviewUrl } = await readyQuote(shop.baseUrl);
      await page.goto(reviewUrl);
      await press("Pay $32.00");
      await page.getByRole("link", { name: "Cancel and go back to the shop" }).click();
      expect(page.url()).toBe(reviewUrl);
      await press("Pay $32.00");
      await title("Pretend to pay");
      clock.advance(2 * 3_600_000);
      await shop.sandbox?.tick();
      await page.reload();
      expect(await heading()).toBe("This payment page has expired");
      await page.getByRole("link", { name: "Back to the shop" }).click();
      await press("Pay $32.00");
      await payWith(/^Visa 4242/);
      await thanked();
    });
  });
