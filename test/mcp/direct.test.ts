/** Direct answers equal the SDK's. Unusual requests go to the SDK. */

import { createServer } from "node:http";
import express from "express";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningService } from "../../src/app/serve.ts";
import { mcpContents } from "../../src/mcp/contents.ts";
import { type McpEndpoint, mountFactory } from "../../src/mcp/http.ts";
import { serverFactory } from "../../src/mcp/server.ts";
import { STOCKED } from "../support/catalog.ts";
import { listenLocally } from "../support/loopback.ts";
import { ACCEPT, legacy, type Message, modern } from "../support/mcp-call.ts";
import { offered } from "../support/mcp-clients.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

let served: RunningService;
/** Base URL of the same service without direct answers. */
let sdkOnly: string;
let key: string;
const close: (() => unknown)[] = [];

beforeAll(async () => {
  served = await startService({}, REAL_CLOCK);
  key = await register(served.baseUrl);
  const options = { ...offered, service: served.service };
  const endpoint = mountFactory(serverFactory(mcpContents(options), served.service), options);
  sdkOnly = await mounted(endpoint);
  // Later calls with this key are replays.
  const said = { name: "send_feedback", arguments: FEEDBACK };
  await asked(served.baseUrl, legacy("tools/call", said), key);
  close.push(
    () => endpoint.close(),
    () => served.stop(),
  );
});
afterAll(async () => {
  for (const act of close) await act();
});

async function mounted(endpoint: McpEndpoint): Promise<string> {
  const app = express().all("/mcp", (req, res) => {
    res.setHeader("Request-Id", "req_1");
    return endpoint.mountable(req, res);
  });
  const server = createServer(app);
  close.push(() => server.close());
  return `http://127.0.0.1:${await listenLocally(server)}`;
}

const FEEDBACK = { message: "Good.", idempotency_key: "direct" };

type Json = Record<string, unknown>;

/** Status and messages, from events or JSON, without ids that differ each time. */
async function asked(baseUrl: string, { headers, body }: Message, own?: string) {
  const answer = await send(baseUrl, "/mcp", { body, headers, key: own });
  const type = answer.headers.get("content-type") ?? "";
  const messages = type.startsWith("text/event-stream")
    ? answer.text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [line.slice(6)] : []))
    : [answer.text];
  const whole = messages.flatMap((text) => (text ? [JSON.parse(text)].flat() : []));
  const plain = JSON.stringify(whole.toSorted((a, b) => String(a.id).localeCompare(String(b.id))))
    .replaceAll(/req_\w+/g, "req_…")
    .replaceAll(/\b(qte|agt|shp|fb|lead)_\w+/g, "$1_…");
  return { status: answer.status, messages: JSON.parse(plain), direct: type.includes("json") };
}

async function expectSame(message: Message, own?: string): Promise<boolean> {
  const [ours, theirs] = [
    await asked(served.baseUrl, message, own),
    await asked(sdkOnly, message, own),
  ];
  expect({ ...ours, direct: null }).toEqual({ ...theirs, direct: null });
  return ours.direct;
}

test("the SDK ends a call of the 2025 eras whose client has gone", async () => {
  const options = { ...offered, service: served.service };
  const product = serverFactory(mcpContents(options), served.service);
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const endpoint = mountFactory((...context) => {
    const server = product(...context);
    server.setRequestHandler("ping", async (_, { mcpReq: { signal } }) => {
      signal.addEventListener("abort", () => ended.resolve());
      begun.resolve();
      await ended.promise;
      return {};
    });
    return server;
  }, options);
  const client = new AbortController();
  const { headers, body } = legacy("ping");
  const call = fetch(`${await mounted(endpoint)}/mcp`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: client.signal,
  });
  await begun.promise;
  client.abort();
  await expect(call).rejects.toThrow();
  await ended.promise;
});

test("a call in a batch waits no longer once the service stops", async () => {
  const options = { ...offered, service: served.service };
  const endpoint = mountFactory(serverFactory(mcpContents(options), served.service), options);
  const baseUrl = await mounted(endpoint);
  const link = `/v1/quick-checkout?items=${STOCKED}:1&format=json`;
  const { checkout_url } = (await send(served.baseUrl, link)).body;
  const params = { name: "get_link_order", arguments: { checkout_url, wait: 25 } };
  const { headers, body } = legacy("tools/call", params, "2025-03-26");
  await endpoint.close();
  const { messages } = await asked(baseUrl, { headers, body: [body] });
  expect(messages).toMatchObject([{ result: {} }]);
}, 15_000);

