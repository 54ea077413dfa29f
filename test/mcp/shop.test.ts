/** /mcp/shop, which takes no key. */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { SHOP_TOOLS } from "../../src/core/next-step.ts";
import { SHOP_INSTRUCTIONS } from "../../src/mcp/contents.ts";
import { operations } from "../../tools/index.ts";
import { submit } from "../shop/quick-checkout/checkout.ts";
import { legacy, modern } from "../support/mcp-call.ts";
import { CLIENTS, call, overHttp } from "../support/mcp-clients.ts";
import { form } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { eventually, payAsBuyer, register, send } from "../support/shopper.ts";

const shop = await startService();
afterAll(() => shop.stop());

const PATH = "/mcp/shop";

async function rpc(method: string, params: object = {}, key?: string) {
  const { headers, body } = legacy(method, params);
  return (await send(shop.baseUrl, PATH, { headers, body, key })).body.result;
}

const tool = (name: string, args: object = {}) => rpc("tools/call", { name, arguments: args });

const OTHERS = operations.map(({ name }) => name).filter((name) => !isOffered(name));

function isOffered(name: string): boolean {
  return SHOP_TOOLS.some((one) => one === name);
}

/** Tools and arguments that this endpoint does not have, if the text names any. */
const foreignNames = (value: unknown): string[] =>
  [...OTHERS, "idempotency_key", "with your key", "api_key", "/v1/"].filter((name) =>
    JSON.stringify(value).includes(name),
  );

const CART = { items: [{ product_id: "kenya-nyeri", quantity: 2 }] };

describe.each(CLIENTS)("the %s client", (kind) => {
  test("sees the five tools, each with a title and hints", async () => {
    const client = await overHttp(shop.baseUrl, kind, { path: PATH });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(SHOP_TOOLS);
    for (const { name, title, annotations } of tools) {
      expect(title).toMatch(/\S/);
      const readOnlyHint = name !== "build_quick_checkout_link";
      expect(annotations).toMatchObject({ readOnlyHint, destructiveHint: false });
    }
    const { structuredContent } = await call(client, "build_quick_checkout_link", CART);
    expect(structuredContent).toMatchObject({
      checkout_url: expect.stringContaining("/checkout/chk_"),
    });
  });
});

describe("secrets", () => {
  test("are in no schema", async () => {
    const { tools } = await rpc("tools/list");
    const names = tools.flatMap((one: Record<string, unknown>) => [
      ...propertiesIn(one.inputSchema),
      ...propertiesIn(one.outputSchema),
    ]);
    expect(names).toEqual(expect.arrayContaining(["checkout_url", "items", "status"]));
    expect(names.filter((name: string) => /key|token|secret|password/i.test(name))).toEqual([]);
  });

  test("in a bearer header are ignored, valid or not", async () => {
    const key = await register(shop.baseUrl);
    for (const sent of [key, "nonsense"]) {
      const { structuredContent } = await rpc(
        "tools/call",
        { name: "ask", arguments: { q: "What does the Kenya taste like?" } },
        sent,
      );
      expect(structuredContent.answer).toMatch(/\S/);
      expect(structuredContent).not.toHaveProperty("finder");
    }
  });
});

