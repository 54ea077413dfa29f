import { afterAll, describe, expect, test } from "vitest";
import { CARDS } from "../../src/mcp/card/fragment.ts";
import { legacy, modern } from "../support/mcp-call.ts";
import { call, overPipes, type Result, startStdio } from "../support/mcp-clients.ts";
import { newEmail, purchase, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import {
  ADDRESS,
  DECLINED,
  eventually,
  payAsBuyer,
  quoteRequest,
  register,
  send,
} from "../support/shopper.ts";

const served = await startService();
afterAll(() => served.stop());
const { baseUrl } = served;
const key = await register(baseUrl);
const admin = served.service.merchant.admin("cli");

const CAPABILITIES = { extensions: { [CARDS]: { mimeTypes: ["text/html;profile=mcp-app"] } } };
const DECLARED = { "io.modelcontextprotocol/clientCapabilities": CAPABILITIES };

const cardIn = (result: Result): string | undefined => result._meta?.["coffee/card"];

/** The card of a tool's result, for a client that shows cards. */
async function cardOf(name: string, args: object, own = key): Promise<string> {
  const message = modern("tools/call", { name, arguments: args }, DECLARED);
  const { result } = (await send(baseUrl, "/mcp", { ...message, key: own })).body;
  return cardIn(result)!;
}

describe("a card's HTML", () => {
  const read = async (more = {}) => {
    const { quote } = await readyQuote(baseUrl, {}, key);
    return { name: "get_quote", arguments: { quote_id: quote.id, ...more } };
  };
  const overHttp = async (message: ReturnType<typeof modern>) =>
    (await send(baseUrl, "/mcp", { ...message, key })).body.result;
  type Params = Awaited<ReturnType<typeof read>>;
  const overStdio = async (params: Params, capabilities: object) => {
    const client = await overPipes(startStdio(served.service, key), "legacy", { capabilities });
    return call(client, params.name, params.arguments);
  };
  const asking = ({ name, arguments: args }: Params) => ({
    name,
    arguments: { ...args, card: true },
  });

  test.each([
    ["2026-07-28", false, (params: Params) => overHttp(modern("tools/call", params))],
    ["2025-11-25", false, (params: Params) => overHttp(legacy("tools/call", params))],
    ["stdio", false, (params: Params) => overStdio(params, {})],
    [
      "2026-07-28, declared",
      true,
      (params: Params) => overHttp(modern("tools/call", params, DECLARED)),
    ],
    ["stdio, declared", true, (params: Params) => overStdio(params, CAPABILITIES)],
    [
      "2025-11-25, the card's own call",
      true,
      (params: Params) => overHttp(legacy("tools/call", asking(params))),
    ],
  ])("over %s: %s", async (_, isShown, result) => {
    const params = await read();
    const { structuredContent, content, ...rest } = await result(params);
    const plain = await overHttp(modern("tools/call", params));
    expect(structuredContent).toEqual(plain.structuredContent);
    expect(content[0]).toEqual(plain.content[0]);
    expect(cardIn(rest)?.startsWith("<article") ?? false).toBe(isShown);
  });

  test("comes with no other tool, with no refusal and in no batch", async () => {
    const catalog = { name: "get_catalog", arguments: { card: true } };
    expect(cardIn(await overHttp(modern("tools/call", catalog, DECLARED)))).toBeUndefined();
    const unknown = { name: "get_quote", arguments: { quote_id: "qte_none" } };
    expect(cardIn(await overHttp(modern("tools/call", unknown, DECLARED)))).toBeUndefined();
    const params = asking(await read());
    const { headers, body } = legacy("tools/call", params, "2025-03-26");
    const batch = (await send(baseUrl, "/mcp", { headers, body: [body], key })).body;
    expect(batch[0].result.structuredContent.id).toBe(params.arguments.quote_id);
    expect(cardIn(batch[0].result)).toBeUndefined();
  });

  test("stays with a result whose link the client has offered", async () => {
    const elicitation = { url: {} };
    const able = { capabilities: { ...CAPABILITIES, elicitation } };
    const client = await overPipes(startStdio(served.service, key), "legacy", able);
    client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
    const { quote } = await readyQuote(baseUrl, {}, key);
    const result = await call(client, "create_checkout", {
      quote_id: quote.id,
      quote_hash: quote.quote_hash,
      idempotency_key: newEmail(),
    });
    expect(result.content.at(-1).text).toContain("has not opened review_url");
    expect(cardIn(result)).toContain(result.structuredContent.review_url);
  });

  test("escapes what strangers wrote", async () => {
    const evil = '"><img src=x onerror=alert(1)>';
    const asked = { ...quoteRequest({ gift_notes: [evil] }), idempotency_key: newEmail() };
    const card = await cardOf("request_quote", asked);
    expect(card).toContain("&quot;&gt;&lt;img src=x onerror=alert(1)&gt;");
    expect(card).not.toContain("<img src=x");
  });
});

/** Blocks that a card shares with its page. */
const BLOCKS =
  /<h1>.*?<\/h1>|<p class="lede">.*?<\/p>|<p class="cluster">.*?<\/p>|<div class="notice .*?<\/div>|<dl class="(facts|sums)[ "].*?<\/dl>|<section class="slip".*?<\/section>/gs;

const blocks = (markup: string): string[] =>
  [...markup.replaceAll(baseUrl, "").matchAll(BLOCKS)].map(([block]) =>
    // The page has a form where the card has a link.
    block
      .replace(/<form.*?<\/form>|<a class="button quiet" href="[^"]*">Withdraw.*?<\/a>/gs, "")
      .replace(`<p>A note from the shop: <q><bdi>${SHOPS_REASON}</bdi></q></p>`, ""),
  );

const pageAt = async (url: string) =>
  (await send(baseUrl, url, { headers: { accept: "text/html" } })).text;

type Purchase = Awaited<ReturnType<typeof purchase>>;

const tracking = { carrier: "USPS", number: "9400", url: "https://tools.usps.com/9400" };
const ship = async ({ order }: Purchase) => {
  await admin.orders.roast({ order_id: order.id });
  await admin.shipments.ship({ shipment_id: order.shipments[0].id, tracking });
};
const move = async (bought: Purchase, to: "DELIVERED" | "FAILED") => {
  await ship(bought);
  await admin.shipments.move({ shipment_id: bought.order.shipments[0].id, to });
};
const askToCancel = ({ order, key: own }: Purchase, message = "Too <late>") =>
  send(baseUrl, `/v1/orders/${order.id}/cancel-requests`, {
    key: own,
    body: { reason_code: "OTHER", message },
  });
const decideOn = async (bought: Purchase, as: "accept" | "decline") => {
  await askToCancel(bought);
  const wishes = await admin.cancellations.list();
  const { id } = wishes.find(({ order_id }) => order_id === bought.order.id)!;
  if (as === "accept") await admin.cancellations.accept({ request_id: id, refund: true });
  else await admin.cancellations.decline({ request_id: id, reason: "It is in the roaster." });
};

/** An answer has the shop's words on a cancel request, but not on a cancellation of its own. */
const SHOPS_REASON = "Sold out.";

const STATES: Record<string, (bought: Purchase) => unknown> = {
  "was just paid": () => {},
  roasts: ({ order }) => admin.orders.roast({ order_id: order.id }),
  "is on its way": ship,
  "has arrived": (bought) => move(bought, "DELIVERED"),
  "could not be delivered": (bought) => move(bought, "FAILED"),
  "is partly refunded": ({ order }) =>
    admin.orders.refund({ order_id: order.id, amount_minor: 500 }),
  "has an open cancel request": (bought) => askToCancel(bought),
  "has a declined cancel request": (bought) => decideOn(bought, "decline"),
  "was canceled for its buyer": (bought) => decideOn(bought, "accept"),
  "was canceled by the shop": ({ order }) =>
    admin.orders.cancel({ order_id: order.id, reason: SHOPS_REASON }),
  "is late": () => served.clock.advance(30 * 86_400_000),
};

test.each(Object.entries(STATES))(
  "the card of an order that %s says what its page says",
  async (_, act) => {
    const bought = await purchase(baseUrl, {
      discount_code: "FIRSTBAG",
      gift_notes: ["Hi & <bye>"],
    });
    await act(bought);
    const card = await cardOf("get_order", { order_id: bought.order.id }, bought.key);
    const shown = blocks(card);
    expect(shown.length).toBeGreaterThan(3);
    const page = await pageAt(bought.reviewUrl);
    expect(blocks(page)).toEqual(expect.arrayContaining(shown));
    expect(card.includes("#cancel")).toBe(page.includes('id="cancel"'));
  },
);

test("the card of a quote says what its page says", async () => {
  const office = { ...ADDRESS, name: "Second Person", line1: "2 Side Street" };
  const { shipments, ...wanted } = quoteRequest({ email: newEmail(), discount_code: "FIRSTBAG" });
  const [home] = shipments as [(typeof shipments)[0]];
  const two = {
    ...wanted,
    shipments: [home, { ...home, recipient_ref: "office", address: office }],
  };
  const made = (await send(baseUrl, "/v1/quote-requests", { key, body: two })).body;
  const { id: quote_id, quote_hash } = made;
  const open = await cardOf("get_quote", { quote_id });
  expect(open).toContain('data-tool="create_checkout"');
  const asked = { quote_id, quote_hash, idempotency_key: newEmail() };
  const checkout = await cardOf("create_checkout", asked);
  const ready = await cardOf("get_quote", { quote_id });
  const [, link] = /href="([^"]+)" data-told/.exec(ready) ?? [];
  expect(checkout).toContain(`href="${link}"`);
  const page = blocks(await pageAt(link!));
  const shown = blocks(ready).filter((block) => !block.includes('class="lede"'));
  expect(shown).toHaveLength(4);
  expect(page).toEqual(expect.arrayContaining(shown));
  served.clock.advance(30 * 86_400_000);
  const [title] = blocks(await cardOf("get_quote", { quote_id }));
  expect(title).toBe("<h1>This quote has expired</h1>");
  expect(blocks(await pageAt(link!))).toContain(title);
});

