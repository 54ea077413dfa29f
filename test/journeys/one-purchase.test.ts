/** One purchase is one checkout: a buyer in a real browser, and what the agent that made the link reads. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cartPage } from "../shop/quick-checkout/checkout.ts";
import { launchBrowser } from "../support/browser.ts";
import { newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { startService, type TestService, testClock } from "../support/service.ts";
import { eventually, quoteRequest, send } from "../support/shopper.ts";
import { buyerAt, WITHOUT_SCRIPTS, watched } from "./browser-buyer.ts";

const KENYA = "kenya-nyeri";
const RWANDA = "rwanda-huye";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const clock = testClock();
let shop: TestService;
let browser: Browser;
/** Two people's browsers, and a second window of the first. */
let [mine, other, tab]: Page[] = [];
let page: Page;
const complaints: string[] = [];
const at = buyerAt(() => page);

beforeAll(async () => {
  [shop, browser] = await Promise.all([startService({}, clock), launchBrowser()]);
});
beforeEach(async () => {
  const seen = { baseUrl: shop.baseUrl, complain: (words: string) => complaints.push(words) };
  const people = [1, 2].map(() => browser.newContext({ ...PHONE, ...WITHOUT_SCRIPTS }));
  const [me, them] = await Promise.all(people);
  const opened = await Promise.all([me!.newPage(), them!.newPage(), me!.newPage()]);
  [mine, other, tab] = opened.map((one) => watched(one, seen));
  page = mine!;
});
afterEach(async () => {
  await Promise.all([mine, other].map((one) => one?.context().close()));
  expect(complaints.splice(0)).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

const admin = () => shop.service.merchant.admin("cli");

/** What the chat reads of a link that it made. */
const told = async (link: string) =>
  (await send(shop.baseUrl, `/v1/link-orders?${new URLSearchParams({ checkout_url: link })}`)).body;

const ordersOf = async (email: string) => {
  const orders = await shop.store.queries.ordersOfBuyer(email, 0);
  return orders.map(({ quote_id }) => quote_id);
};

/** An agent's link; its buyer has opened it, filled in the form and sees the review page. */
async function atReview(query = `items=${KENYA}:1`, email = newEmail()) {
  const link = new URL(await cartPage(shop.baseUrl, query), shop.baseUrl).href;
  await page.goto(link);
  await at.fillIn(email);
  await at.press("Continue to review");
  await at.title("Your coffee, ready to order");
  return { link, email };
}

/** To the payment page, by the amount on the button. */
async function toPayment(total: string) {
  await at.press(`Pay ${total}`);
  await at.title("Pretend to pay");
}

/** Pays with a card that works. */
async function pay(total: string) {
  await toPayment(total);
  await at.payWith(/^Visa 4242/);
  await at.thanked();
}

describe("a buyer who changes the bags on the review page", () => {
  test("pays what the page asks, and the chat reads that it is paid", async () => {
    const { link, email } = await atReview();
    await page.getByRole("link", { name: "Change bags" }).click();
    await at.press("One more bag of Kenya Nyeri");
    expect(await told(link)).toMatchObject({ status: "OPEN" });
    await at.press("Continue to review");
    await pay("$44.00");
    expect(await told(link)).toMatchObject({
      status: "PAID",
      message: expect.stringContaining("$44.00"),
    });
    expect(await ordersOf(email)).toHaveLength(1);
    await page.goto(link);
    expect(await at.state()).toBe("ORDERED");
  });

  test("leaves nothing to pay in the older window, which leads to the newest review", async () => {
    const { link, email } = await atReview();
    await toPayment("$32.00");
    page = tab!;
    await page.goto(`${link}?change`);
    await at.press("One more bag of Kenya Nyeri");
    await at.press("Continue to review");
    await at.title("Your coffee, ready to order");
    page = mine!;
    await eventually(async () => {
      await page.reload();
      return (await at.heading()) === "This payment page has expired";
    });
    await page.getByRole("link", { name: "Back to the shop" }).click();
    await pay("$44.00");
    expect(await told(link)).toMatchObject({
      status: "PAID",
      message: expect.stringContaining("$44.00"),
    });
    expect(await ordersOf(email)).toHaveLength(1);
  });
});

test("after a declined card the link shows the decline here, and the bags elsewhere", async () => {
  const { link, email } = await atReview(`items=${KENYA}:2`);
  await toPayment("$44.00");
  await at.payWith(/^Visa 0002/);
  expect(await page.getByRole("alert").innerText()).toContain("declined");
  await page.goto(link);
  await at.title("The payment did not go through");
  expect(await at.main()).toContain("declined");
  page = other!;
  await page.goto(link);
  expect(await at.main()).toContain("A payment for these bags was declined.");
  expect(await page.locator(`#qty_${KENYA}`).inputValue()).toBe("2");
  expect(await page.getByLabel("Email").inputValue()).toBe("");
  expect(await page.content()).not.toContain(email);
  page = mine!;
  await pay("$44.00");
  page = other!;
  await page.goto(link);
  expect(await at.heading()).toMatch(/^Order \d+$/);
  expect(await page.content()).not.toContain(email);
});

test("with fewer bags left, one press takes them, and the chat says the same", async () => {
  await admin().stock.set({ product_id: RWANDA, on_hand: 40 });
  const { link } = await atReview(`items=${RWANDA}:9`);
  await admin().stock.set({ product_id: RWANDA, on_hand: 7 });
  const short = await told(link);
  expect(short.status).toBe("OPEN");
  expect(JSON.stringify(short)).toContain("7 are left of 9");
  await page.goto(`${link}?change`);
  await at.press("Take what’s left");
  await at.press("Continue to review");
  const total = /Pay (\$[\d.]+)/.exec(await at.main())![1]!;
  expect(JSON.stringify(await told(link))).toContain(total);
  await pay(total);
  expect((await told(link)).status).toBe("PAID");
});

test("a coffee that leaves the shop leaves the cart, which goes on", async () => {
  const { catalog } = admin();
  const sell = async (on_sale: boolean) => {
    const { product, changed_at: seen } = await catalog.show({ product_id: RWANDA });
    await catalog.save({ product, on_sale, seen });
  };
  await admin().stock.set({ product_id: RWANDA, on_hand: 40 });
  await page.goto(`${shop.baseUrl}/?items=${RWANDA}:1,${KENYA}:1`);
  await sell(false);
  await page.goto(shop.baseUrl);
  expect(await at.main()).toContain("so we took it out");
  await at.press(/^Check out/);
  await at.fillIn(newEmail());
  await at.press("Continue to review");
  await toPayment("$32.00");
  await sell(true);
});

test("an agent's revised quote ends the payment page of the first one", async () => {
  const email = newEmail();
  const first = await readyQuote(shop.baseUrl, { email, quantity: 3 });
  await page.goto(first.reviewUrl);
  await toPayment("$66.00");
  const body = { ...quoteRequest({ email, quantity: 2 }), replaces: first.quote.id };
  const { key } = first;
  const quote = (await send(shop.baseUrl, "/v1/quote-requests", { key, body })).body;
  await eventually(async () => {
    await page.reload();
    return (await at.heading()) === "This payment page has expired";
  });
  const { body: old } = await send(shop.baseUrl, `/v1/quotes/${first.quote.id}`, { key });
  expect(old).toMatchObject({ status: "INVALIDATED", messages: [{ code: "REPLACED" }] });
  await send(shop.baseUrl, `/v1/quotes/${quote.id}/checkout`, {
    key,
    body: { quote_hash: quote.quote_hash },
  });
  await page.getByRole("link", { name: "Back to the shop" }).click();
  await pay("$44.00");
  expect(await ordersOf(email)).toEqual([quote.id]);
  const [order, same] = [
    await orderOf(shop.baseUrl, key, quote.id),
    await orderOf(shop.baseUrl, key, first.quote.id),
  ];
  expect(same).toEqual(order);
});

test("an agent's quote that it revised twice can be paid once, from any of its links", async () => {
  const email = newEmail();
  const first = await readyQuote(shop.baseUrl, { email, quantity: 12 });
  const links = [first.reviewUrl];
  let replaces: string = first.quote.id;
  for (const quantity of [11, 10]) {
    const body = { ...quoteRequest({ email, quantity }), replaces };
    const quote = (await send(shop.baseUrl, "/v1/quote-requests", { key: first.key, body })).body;
    const made = await send(shop.baseUrl, `/v1/quotes/${quote.id}/checkout`, {
      key: first.key,
      body: { quote_hash: quote.quote_hash },
    });
    links.push(made.body.review_url);
    replaces = quote.id;
  }
  await page.goto(links[0]!);
  expect(page.url()).toBe(`${links[2]}?from=older`);
  expect(await at.main()).toContain("Nothing was charged there.");
  await pay("$220.00");
  await orderOf(shop.baseUrl, first.key, replaces);
  for (const link of links) {
    await page.goto(link);
    expect(await at.state()).toBe("ORDERED");
  }
  expect(await ordersOf(email)).toEqual([replaces]);
});

describe("two links for the same bags and address", () => {
  test("the second names the first order, and is paid only if both are wanted", async () => {
    const { email } = await atReview();
    await pay("$32.00");
    clock.advance(1000);
    const second = await atReview(`items=${KENYA}:1`, email);
    expect(await at.main()).toContain("You paid for the same items");
    expect(await at.main()).toMatch(/That’s order #\d+/);
    await at.press("Pay $32.00 for a second order");
    await at.payWith(/^Visa 4242/);
    await at.thanked();
    expect((await told(second.link)).status).toBe("PAID");
    expect(await ordersOf(email)).toHaveLength(2);
  });

  test("both payment pages open: the second card is released with the first order's number", async () => {
    const { email } = await atReview();
    await toPayment("$32.00");
    page = tab!;
    const second = await atReview(`items=${KENYA}:1`, email);
    await toPayment("$32.00");
    page = mine!;
    await at.payWith(/^Visa 4242/);
    await at.thanked();
    page = tab!;
    await at.payWith(/^Visa 4242/);
    await page.waitForURL(/\/review\//);
    await eventually(async () => (await told(second.link)).status === "OPEN");
    await page.reload();
    expect(await at.main()).toContain("Your card wasn’t charged.");
    expect(await at.main()).toMatch(/That’s order #\d+/);
    expect(await ordersOf(email)).toHaveLength(1);
  });

  test("a bank debit first and a card second are one order", async () => {
    const { email, link } = await atReview();
    await toPayment("$32.00");
    page = tab!;
    const second = await atReview(`items=${KENYA}:1`, email);
    await toPayment("$32.00");
    page = mine!;
    await at.payWith(/^Bank debit/);
    await at.title("Your payment is on its way");
    page = tab!;
    await at.payWith(/^Visa 4242/);
    await page.waitForURL(/\/review\//);
    await eventually(async () => (await told(second.link)).status === "OPEN");
    await page.reload();
    expect(await at.main()).toContain("Your card wasn’t charged.");
    clock.advance(3_600_000);
    await shop.sandbox?.tick();
    await eventually(async () => (await told(link)).status === "PAID");
    expect(await ordersOf(email)).toHaveLength(1);
  });
});

test("the order page opens for its payer; for others only by email and ZIP code", async () => {
  const { link, email } = await atReview();
  await pay("$32.00");
  const review = page.url().split("?")[0]!;
  page = other!;
  await page.goto(link);
  await page.getByLabel("Email of the order").fill(email);
  await at.press("Show my order");
  expect(await page.getByRole("alert").innerText()).toContain("ZIP code is missing");
  await page.getByLabel("ZIP code").fill("78701");
  await at.press("Show my order");
  expect(page.url()).toBe(review);
});
