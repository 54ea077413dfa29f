import { request } from "node:http";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createMcpEndpoint } from "../../src/mcp/http.ts";
import { legacy } from "../support/mcp-call.ts";
import { call, offered, overHttp } from "../support/mcp-clients.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { quoteRequest, register, send } from "../support/shopper.ts";

const served = await startService({}, REAL_CLOCK, {
  mcpEndpoint: (service) =>
    createMcpEndpoint({
      ...offered,
      service,
      allowedHosts: ["shop.example"],
      allowedOrigins: ["https://app.example"],
    }),
});
afterAll(() => served.stop());

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const JSON_RPC = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
};

describe("DNS rebinding", () => {
  test.each([
    ["127.0.0.1", 200],
    ["localhost:1234", 200],
    ["[::1]", 200],
    ["shop.example", 200],
    ["shop.example.evil.example", 403],
    ["evil.example", 403],
  ])("a call to the host name %s gets %i", async (host, status) => {
    expect(await statusOf({ host })).toBe(status);
  });

  test.each([
    ["http://localhost:5173", 200],
    ["https://app.example", 200],
    ["http://app.example", 403],
    ["https://app.example:8443", 403],
    ["https://evil.example", 403],
    ["null", 403],
  ])("a page at %s gets %i", async (origin, status) => {
    expect(await statusOf({ origin })).toBe(status);
  });
});

describe("invalid requests", () => {
  test.each([
    ["malformed JSON", 400, "{", "application/json"],
    ["a body of another type", 415, "hello", "text/plain"],
  ])("%s is %i, in JSON", async (_, status, raw, type) => {
    const headers = { ...JSON_RPC, "content-type": type };
    const answer = await send(served.baseUrl, "/mcp", { raw, headers });
    expect([answer.status, typeof answer.body]).toEqual([status, "object"]);
  });

  const NUMBERED = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`a${i}`, i]));
  const INFO = { name: "raw", version: "1", icons: Array(20_000).fill(1) };
  const LISTEN = { notifications: { resourceSubscriptions: Array(20_000).fill(1) } };

  test.each<[string, object]>([
    ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: INFO }],
    ["prompts/get", { name: "buy_coffee", arguments: NUMBERED }],
    ["subscriptions/listen", LISTEN],
    ["tools/call", { name: "get_catalog", inputResponses: NUMBERED }],
  ])("%s with too many values is refused in a few words", async (method, params) => {
    for (const body of [{ ...LIST, method, params }, Array(2).fill({ ...LIST, method, params })]) {
      const answer = await send(served.baseUrl, "/mcp", { body, headers: JSON_RPC });
      expect([answer.status, answer.body.error.code]).toEqual([413, -32600]);
      expect(answer.text.length).toBeLessThan(200);
    }
  });

  test.each([
    ["listening to nothing", { notifications: {} }],
    ["listening to no list", { notifications: { resourceSubscriptions: "coffee://catalog" } }],
    ["listening to numbers", { notifications: { resourceSubscriptions: [1, null] } }],
    ["listening without parameters", undefined],
  ])("%s breaks nothing", async (_, params) => {
    const body = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params };
    const key = await register(served.baseUrl);
    const answer = await send(served.baseUrl, "/mcp", { body, key, headers: JSON_RPC });
    expect(answer.status).toBeLessThan(500);
  });
});

test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
  "a client of %s gets resource links only if its version has them, and no fields of later versions",
  async (version) => {
    const key = await register(served.baseUrl);
    const rpc = async (method: string, params: object) => {
      const message = legacy(method, params, version);
      return (await send(served.baseUrl, "/mcp", { ...message, key })).body.result;
    };
    const args = { ...quoteRequest(), idempotency_key: "k" };
    const { content } = await rpc("tools/call", { name: "request_quote", arguments: args });
    const links = content.filter((one: { type: string }) => one.type === "resource_link");
    expect(links).toHaveLength(version >= "2025-06-18" ? 1 : 0);
    const read = await rpc("resources/read", { uri: "coffee://catalog" });
    expect(Object.keys(read)).toEqual(["contents"]);
  },
);

test("an unexpected exception is INTERNAL with a request id, without details", async () => {
  const { information } = served.service.merchant;
  vi.spyOn(information, "catalog").mockImplementation(() => {
    throw new Error("/secret/path/merchant.db is locked");
  });
  const client = await overHttp(served.baseUrl, "pinned");
  const tool = await call(client, "get_catalog");
  const read = await client.readResource({ uri: "coffee://catalog" }).catch((error) => error);
  expect(tool.isError).toBe(true);
  expect(tool._meta["coffee/error"]).toMatchObject({
    code: "INTERNAL",
    status: 500,
    request_id: expect.stringMatching(/^req_/),
  });
  expect(read.code).toBe(-32603);
  expect(JSON.stringify([tool, read, read.message])).not.toContain("secret");
});

test("a limit of a key and of an address holds over MCP too, and says when to retry", async () => {
  const limited = await startService({ RATE_LIMITS: "requests=10" }, REAL_CLOCK);
  try {
    const api_key = await register(limited.baseUrl);
    const client = await overHttp(limited.baseUrl, "pinned");
    for (let i = 0; i < 10; i++) await call(client, "list_orders", { api_key });
    const refused = await call(client, "list_orders", { api_key });
    expect(refused._meta["coffee/error"]).toMatchObject({ code: "RATE_LIMITED", status: 429 });
    expect(refused._meta["coffee/error"].retry_after).toBeGreaterThan(0);
    expect(refused.content[0].text).toMatch(/Retry after \d+ s\./);
    // Without the key, the address goes on to its own limit.
    let last: unknown;
    for (let i = 0; i < 200 && !(last instanceof Error); i++) {
      last = await call(client, "get_catalog").catch((error: unknown) => error);
    }
    expect((last as Error).message).toContain("RATE_LIMITED");
    expect((await send(limited.baseUrl, "/v1/catalog")).status).toBe(429);
  } finally {
    await limited.stop();
  }
});

/** Uses node:http, because fetch sets Host and Origin itself. */
function statusOf(headers: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const call = request(
    new URL("/mcp", served.baseUrl),
    { method: "POST", headers: { ...JSON_RPC, ...headers } },
    (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    },
  );
  call.on("error", reject);
  call.end(JSON.stringify(LIST));
  return promise;
}
