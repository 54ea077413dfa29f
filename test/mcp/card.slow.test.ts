import { readFile } from "node:fs/promises";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { CARD_SCRIPT } from "../../src/mcp/card/page.ts";
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
    const script = await readFile(CARD_SCRIPT, "utf8");
    expect(text).toContain(`<script type="module">\n${script}</script>`);
    // The script has addresses that it never fetches: the chat below complains about any request.
    expect(text.replace(script, "")).not.toMatch(
      /(src|href)="(?!data:)|url\((?!#)|@import|https?:\/\/(?!www\.w3\.org)/,
    );
    expect(text.match(/<\/script>|<!--/g)).toHaveLength(1);
    expect(text.match(/<template data-bean=/g)).toHaveLength(4);
    expect(Buffer.byteLength(text)).toBeLessThan(270_000);
  });

  test("evaluates no text, writes no markup and logs nothing", async () => {
    const script = await readFile(CARD_SCRIPT, "utf8");
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|eval\(/i);
    expect(script).not.toMatch(/new Function|import |import\(|\.src\b|setHTML|console\./);
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
  test.each([true, false])(
    "shows its addresses, bags and total (declared: %s)",
    async (declares) => {
      const shown = await open({ declares });
      const two = quoteArguments({
        discount_code: "FIRSTBAG",
        gift_notes: ["Brew it <b>slowly</b>."],
      });
      const second = {
        recipient_ref: "office",
        address: { ...ADDRESS, name: "Second Person", line1: "2 Side Street" },
        items: [{ product_id: "kenya-nyeri", quantity: 2 }],
      };
      const quote = await shown.show("request_quote", {
        ...two,
        shipments: [...two.shipments, second],
      });
      await shown.card.getByText("Second Person").waitFor();
      const text = await words(shown);
      for (const said of ["Test Buyer", "Austin, TX 78701", "Brew it <b>slowly</b>."]) {
        expect(text).toContain(said);
      }
      expect(text).toMatch(/1 bag × \$22\.00\s+\$22\.00[\s\S]*2 bags × \$22\.00\s+\$44\.00/);
      expect(text).toMatch(new RegExp(`Total\\s+\\${quote.terms.pricing.total_display}`));
      expect(text).toContain("nothing is charged or shipped");
      const pictures = shown.card.locator("#card .line svg");
      expect(await pictures.count()).toBe(2);
      expect(await pictures.first().boundingBox()).toMatchObject({ width: 48, height: 60 });
      expect(shown.called.map(({ name }) => name)).toEqual(declares ? [] : ["get_quote"]);
      expect(shown.complaints).toEqual([]);
    },
  );

  test("opens its review link, then shows its order", async () => {
    const shown = await open();
    const quote = await shown.show("request_quote", quoteArguments());
    const paid = shown.card.getByRole("button", { name: "I have paid" });
    await paid.click();
    await shown.card.getByText("The payment hasn’t arrived yet.").waitFor();
    await shown.card.getByRole("button", { name: "Review and pay $32.00" }).click();
    await expect.poll(() => shown.told).toEqual([expect.stringContaining(quote.id)]);
    expect(shown.opened[0]).toContain(`${served.baseUrl}/review/`);
    await payAsBuyer(served.baseUrl, shown.opened[0]!);
    const order = await orderOf(served.baseUrl, key, quote.id);
    await paid.click();
    await shown.card.getByText(`#${order.number}`).waitFor();
    expect(shown.complaints).toEqual([]);
  });

  test.each([true, false])("opens the link of a checkout (declared: %s)", async (declares) => {
    const shown = await open({ declares });
    const made = await rpcTool(served.baseUrl, "request_quote", quoteArguments(), key);
    const { id, quote_hash } = made.structuredContent;
    const asked = { quote_id: id, quote_hash, idempotency_key: newEmail() };
    const { review_url } = await shown.show("create_checkout", asked);
    await shown.card.getByRole("link", { name: "Review and pay" }).click();
    await expect.poll(() => shown.opened).toEqual([review_url]);
    expect(shown.called.map(({ name }) => name)).toEqual(declares ? [] : ["get_quote"]);
  });

  test("asks in the chat for the link if the host allows no tool calls", async () => {
    const shown = await open({ capabilities: { openLinks: {} } });
    await shown.show("request_quote", quoteArguments());
    expect(await words(shown)).toContain("Ask in the chat for the link to pay.");
    expect(await shown.card.getByRole("button").count()).toBe(0);
  });

  test("is text if the host neither declares cards nor allows tool calls", async () => {
    const shown = await open({ capabilities: {}, declares: false });
    const quote = await shown.show("request_quote", quoteArguments());
    expect(await words(shown)).toContain(quote.id);
  });

  test("uses the key that the model passed only for its own tool calls", async () => {
    const bare = await open({ key: undefined });
    await bare.show("request_quote", { ...quoteArguments(), api_key: key });
    await bare.card.getByRole("button", { name: "Review and pay" }).click();
    await expect.poll(() => bare.told.length).toBe(1);
    expect(bare.called[0]?.arguments.api_key).toBe(key);
    expect(bare.told.join()).not.toContain(key);
  });
});

test("an order in the chat shows its progress, follows it, and opens its carrier's and its own page", async () => {
  const { order, key: own, reviewUrl } = await purchase(served.baseUrl);
  const shown = await open({ key: own });
  await shown.show("get_order", { order_id: order.id });
  const current = shown.card.locator("[aria-current=step]");
  expect(await current.innerText()).toBe("Paid");
  await shown.card.getByRole("link", { name: "Ask us to cancel" }).click();
  await expect.poll(() => shown.opened).toEqual([`${reviewUrl}#cancel`]);
  const admin = served.service.merchant.admin("cli");
  await admin.orders.roast({ order_id: order.id });
  const tracking = { carrier: "USPS", number: "9400", url: "https://tools.usps.com/9400" };
  await admin.shipments.ship({ shipment_id: order.shipments[0].id, tracking });
  await shown.card.getByRole("button", { name: "Refresh" }).click();
  await shown.card.getByRole("link", { name: "Track package" }).click();
  await expect.poll(() => shown.opened.at(-1)).toBe(tracking.url);
  expect(await current.innerText()).toBe("Shipped");
  expect(await shown.card.getByRole("link", { name: "Ask us to cancel" }).count()).toBe(0);
  expect(shown.told).toEqual([]);
  expect(shown.complaints).toEqual([]);
});

test("only the chat's window may fill the card", async () => {
  const shown = await open();
  const result = (text: string) => ({ content: [{ type: "text", text }] });
  await shown.fill(result("From the chat"));
  const method = "ui/notifications/tool-result";
  const message = { jsonrpc: "2.0", method, params: result("From another window") };
  const heard = `new Promise((done) => addEventListener("message", () => setTimeout(done)))`;
  await shown.card.evaluate(`(postMessage(${JSON.stringify(message)}, "*"), ${heard})`);
  expect(await words(shown)).toBe("From the chat");
  await shown.fill(message.params);
  expect(await words(shown)).toBe("From another window");
});

describe("markup that the server would never write", () => {
  const ACTIVE = "img, script, style, svg, form, input, iframe, object, meta, [onerror], [onload]";

  test.each([
    '<img src=x onerror="console.log(1)">',
    '<img src="https://evil.example/a.svg">',
    "<script>console.log(1)</script>",
    "<svg onload=console.log(1)><a href=//evil.example>Pay</a></svg>",
    "<form action=https://evil.example><input><button>Pay</button></form>",
    "<p onload=console.log(1) style=position:fixed>Hi</p>",
    "<iframe srcdoc='<script>console.log(1)</script>'></iframe>",
    "<style>* { color: red }</style><meta http-equiv=refresh content=0>",
  ])("%s does nothing", async (evil) => {
    const shown = await open();
    const html = `<article><h1>Hello</h1>${evil}</article>`;
    await shown.fill({ content: [], _meta: { "coffee/card": html } });
    expect(await shown.card.locator("#card").locator(ACTIVE).count()).toBe(0);
    expect(await words(shown)).toContain("Hello");
    expect(shown.complaints).toEqual([]);
  });

  test("only web and mail addresses are links", async () => {
    const shown = await open();
    const links = ["javascript:alert(1)", "data:text/html,x", "https://x.example/", "mailto:a@b.c"];
    const html = links.map((to) => `<a href="${to}">Link</a>`).join("");
    await shown.fill({ content: [], _meta: { "coffee/card": `<article>${html}</article>` } });
    for (const link of await shown.card.getByText("Link").all()) await link.click();
    await expect.poll(() => shown.opened).toEqual(links.slice(2));
  });

  test("the text of an error stays text", async () => {
    const shown = await open();
    const text = "<img src=x onerror=alert(1)>";
    await shown.fill({ isError: true, content: [{ type: "text", text }] });
    expect(await words(shown)).toBe(text);
  });
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
    const paper = { light: "rgb(243, 239, 228)", dark: "rgb(22, 19, 14)" };
    expect(await shown.card.locator("body").evaluate(STYLE)).toBe(paper[theme]);
    await shown.card.evaluate(axe.source);
    const window = await shown.card.evaluateHandle("window");
    expect(await window.evaluate(violations, EVERY_RULE)).toEqual([]);
  });

  test("uses the host's colors and fonts, and grows with its content", async () => {
    const styles = {
      variables: { "--color-background-primary": "rgb(1, 2, 3)", "--font-sans": "Chat" },
      css: { fonts: '@font-face { font-family: Chat; src: local("Chat"); }' },
    };
    const shown = await open({ context: { theme: "light", styles } });
    const before = await page.locator("iframe").evaluate((frame) => frame.clientHeight);
    await shown.show("request_quote", quoteArguments());
    const body = shown.card.locator("body");
    expect(await body.evaluate(STYLE)).toBe("rgb(1, 2, 3)");
    expect(await body.evaluate("getComputedStyle(document.body).fontFamily")).toBe("Chat");
    expect(await body.evaluate("[...document.fonts].map(({ family }) => family)")).toEqual([
      "Chat",
    ]);
    await expect
      .poll(() => page.locator("iframe").evaluate((frame) => frame.clientHeight))
      .toBeGreaterThan(before);
  });
});
