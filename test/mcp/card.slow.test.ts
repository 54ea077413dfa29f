import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../src/core/policy.ts";
import { cardScript } from "../../src/mcp/card/page.ts";
import { EVERY_RULE, violations } from "../support/axe.ts";
import { launchBrowser } from "../support/browser.ts";
import { rpc, rpcTool } from "../support/mcp-call.ts";
import { overPipes, startStdio } from "../support/mcp-clients.ts";
import { newEmail, orderOf, purchase } from "../support/purchase.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { ADDRESS, payAsBuyer, quoteRequest, register } from "../support/shopper.ts";
import { type CardHost, cardHost, type HostOptions } from "./card-host.ts";

let served: Awaited<ReturnType<typeof startService>>;
let key: string;
let browser: Browser;
let page: Page;
let host: CardHost | undefined;
beforeAll(async () => {
  [served, browser] = await Promise.all([startService({}, REAL_CLOCK), launchBrowser()]);
  key = await register(served.baseUrl);
  page = await browser.newPage();
});
afterEach(async () => {
  await host?.close();
  host = undefined;
});
afterAll(async () => {
  await browser?.close();
  await served?.stop();
});

async function open(more: Partial<HostOptions> = {}): Promise<CardHost> {
  host = await cardHost(page, { baseUrl: served.baseUrl, key, ...more });
  return host;
}

const quoteArguments = (more: Parameters<typeof quoteRequest>[0] = {}) => ({
  ...quoteRequest({ email: newEmail(), ...more }),
  idempotency_key: newEmail(),
});

/** Runs in the card's window. */
const STYLE = "getComputedStyle(document.body).backgroundColor";

const words = (shown: CardHost) => shown.card.locator("#card").innerText();

describe("the resource", () => {
  const read = async (method: string, params = {}) =>
    (await rpc(served.baseUrl, method, params, key)).result;

  test("is named by the tools whose results it shows, and by no other tool", async () => {
    const { tools } = await read("tools/list");
    const named = tools.flatMap((tool: { name: string; _meta?: { ui: object } }) =>
      tool._meta ? [[tool.name, tool._meta.ui]] : [],
    );
    const resourceUri = "ui://coffee/card";
    expect(Object.fromEntries(named)).toEqual({
      request_quote: { resourceUri },
      create_checkout: { resourceUri },
      get_quote_order: { resourceUri },
      get_order: { resourceUri },
    });
  });

  test("is one self-contained page, and declares that it needs no network", async () => {
    const { contents } = await read("resources/read", { uri: "ui://coffee/card" });
    const [{ mimeType, text, _meta }] = contents;
    expect([mimeType, _meta.ui.csp]).toEqual(["text/html;profile=mcp-app", {}]);
    expect(text).not.toMatch(
      /(src|href)="(?!data:)|url\((?!#)|@import|https?:\/\/(?!www\.w3\.org)/,
    );
    expect(text.match(/<\/script>/g)).toHaveLength(1);
    expect(text.match(/<template data-bean=/g)).toHaveLength(4);
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  });

  test("never parses text as markup", () => {
    expect(cardScript()).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|eval\(/);
    expect(cardScript()).not.toMatch(/new Function|import |export |\.src\b|\.href\b/);
  });

  test("is the same over stdio", async () => {
    const client = await overPipes(startStdio(served.service), "pinned");
    const uri = "ui://coffee/card";
    const overStdio = await client.readResource({ uri });
    expect(overStdio.contents).toEqual((await read("resources/read", { uri })).contents);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "get_order")?._meta).toEqual({
      ui: { resourceUri: uri },
    });
    const { extensions } = client.getServerCapabilities() ?? {};
    expect(extensions).toEqual({ "io.modelcontextprotocol/ui": {} });
  });
});