test("instructions, resources, next steps and errors name only tools of this endpoint", async () => {
  expect(foreignNames(SHOP_INSTRUCTIONS)).toEqual([]);
  const { resources } = await rpc("resources/list");
  const reads = resources.map(({ uri }: { uri: string }) => rpc("resources/read", { uri }));
  const lists = ["tools/list", "prompts/list", "resources/templates/list"].map((one) => rpc(one));
  const calls: [string, object][] = [
    ["get_catalog", {}],
    ["get_policy", {}],
    ["ask", { q: "Can I return it, join the waitlist, or order 500 bags?" }],
    ["ask", { q: "How do I get an API key and a finder key for the Geisha?" }],
    ["ask", {}],
    ["build_quick_checkout_link", CART],
    ["build_quick_checkout_link", { items: [{ product_id: "yemen-haraz", quantity: 1 }] }],
    ["build_quick_checkout_link", { items: [{ product_id: "rwanda-huye", quantity: 100 }] }],
    ["build_quick_checkout_link", { items: [], email: "a" }],
    ["build_quick_checkout_link", { ...CART, discount_code: "NONE" }],
    ["get_link_order", { checkout_url: "https://example.com" }],
    ["get_link_order", { checkout_url: `${shop.baseUrl}/checkout/none` }],
  ];
  const answers = calls.map(([name, args]) => tool(name, args));
  for (const answer of await Promise.all([...reads, ...lists, ...answers])) {
    expect(answer).toBeDefined();
    expect(foreignNames(answer)).toEqual([]);
  }
});

test("the catalog says that the exclusive bean is not sold here", async () => {
  const { structuredContent, content } = await tool("get_catalog");
  expect(content[0].text).toContain("whole-bean coffee in 8 oz bags, never ground");
  const { products } = structuredContent as { products: { product_id: string; stock: string }[] };
  const stock = Object.fromEntries(products.map((one) => [one.product_id, one.stock]));
  expect(stock["yemen-haraz"]).toBe("Not sold here.");
  expect(stock["kenya-nyeri"]).toMatch(/in stock/i);
  expect(content[0].text).toContain("Not sold here.");
});

