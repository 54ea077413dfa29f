import { afterAll, expect, onTestFinished, test } from "vitest";
import { orderWatch } from "../../src/mcp/order-watch.ts";
import { STOCKED } from "../support/catalog.ts";
import { modern, rpc } from "../support/mcp-call.ts";
import { call, overHttp, overPipes, type Result, startStdio } from "../support/mcp-clients.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { quoteRequest, register, send } from "../support/shopper.ts";

const served = await startService({}, REAL_CLOCK);
afterAll(() => served.stop());
const key = await register(served.baseUrl);

const read = async (client: Awaited<ReturnType<typeof overHttp>>, uri: string): Promise<Result> => {
  const result: Result = await client.readResource({ uri });
  return { ...result, json: JSON.parse(result.contents[0].text) };
};

test("the public resources, including each bean, are listed and readable without a key", async () => {
  const client = await overHttp(served.baseUrl, "pinned");
  const { resources } = await client.listResources();
  const uris = resources.map((one) => one.uri);
  expect(uris).toEqual(
    expect.arrayContaining(["coffee://catalog", "coffee://agent-info", "coffee://policy"]),
  );
  expect(uris.filter((uri) => uri.startsWith("coffee://catalog/"))).toHaveLength(4);
  const catalog = await read(client, "coffee://catalog");
  const bean = await read(client, `coffee://catalog/${catalog.json.products[0].product_id}`);
  expect(bean.json).toEqual(catalog.json.products[0]);
});

test("a bean published while clients are connected is listed", async () => {
  const shop = await startService({}, REAL_CLOCK);
  onTestFinished(shop.stop);
  const connected = [
    await overHttp(shop.baseUrl, "legacy"),
    await overPipes(startStdio(shop.service), "legacy"),
  ];
  const titles = async () => {
    // A 2026 client caches a list for its ttl.
    const clients = [...connected, await overHttp(shop.baseUrl, "pinned")];
    const lists = await Promise.all(clients.map((client) => client.listResources()));
    return lists.map(
      ({ resources }) => resources.find(({ uri }) => uri === `coffee://catalog/${STOCKED}`)?.title,
    );
  };
  const { catalog } = shop.service.merchant.admin("cli");
  const bean = await catalog.show({ product_id: STOCKED });
  const name = bean.product.name_to_use_with_humans;
  expect(await titles()).toEqual([name, name, name]);
  const renamed = `${name}, the new harvest`;
  const product = { ...bean.product, name_to_use_with_humans: renamed };
  await catalog.save({ product, on_sale: true, seen: bean.changed_at });
  expect(await titles()).toEqual([renamed, renamed, renamed]);
});

test("the templates are listed, including quotes and orders", async () => {
  const client = await overHttp(served.baseUrl, "pinned");
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map((one) => one.uriTemplate).sort()).toEqual([
    "coffee://catalog/{product_id}",
    "coffee://orders/{order_id}",
    "coffee://quotes/{quote_id}",
  ]);
});

test("another key's quote reads exactly like a missing one", async () => {
  const own = await overHttp(served.baseUrl, "pinned", { key });
  const quote = await call(own, "request_quote", { ...quoteRequest(), idempotency_key: "r1" });
  const { id } = quote.structuredContent;
  expect((await read(own, `coffee://quotes/${id}`)).json.id).toBe(id);
  const other = await overHttp(served.baseUrl, "pinned", { key: await register(served.baseUrl) });
  const refusal = async (uri: string) => {
    const error: Result = await other.readResource({ uri }).catch((thrown: unknown) => thrown);
    return {
      code: error.code,
      text: error.message.replaceAll(uri, ""),
      data: Object.keys(error.data),
    };
  };
  const missing = id.replace(/.{4}$/, "0000");
  expect(await refusal(`coffee://quotes/${id}`)).toEqual(
    await refusal(`coffee://quotes/${missing}`),
  );
});

test("an id with characters that no database takes is a miss, not a server error", async () => {
  const watch = orderWatch(served.service, () => {});
  onTestFinished(watch.close);
  for (const id of ["\u0000", "\ud800", "qte_\u0000", "1".repeat(300), "9".repeat(15), "#9", "é"]) {
    for (const kind of ["quotes", "orders"]) {
      const uri = `coffee://${kind}/${id}`;
      const { error } = await rpc(served.baseUrl, "resources/read", { uri }, key);
      expect([-32002, -32602], JSON.stringify(uri)).toContain(error.code);
      expect((await watch.follow([uri], key)).uris).toEqual([]);
    }
  }
});

test("a quote or order without the connection's key is refused with the way to get one", async () => {
  const client = await overHttp(served.baseUrl, "pinned");
  await expect(client.readResource({ uri: "coffee://orders/ord_1" })).rejects.toMatchObject({
    code: 401,
    message: expect.stringMatching(/UNAUTHENTICATED: .*Authorization: Bearer.*\nNext: get_order:/s),
    data: { "coffee/error": expect.objectContaining({ code: "UNAUTHENTICATED" }) },
  });
});

test("cache hints allow anybody to keep the catalog for a minute, and nobody a quote", async () => {
  const client = await overHttp(served.baseUrl, "pinned", { key });
  const quote = await call(client, "request_quote", { ...quoteRequest(), idempotency_key: "r2" });
  const { id } = quote.structuredContent;
  expect(await raw("resources/read", { uri: "coffee://catalog" })).toMatchObject({
    ttlMs: 60_000,
    cacheScope: "public",
  });
  expect(await raw("resources/read", { uri: `coffee://quotes/${id}` })).toMatchObject({
    ttlMs: 0,
    cacheScope: "private",
  });
  expect(await raw("tools/list")).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
  expect(await raw("prompts/list")).toMatchObject({ ttlMs: 300_000, cacheScope: "public" });
});

test("prompts write the person's request; a missing argument or unknown prompt is -32602", async () => {
  const client = await overPipes(startStdio(served.service), "legacy");
  const { prompts } = await client.listPrompts();
  expect(prompts.map((prompt) => prompt.name)).toEqual(["buy_coffee", "send_a_gift"]);
  const gift: Result = await client.getPrompt({
    name: "send_a_gift",
    arguments: { recipients: "two friends in Ohio", product_id: "kenya-nyeri" },
  });
  expect(gift.messages[0].content.text).toMatch(/two friends in Ohio.*kenya-nyeri.*review link/s);
  const buy: Result = await client.getPrompt({ name: "buy_coffee" });
  expect(buy.messages[0].content.text).toContain("catalog");
  const three: Result = await client.getPrompt({ name: "buy_coffee", arguments: { bags: "3" } });
  expect(three.messages[0].content.text).toContain("I want to buy 3 bags (8 oz each) of coffee");
  await expect(client.getPrompt({ name: "send_a_gift" })).rejects.toMatchObject({ code: -32602 });
  await expect(client.getPrompt({ name: "rob_a_bank" })).rejects.toMatchObject({ code: -32602 });
});

/** The result of one modern request. */
const raw = async (method: string, params: object = {}): Promise<Result> =>
  (await send(served.baseUrl, "/mcp", { ...modern(method, params), key })).body.result;