describe("a quote in the chat", () => {
  test("shows every address with its bags and shipping, the discount, the total and the expiration", async () => {
    const shown = await open();
    const two = quoteArguments({ discount_code: "FIRSTBAG", gift_notes: ["Brew it slowly."] });
    const second = {
      recipient_ref: "office",
      address: { ...ADDRESS, name: "Second Person", line1: "2 Side Street" },
      items: [{ product_id: "kenya-nyeri", quantity: 2 }],
    };
    const quote = await shown.show("request_quote", {
      ...two,
      shipments: [...two.shipments, second],
    });
    const text = await words(shown);
    for (const said of ["Test Buyer", "Second Person", "Austin, TX 78701", "Brew it slowly."]) {
      expect(text).toContain(said);
    }
    expect(text).toMatch(/1 bag × \$22\.00\s+\$22\.00[\s\S]*2 bags × \$22\.00\s+\$44\.00/);
    expect(text).toMatch(/Shipping to this address\s+\$10\.00[\s\S]*address\s+Free/);
    expect(text).toMatch(/First-order discount \(FIRSTBAG\)\s+−\$10\.00/);
    expect(text).toMatch(new RegExp(`Total\\s+\\${quote.terms.pricing.total_display}`));
    expect(text).toMatch(/This price holds until \w+ \d+/);
    expect(text).toContain("nothing is charged or shipped");
    const pictures = shown.card.locator("#card .item svg");
    expect(await pictures.count()).toBe(2);
    expect(await pictures.first().boundingBox()).toMatchObject({ width: 44, height: 55 });
    expect(await shown.card.getByRole("button").count()).toBe(1);
    expect(shown.complaints).toEqual([]);
  });

  test("has one button, which opens its review link; then shows its order", async () => {
    const shown = await open();
    const quote = await shown.show("request_quote", quoteArguments());
    await shown.card.getByRole("button", { name: "Review and pay $32.00" }).click();
    await expect.poll(() => shown.opened.length).toBe(1);
    expect(shown.opened[0]).toContain(`${served.baseUrl}/review/`);
    expect(shown.called).toEqual([
      { name: "create_checkout", arguments: expect.objectContaining({ quote_id: quote.id }) },
    ]);
    await expect.poll(() => shown.told).toEqual([expect.stringContaining(quote.id)]);
    await shown.card.getByRole("button", { name: "I have paid" }).click();
    await shown.card.getByText("The payment hasn't arrived yet").waitFor();
    await payAsBuyer(served.baseUrl, shown.opened[0]!);
    const order = await orderOf(served.baseUrl, key, quote.id);
    await shown.card.getByRole("button", { name: "I have paid" }).click();
    await shown.card.getByRole("heading", { name: `Order ${order.number}` }).waitFor();
    expect(shown.complaints).toEqual([]);
  });

  test("shows the quote of a review link, and opens that link", async () => {
    const shown = await open();
    const made = await rpcTool(served.baseUrl, "request_quote", quoteArguments(), key);
    const { id, quote_hash } = made.structuredContent;
    const asked = { quote_id: id, quote_hash, idempotency_key: newEmail() };
    const { review_url } = await shown.show("create_checkout", asked);
    await shown.card.getByText("Kenya").first().waitFor();
    await shown.card.getByRole("button", { name: "Review and pay" }).click();
    await expect.poll(() => shown.opened).toEqual([review_url]);
    expect(shown.called.map(({ name }) => name)).toEqual(["get_quote"]);
  });

  test("asks in the chat for the link if the host allows no tool calls", async () => {
    const shown = await open({ capabilities: { openLinks: {} } });
    await shown.show("request_quote", quoteArguments());
    expect(await words(shown)).toContain("Ask in the chat for the link to pay.");
    expect(await shown.card.getByRole("button").count()).toBe(0);
  });

  test("uses the key that the model passed only for its own tool calls", async () => {
    const bare = await open({ key: undefined });
    await bare.show("request_quote", { ...quoteArguments(), api_key: key });
    await bare.card.getByRole("button", { name: "Review and pay" }).click();
    await expect.poll(() => bare.opened.length).toBe(1);
    expect(bare.called[0]?.arguments.api_key).toBe(key);
    expect(bare.told.join()).not.toContain(key);
  });
});