test("the catalog is made once, and again when its free bags change", async () => {
  const { merchant } = served.service;
  const read = async (message: Message) => {
    const { messages } = await asked(served.baseUrl, message);
    return messages[0].result.structuredContent.products;
  };
  const get = { name: "get_catalog", arguments: {} };
  for (const message of [modern("tools/call", get), legacy("tools/call", get)]) {
    const before = await read(message);
    expect(await merchant.information.catalog()).toBe(await merchant.information.catalog());
    const { product_id } = before[0];
    const stock = merchant.admin("cli").stock;
    const row = (await stock.list()).find((one) => one.product_id === product_id)!;
    await stock.set({ product_id, on_hand: row.held + 3 });
    expect(await read(message)).toMatchObject([{ product_id, free_bags: 3 }, ...before.slice(1)]);
    await stock.set({ product_id, on_hand: row.on_hand });
    expect(await read(message)).toEqual(before);
  }
});

describe.each([
  ["without a key", () => undefined],
  ["with a key", () => key],
])("%s", (_, own) => {
  test("tools/list is the same in every era", async () => {
    await expectSame(modern("tools/list"), own());
    for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
      for (const params of [undefined, {}, { _meta: { progressToken: 1 } }]) {
        expect(await expectSame(legacy("tools/list", params, version), own())).toBe(true);
      }
    }
  });

  test.each<[string, Json]>([
    ["get_catalog", {}],
    // A policy question, because a question about a bean counts only the first time.
    ["ask", { q: "Is shipping free?" }],
    ["ask", {}],
    ["ask", { q: 7 }],
    ["get_quote", { quote_id: "qte_none" }],
    ["list_orders", { limit: 2 }],
    ["request_quote", { idempotency_key: "k" }],
    ["send_feedback", FEEDBACK],
    ["get_catalog", { surprise: 1 }],
  ])("%s %j is the same in every era", async (name, args) => {
    await expectSame(modern("tools/call", { name, arguments: args }), own());
    for (const version of ["2025-11-25", "2025-03-26", "2024-11-05"]) {
      const message = legacy("tools/call", { name, arguments: args }, version);
      expect(await expectSame(message, own())).toBe(true);
    }
  });
});

const listing = (meta: Json): Message => modern("tools/list", {}, meta);

/** A legacy request with another body. */
const sent = (body: unknown): Message => ({ ...legacy("x"), body });

const ODD: Record<string, Message> = {
  "an unknown tool": legacy("tools/call", { name: "nothing" }),
  "an unknown tool of 2026": modern("tools/call", { name: "nothing" }),
  "no name": legacy("tools/call", {}),
  "a name that is a list": legacy("tools/call", { name: ["get_catalog"] }),
  "arguments that are a list": legacy("tools/call", { name: "ask", arguments: [] }),
  "arguments of 2026 that are text": modern("tools/call", { name: "ask", arguments: "{}" }),
  "parameters that are a list": legacy("tools/list", []),
  "a cursor": legacy("tools/list", { cursor: "x" }),
  "a cursor that is a number": legacy("tools/list", { cursor: 7 }),
  "a name where none belongs": legacy("tools/list", { name: "ask" }),
  "a progress token that is none": legacy("tools/list", { _meta: { progressToken: {} } }),
  "an id that is null": sent({ jsonrpc: "2.0", id: null, method: "tools/list" }),
  "an id that is a fraction": sent({ jsonrpc: "2.0", id: 1.5, method: "tools/list" }),
  "no id": sent({ jsonrpc: "2.0", method: "tools/list" }),
  "another JSON-RPC": sent({ jsonrpc: "1.0", id: 1, method: "tools/list" }),
  "one more field": sent({ jsonrpc: "2.0", id: 1, method: "tools/list", more: 1 }),
  "no version": { headers: { accept: ACCEPT }, body: legacy("tools/list").body },
  "an unknown version": legacy("tools/list", undefined, "1999-01-01"),
  "a version of 2026 without its envelope": legacy("tools/list", {}, "2026-07-28"),
  "JSON alone": { ...legacy("tools/list"), headers: { accept: "application/json" } },
  "no method header": {
    ...modern("tools/list"),
    headers: { accept: ACCEPT, "mcp-protocol-version": "2026-07-28" },
  },
  "another method header": {
    ...modern("tools/list"),
    headers: { ...modern("tools/list").headers, "mcp-method": "prompts/list" },
  },
  "another name header": {
    ...modern("tools/call", { name: "ask", arguments: { q: "decaf" } }),
    headers: { ...modern("tools/call", { name: "ask" }).headers, "mcp-name": "get_catalog" },
  },
  "an envelope of another version": listing({
    "io.modelcontextprotocol/protocolVersion": "2027-01-01",
  }),
  "an envelope without a client": listing({ "io.modelcontextprotocol/clientInfo": 7 }),
  "more in the envelope": listing({ more: 1 }),
  "a client that can open links": modern(
    "tools/call",
    { name: "get_catalog" },
    {
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } },
    },
  ),
  "a handshake": legacy("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }),
  ping: legacy("ping"),
  "an empty batch": sent([]),
};

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
  "a single response in %s is JSON, not an event stream",
  async (version) => {
    const handshake = {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    };
    const asks: [string, Json][] = [
      ["initialize", handshake],
      ["ping", {}],
      ["resources/read", { uri: "coffee://policy" }],
      ["resources/read", { uri: "coffee://nothing" }],
      ["prompts/get", { name: "buy_coffee", arguments: {} }],
      ["prompts/get", { name: "nothing" }],
      ["tools/call", { name: "nothing" }],
      ["tools/call", {}],
      ["tools/call", { name: "ask", arguments: "{}" }],
      ["tools/call", { name: "get_policy", _meta: { "client/call": "a" } }],
      ["nothing/here", {}],
      ["resources/subscribe", { uri: "coffee://policy" }],
    ];
    for (const [method, params] of asks) {
      expect([method, await expectSame(legacy(method, params, version))]).toEqual([method, true]);
    }
  },
);

