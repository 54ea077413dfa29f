/** Clients that name only JSON, and those that write null or text for no object, are served in every era. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningService } from "../../src/app/serve.ts";
import { legacy, modern } from "../support/mcp-call.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

let served: RunningService;
beforeAll(async () => {
  served = await startService({}, REAL_CLOCK);
});
afterAll(() => served.stop());

const ERAS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const ADDRESSES = ["/mcp", "/mcp/shop"];

type Sent = Parameters<typeof send>[2];
const post = (address: string, options: Sent) => send(served.baseUrl, address, options);

describe.each([
  "application/json",
  "*/*",
  "",
  "application/json; q=0.9, text/html",
  "application/*",
])("a client that accepts %j", (accept) => {
  const HELLO = { capabilities: {}, clientInfo: { name: "raw", version: "1" } };

  test.each(ERAS)("gets JSON in %s", async (version) => {
    const asks: [string, object][] = [
      ["initialize", { ...HELLO, protocolVersion: version }],
      ["ping", {}],
      ["tools/list", {}],
      ["tools/call", { name: "get_policy", arguments: {} }],
      ["tools/call", { name: "get_policy", _meta: { progressToken: 1, "client/call": "a" } }],
      ["prompts/list", {}],
      ["resources/list", {}],
    ];
    for (const address of ADDRESSES) {
      for (const [method, params] of asks) {
        const { headers, body } = legacy(method, params, version);
        const answer = await post(address, { headers: { ...headers, accept }, body });
        expect([method, answer.status]).toEqual([method, 200]);
        expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
        expect(answer.body).toMatchObject({ id: "a", result: {} });
      }
    }
  });

  test("gets a list for a batch, and nothing for a notification", async () => {
    const { headers } = legacy("ping", {}, "2025-03-26");
    const ask = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
    const batch = await post("/mcp", { headers: { ...headers, accept }, body: [ask(1), ask(2)] });
    expect(batch.body.map(({ id }: { id: number }) => id).toSorted()).toEqual([1, 2]);
    const body = { jsonrpc: "2.0", method: "notifications/initialized" };
    const told = await post("/mcp", { headers: { ...headers, accept }, body });
    expect([told.status, told.text]).toEqual([202, ""]);
  });
});

test.each(["text/html", "application/json;q=0, text/html", "text/event-stream"])(
  "a client that accepts %j gets no JSON that it excluded",
  async (accept) => {
    const { headers, body } = legacy("tools/list", {});
    expect((await post("/mcp", { headers: { ...headers, accept }, body })).status).toBe(406);
  },
);

const NOTHING = [null, "", "{}", "null", [], {}];

describe.each(ADDRESSES)("at %s", (address) => {
  test.each(NOTHING)("%j in place of an object means that there is none", async (nothing) => {
    for (const [method, params] of [
      ["tools/list", nothing],
      ["tools/list", { cursor: null, _meta: nothing }],
      ["tools/list", { cursor: "" }],
      ["tools/list", { _meta: { progressToken: null } }],
      ["tools/call", { name: "get_policy", arguments: nothing }],
      ["tools/call", { name: "get_policy", arguments: {}, _meta: nothing }],
      ["prompts/list", nothing],
      ["ping", nothing],
    ] as const) {
      const answer = await post(address, legacy(method, params));
      expect([method, answer.status, answer.body.error]).toEqual([method, 200, undefined]);
      expect(answer.body.result.isError).toBeUndefined();
    }
  });

  test("a 2026 client may write them too", async () => {
    for (const nothing of NOTHING) {
      const { headers, body } = modern("tools/call", { name: "get_policy", arguments: nothing });
      const { result } = (await post(address, { headers, body })).body;
      expect(result.isError).toBeUndefined();
    }
  });
});

test("arguments as the text of an object are read", async () => {
  const message = legacy("tools/call", { name: "ask", arguments: '{"q": "Is shipping free?"}' });
  const { result } = (await post("/mcp", message)).body;
  expect(result.isError).toBeUndefined();
});

test("capabilities that are null are none", async () => {
  const clientInfo = { name: "raw", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: null, clientInfo };
  const answer = await post("/mcp", legacy("initialize", params, "2025-06-18"));
  expect(answer.body.result.serverInfo.name).toBe("coffee-merchant");
});

test("UCP takes them at its JSON-RPC address", async () => {
  const meta = { "ucp-agent": { profile: "https://agent.example/profile.json" } };
  const ask = async (method: string, params: unknown) => {
    const body = { jsonrpc: "2.0", id: 1, method, params };
    return (await post("/ucp/mcp", { body })).body;
  };
  for (const nothing of NOTHING) {
    expect((await ask("tools/list", nothing)).result.tools.length).toBeGreaterThan(3);
    const { error } = await ask("tools/call", { name: "search_catalog", arguments: nothing });
    expect(error.message).toContain("ucp-agent");
  }
  const args = JSON.stringify({ meta: JSON.stringify(meta), catalog: { query: "*" } });
  const found = await ask("tools/call", { name: "search_catalog", arguments: args, _meta: null });
  expect(found.result.structuredContent.products.length).toBeGreaterThan(1);
  const page = { query: "*", pagination: { cursor: null, limit: null }, filters: null };
  const paged = await ask("tools/call", {
    name: "search_catalog",
    arguments: { meta, catalog: page },
  });
  expect(paged.result.structuredContent.products.length).toBeGreaterThan(1);
});

function* schemasIn(schema: unknown): Generator<Record<string, unknown>> {
  if (typeof schema !== "object" || schema === null) return;
  yield schema as Record<string, unknown>;
  for (const inner of Object.values(schema)) yield* schemasIn(inner);
}

test.each(["/mcp", "/mcp/shop", "/ucp/mcp"])(
  "no tool of %s has a list of types, which some hosts refuse, and null is accepted all the same",
  async (address) => {
    const { tools } = (await post(address, legacy("tools/list", {}))).body.result;
    for (const { inputSchema, outputSchema } of tools) {
      for (const { type } of schemasIn([inputSchema, outputSchema])) {
        expect(Array.isArray(type)).toBe(false);
      }
      for (const { type } of schemasIn(inputSchema)) expect(type).not.toBe("null");
    }
    const args = { items: [{ product_id: "kenya-nyeri", quantity: 1 }], gift_note: null };
    const params = { name: "build_quick_checkout_link", arguments: args };
    const built = address.startsWith("/ucp")
      ? null
      : await post(address, legacy("tools/call", params));
    expect(built?.body.result.isError).toBeUndefined();
  },
);