/** Buys one shipment for each of these people. */
async function orderTo(people: readonly string[]) {
  const wanted = quoteArguments();
  const [one] = wanted.shipments;
  const shipments = people.map((name) => ({
    ...one,
    recipient_ref: name,
    address: { ...ADDRESS, name },
  }));
  const call = async (tool: string, args: object) =>
    (await rpcTool(served.baseUrl, tool, { ...args, idempotency_key: newEmail() }, key))
      .structuredContent;
  const { id, quote_hash } = await call("request_quote", { ...wanted, shipments });
  const { review_url } = await call("create_checkout", { quote_id: id, quote_hash });
  await payAsBuyer(served.baseUrl, review_url);
  return orderOf(served.baseUrl, key, id);
}

describe("an order in the chat", () => {
  test("shows its progress and tracking, and opens only https pages of carriers", async () => {
    const { order, key: own } = await purchase(served.baseUrl, { discount_code: "FIRSTBAG" });
    const admin = served.service.merchant.admin("cli");
    const [shipment] = order.shipments;
    await admin.orders.roast({ order_id: order.id });
    const tracking = { carrier: "USPS", number: "9400", url: "https://tools.usps.com/9400" };
    await admin.shipments.ship({ shipment_id: shipment.id, tracking });
    const shown = await open({ key: own });
    await shown.show("get_order", { order_id: order.id });
    const { courtesy, subtotal_minor, shipping_minor, total_minor } = order.pricing;
    expect(subtotal_minor - courtesy.amount_minor + shipping_minor).toBe(total_minor);
    const [off, paid] = [courtesy.amount_minor, total_minor].map((it) => (it / 100).toFixed(2));
    const sums = `First-order discount \\(FIRSTBAG\\)\\s+−\\$${off}[^]*Paid\\s+\\$${paid}`;
    expect(await words(shown)).toMatch(new RegExp(sums));
    const current = shown.card.locator("[aria-current=step]");
    expect(await current.innerText()).toBe("Shipped");
    await shown.card.getByRole("button", { name: "Track USPS 9400" }).click();
    await expect.poll(() => shown.opened).toEqual(["https://tools.usps.com/9400"]);
    expect(await shown.card.getByRole("button", { name: "Ask to cancel" }).count()).toBe(0);
    expect(shown.complaints).toEqual([]);
  });

  test("asks the shop to cancel after a confirmation, and shows the request", async () => {
    const { order, key: own } = await purchase(served.baseUrl);
    const shown = await open({ key: own });
    await shown.show("get_order", { order_id: order.id });
    await shown.card.getByRole("button", { name: "Ask to cancel" }).click();
    await shown.card.getByRole("button", { name: "No, keep it" }).click();
    expect(shown.called).toEqual([]);
    await shown.card.getByRole("button", { name: "Ask to cancel" }).click();
    await shown.card.getByRole("button", { name: "Yes, ask the shop" }).click();
    await shown.card
      .getByText("You asked to cancel this order. The shop will review it.")
      .waitFor();
    expect(shown.called.map(({ name }) => name)).toEqual(["request_cancellation", "get_order"]);
    expect(shown.told).toEqual([expect.stringContaining(order.id)]);
    await shown.card.getByRole("button", { name: "Take it back" }).click();
    await shown.card.getByText("You took back your cancellation request.").waitFor();
    await shown.card.getByRole("button", { name: "Ask to cancel" }).click();
    await shown.card.getByRole("button", { name: "Yes, ask the shop" }).click();
    await shown.card
      .getByText("You asked to cancel this order. The shop will review it.")
      .waitFor();
    // The card offers the order's next steps, so no request beyond the limit.
    const again = { order_id: order.id, reason_code: "OTHER" as const };
    const take = (tool: string, args: object) =>
      rpcTool(served.baseUrl, tool, { ...args, idempotency_key: newEmail() }, own);
    const back = () => take("withdraw_cancellation", { order_id: order.id });
    for (let asked = 2; asked < LIMITS.cancel_requests_per_order; asked++) {
      await back();
      await take("request_cancellation", again);
    }
    await back();
    await shown.card.getByRole("button", { name: "Refresh" }).click();
    await shown.card.getByText("You took back your cancellation request.").waitFor();
    expect(await shown.card.getByRole("button", { name: "Ask to cancel" }).count()).toBe(0);
    expect(shown.complaints).toEqual([]);
  });

  test("asks to cancel chosen shipments, but none that have left", async () => {
    const order = await orderTo(["First Person", "Second Person", "Third Person"]);
    const admin = served.service.merchant.admin("cli");
    const [first, second, third] = order.shipments;
    await admin.orders.roast({ order_id: order.id });
    await admin.shipments.ship({
      shipment_id: first.id,
      tracking: { carrier: "USPS", number: "9400" },
    });
    const shown = await open();
    await shown.show("get_order", { order_id: order.id });
    await shown.card.getByRole("button", { name: "Ask to cancel" }).click();
    await shown.card.getByText("Ask the shop to cancel what has not left yet?").waitFor();
    const choices = shown.card.getByRole("checkbox");
    expect(await choices.count()).toBe(2);
    await choices.nth(0).uncheck();
    await choices.nth(1).uncheck();
    await shown.card.getByRole("button", { name: "Yes, ask the shop" }).click();
    expect(shown.called).toEqual([]);
    await shown.card.getByRole("checkbox", { name: second.address.name }).check();
    await shown.card.getByRole("button", { name: "Yes, ask the shop" }).click();
    await shown.card.getByText("You asked to cancel 1 of the 3 shipments.").waitFor();
    expect(shown.called[0]?.arguments.shipment_ids).toEqual([second.id]);
    expect(shown.told.join()).toContain(second.id);
    expect(shown.told.join()).not.toContain(third.id);
    // Delivered, canceled and returned shipments have no expected day.
    await shown.card.getByText("Expected between").waitFor();
    const [wish] = await admin.cancellations.list();
    await admin.cancellations.accept({ request_id: wish!.id });
    await admin.shipments.ship({
      shipment_id: third.id,
      tracking: { carrier: "USPS", number: "9401" },
    });
    await admin.shipments.move({ shipment_id: first.id, to: "DELIVERED" });
    await admin.shipments.move({ shipment_id: third.id, to: "RETURNED" });
    await shown.card.getByRole("button", { name: "Refresh" }).click();
    await shown.card.getByText("It came back to the shop.").waitFor();
    expect(await words(shown)).not.toContain("Expected between");
    expect(shown.complaints).toEqual([]);
  });
});