describe("get_link_order", () => {
  // The buyer's purchases are one after the other.
  beforeEach(() => shop.clock.advance(1));

  const BUYER = { email: "link-buyer@example.com", name: "Zelda Typed", line1: "77 Secret Street" };

  const follow = async (checkout_url: string) =>
    (await tool("get_link_order", { checkout_url })).structuredContent;

  const opened = async () =>
    (await tool("build_quick_checkout_link", { ...CART, gift_note: "Enjoy" })).structuredContent;

  test("follows a purchase from the open page to its tracking, without the buyer's data", async () => {
    const { checkout_url, expires_at } = await opened();
    expect(Date.parse(expires_at)).toBeGreaterThan(0);
    expect(await follow(checkout_url)).toMatchObject({ status: "OPEN" });
    const page = new URL(checkout_url).pathname;
    const { headers } = await submit(shop.baseUrl, page, { ...BUYER, accept_total: "99999" });
    expect(await follow(checkout_url)).toMatchObject({ status: "OPEN" });
    await payAsBuyer(shop.baseUrl, headers.get("location")!);
    const paid = await eventually(async () => {
      const found = await follow(checkout_url);
      return found.status === "PAID" && found;
    });
    expect(paid).toMatchObject({
      number: expect.any(Number),
      order_status: "CONFIRMED",
      shipments: [{ status: "PENDING" }],
    });
    const [row] = await shop.store.queries.shipmentsOfOrders([await orderId(paid.number)]);
    const tracking = { carrier: "USPS", number: "9400100000000000000013" };
    const admin = shop.service.merchant.admin("cli");
    await admin.orders.roast({ order_id: row!.order_id });
    await admin.shipments.ship({ shipment_id: row!.id, tracking });
    const shipped = await follow(checkout_url);
    expect(shipped.shipments).toMatchObject([
      { status: "SHIPPED", carrier: "USPS", number: "9400100000000000000013" },
    ]);
    const text = JSON.stringify([paid, shipped]);
    for (const typed of [...Object.values(BUYER), "Enjoy", "Austin", "/review/"]) {
      expect(text).not.toContain(typed);
    }
  });

  const orderId = async (number: number) => (await shop.store.queries.orderByNumber(number))!.id;

  test("is the same over HTTP, for clients that can only GET", async () => {
    const { checkout_url } = await opened();
    const query = new URLSearchParams({ checkout_url });
    const { status, body } = await send(shop.baseUrl, `/v1/link-orders?${query}`);
    expect([status, body.status]).toEqual([200, "OPEN"]);
  });

  test("reports an expired unpaid page as ended", async () => {
    const { checkout_url } = await opened();
    shop.clock.advance(25 * 3_600_000);
    const ended = await follow(checkout_url);
    expect(ended).toMatchObject({
      status: "ENDED",
      next: [{ action: "build_quick_checkout_link" }],
    });
  });

  test("takes any address that the person reports, however it was pasted", async () => {
    const { checkout_url } = await opened();
    const { headers } = await submit(shop.baseUrl, new URL(checkout_url).pathname, BUYER);
    const review = headers.get("location")!;
    const pressed = await send(shop.baseUrl, review, { method: "POST" });
    const payment = pressed.headers.get("location")!;
    const bare = checkout_url.replace("http://", "");
    const pasted = [`<${checkout_url}>`, `${bare}.`, ` ${bare} `, `[Pay](${checkout_url})`];
    for (const address of [...pasted, review, `${review}?paid=1`, payment, `"${payment}".`]) {
      expect(await follow(address), address).toMatchObject({
        status: "OPEN",
        total_display: "$44.00",
        items: [{ quantity: 2 }],
        pay_until: expect.any(String),
        estimated_delivery: { earliest: expect.any(String), latest: expect.any(String) },
        notice: expect.stringContaining("nothing is charged"),
      });
    }
    await decline(payment);
    const declined = await eventually(async () => {
      const found = await follow(checkout_url);
      return found.messages[0].code === "PAYMENT_DECLINED" && found;
    });
    expect(declined.message).toMatch(/^Not paid yet\. .*declined.*not charged/);
    await payAsBuyer(shop.baseUrl, review);
    for (const address of [...pasted, review, payment]) {
      const paid = await eventually(async () => {
        const found = await follow(address);
        return found.status === "PAID" && found;
      });
      expect(paid).toMatchObject({ paid_minor: 4400, number: expect.any(Number) });
    }
  });

  const decline = (payment: string) =>
    send(shop.baseUrl, `${payment}/pay`, form({ card: "4000 0000 0000 0002" }));

  test("with wait answers as soon as the buyer has paid", async () => {
    const { checkout_url } = await opened();
    const { headers } = await submit(shop.baseUrl, new URL(checkout_url).pathname, BUYER);
    const query = new URLSearchParams({ checkout_url, wait: "25" });
    const waiting = send(shop.baseUrl, `/v1/link-orders?${query}`);
    await payAsBuyer(shop.baseUrl, headers.get("location")!);
    expect((await waiting).body).toMatchObject({ status: "PAID", paid_minor: 4400 });
  });

  test("never leads from a wrong or shortened address, or the link itself, to a second page", async () => {
    const { checkout_url } = await opened();
    for (const address of [
      `${shop.baseUrl}/checkout/x`,
      `${shop.baseUrl}/review/x`,
      checkout_url.slice(0, -3),
      "cs_test_none",
      "I paid it",
    ]) {
      const { isError, content } = await tool("get_link_order", { checkout_url: address });
      expect([isError, content[0].text], address).toEqual([
        true,
        expect.stringMatching(/^NOT_FOUND: .*do not make a new one/is),
      ]);
      expect(content[0].text).not.toContain("build_quick_checkout_link");
    }
    const link = `${shop.baseUrl}/v1/quick-checkout?items=kenya-nyeri:2`;
    const found = await follow(link);
    expect(found.status).toBe("UNKNOWN");
    expect(JSON.stringify(found)).not.toContain("build_quick_checkout_link");
  });
});

test("a keyed tool is unknown here, in both eras", async () => {
  for (const message of [legacy, modern].map((make) =>
    make("tools/call", { name: "request_quote", arguments: {} }),
  )) {
    const { body } = await send(shop.baseUrl, PATH, message);
    expect(body.error.code).toBe(-32602);
  }
});

/** Every property name within a schema. */
function propertiesIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(propertiesIn)];
}