test.each(Object.entries(ODD))("%s gets the same response as from the SDK", async (_, message) => {
  await expectSame(message);
});

describe("a batch", () => {
  const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });
  const call = (id: number, q: string) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "ask", arguments: { q } },
  });
  const batch = (body: unknown[]): Message => ({ ...legacy("x", undefined, "2025-03-26"), body });

  test("of lists and calls gets a response for each entry", async () => {
    await expectSame(batch([list(1), call(2, "decaf"), list(3), call(4, "")]));
  });

  test("with a notification, an unknown method or a 2026 message goes to the SDK", async () => {
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    await expectSame(batch([list(1), notification]));
    await expectSame(batch([list(1), { ...list(2), method: "nothing/list" }]));
    await expectSame(batch([list(1), modern("tools/list").body]));
    await expectSame(batch(Array.from({ length: 101 }, (_, id) => list(id))));
  });

  test("that cancels one of its own calls is answered all the same", async () => {
    const cancel = { method: "notifications/cancelled", params: { requestId: 2 } };
    const sent = batch([list(1), call(2, "decaf"), { jsonrpc: "2.0", ...cancel }]);
    const { messages } = await asked(served.baseUrl, sent);
    expect(messages.map(({ id }: Json) => id)).toEqual([1, 2]);
  });
});

test("any combination of such parts gets the same response as from the SDK", async () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>("ask", "tools/list", "2026-07-28", "2025-11-25", null, 7, 1.5, "", []),
    fc.constant({ q: "decaf" }),
  );
  const field = fc.constantFrom("name", "arguments", "cursor", "_meta", "requestState", "extra");
  const message = fc.record({
    start: fc.constantFrom(
      legacy("tools/list", {}),
      modern("tools/list"),
      legacy("tools/call", { name: "ask", arguments: { q: "decaf" } }),
      modern("tools/call", { name: "ask", arguments: { q: "decaf" } }),
    ),
    params: fc.dictionary(field, value, { maxKeys: 2 }),
    top: fc.dictionary(fc.constantFrom("id", "method", "jsonrpc", "extra"), value, { maxKeys: 1 }),
    header: fc.dictionary(
      fc.constantFrom("mcp-protocol-version", "mcp-method", "mcp-name", "accept"),
      fc.constantFrom("ask", "tools/list", "2026-07-28", "2025-11-25", ACCEPT, ""),
      { maxKeys: 1 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(message, async ({ start, params, top, header }) => {
      const body = start.body as { params: Json };
      await expectSame({
        headers: { ...start.headers, ...header },
        body: { ...body, params: { ...body.params, ...params }, ...top },
      });
    }),
    { numRuns: 60 },
  );
});