describe("untrusted text", () => {
  const HOSTILE = [
    '<img src=x onerror="parent.postMessage(1,`*`)">',
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "</article></main><form action=https://evil.example><button>Pay",
    "javascript:alert(1)",
  ];

  /** One card for all tests, so each also replaces the earlier content. */
  let shown: CardHost;
  beforeAll(async () => {
    shown = await cardHost(page, { baseUrl: served.baseUrl, key });
  });
  afterAll(() => shown?.close());

  test.each(HOSTILE)("%s stays text everywhere", async (evil) => {
    const { structuredContent: quote } = await rpcTool(
      served.baseUrl,
      "request_quote",
      quoteArguments(),
      key,
    );
    const [shipment] = quote.terms.shipments;
    const address = Object.fromEntries(Object.keys(shipment.address).map((name) => [name, evil]));
    const items = [{ ...shipment.items[0], name: evil, product_id: evil }];
    const hostile = { ...shipment, address, items, gift_notes: [evil] };
    const terms = { ...quote.terms, shipments: [hostile] };
    await shown.fill({
      structuredContent: { ...quote, terms, delivery: evil, messages: [{ code: "X", text: evil }] },
    });
    const stage = shown.card.locator("#card");
    expect((await stage.innerText()).split(evil).length).toBeGreaterThan(7);
    expect(await stage.locator("img, script, svg, form, a, iframe").count()).toBe(0);
    expect(await shown.card.getByRole("button").count()).toBe(1);

    const url = evil.startsWith("javascript:") ? evil : `https://x.example/${evil}`;
    await shown.fill({ structuredContent: hostileOrder(evil, url) });
    expect(await stage.locator("img, script, svg, form, a, iframe").count()).toBe(0);
    expect(await stage.getByRole("button", { name: "Track" }).count()).toBe(
      evil.startsWith("javascript:") ? 0 : 1,
    );
    await shown.fill({ isError: true, content: [{ type: "text", text: evil }] });
    expect(await stage.innerText()).toBe(evil);
    expect(shown.complaints).toEqual([]);
  });

  test("says how late an order is, without a new date", async () => {
    const order = hostileOrder("x", "https://x.example");
    const estimated_delivery = { ...order.estimated_delivery, days_late: 3 };
    await shown.fill({ structuredContent: { ...order, estimated_delivery } });
    await shown.card
      .getByText("Expected by March 16: 3 days late, and may not have arrived yet.")
      .waitFor();
    const shipments = ["ROASTING", "DELIVERED"].map((status) => ({
      ...order.shipments[0],
      status,
    }));
    await shown.fill({ structuredContent: { ...order, estimated_delivery, shipments } });
    await shown.card
      .getByText("Expected by March 16: 3 days late, and part of it has not left the shop yet.")
      .waitFor();
  });

  function hostileOrder(evil: string, url: string) {
    const address = { name: evil, line1: evil, city: evil, region: evil, postal_code: evil };
    const items = [{ product_id: evil, name: evil, quantity: 1, unit_price_minor: 2200 }];
    return {
      id: evil,
      number: null,
      status: evil,
      pricing: { total_display: evil },
      payment: { mode: "live", refunded_minor: 0 },
      estimated_delivery: { earliest: "2026-03-07", latest: "2026-03-16" },
      cancel_request: { status: "DECLINED", decision: evil },
      items,
      shipments: [
        {
          status: "SHIPPED",
          delivered_at: null,
          tracking: { carrier: evil, number: evil, url },
          address,
          items: [{ product_id: evil, quantity: 1 }],
          gift_notes: [evil],
        },
      ],
    };
  }
});