test("the card of a repeated checkout tells its buyer why the quote cannot be paid", async () => {
  const { quote } = await readyQuote(baseUrl, {}, key);
  const { id: quote_id, quote_hash } = quote;
  const asked = { quote_id, quote_hash, idempotency_key: newEmail() };
  expect(await cardOf("create_checkout", asked)).toContain("Nothing is ordered until you pay.");
  const wanted = quoteRequest({ email: quote.terms.buyer.email, quantity: 2 });
  await send(baseUrl, "/v1/quote-requests", { key, body: { ...wanted, replaces: quote_id } });
  const replaced = await cardOf("create_checkout", asked);
  expect(replaced).toContain(
    "There is a newer version of this order. Nothing was charged. It was changed",
  );
  expect(replaced).not.toMatch(AGENTS_WORDS);
});

const AGENTS_WORDS = /\bthe buyer\b|discount_code|for information/i;

test("the card of a quote speaks to its buyer, not to the agent", async () => {
  const { quote, reviewUrl } = await readyQuote(baseUrl, {}, key);
  const asked = { quote_id: quote.id };
  // What a button tells the model is for the model.
  const shown = async () => (await cardOf("get_quote", asked)).replace(/data-told="[^"]*"/g, "");
  expect(await shown()).not.toMatch(AGENTS_WORDS);
  await payAsBuyer(baseUrl, reviewUrl, DECLINED);
  const declined = await eventually(async () => {
    const card = await shown();
    return card.includes("Your bank declined the payment") && card;
  });
  expect(declined).not.toMatch(AGENTS_WORDS);
});