describe("looks", () => {
  test.each([
    ["light", 320],
    ["dark", 320],
    ["light", 640],
  ] as const)("in %s at %i px it is complete and accessible", async (theme, width) => {
    const shown = await open({ context: { theme }, width });
    await shown.show("request_quote", quoteArguments({ gift_notes: ["Good morning"] }));
    const frame = shown.card.locator("html");
    expect(await frame.evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0);
    const scheme = await frame.evaluate((root) => root.style.colorScheme);
    expect(scheme).toBe(theme);
    await shown.card.evaluate(axe.source);
    const window = await shown.card.evaluateHandle("window");
    expect(await window.evaluate(violations, EVERY_RULE)).toEqual([]);
  });

  test("uses the host's colors and grows with its content", async () => {
    const styles = { variables: { "--color-background-primary": "rgb(1, 2, 3)" } };
    const shown = await open({ context: { theme: "light", styles } });
    const before = await page.locator("iframe").evaluate((frame) => frame.clientHeight);
    await shown.show("request_quote", quoteArguments());
    const body = shown.card.locator("body");
    expect(await body.evaluate(STYLE)).toBe("rgb(1, 2, 3)");
    await expect
      .poll(() => page.locator("iframe").evaluate((frame) => frame.clientHeight))
      .toBeGreaterThan(before);
  });
});
