/** Limits of requests on each interface, and short errors. */
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it, onTestFinished, test } from "vitest";
import { LIMITS } from "../../src/core/policy.ts";
import { STOCKED } from "../support/catalog.ts";
import { startService } from "../support/service.ts";
import { ADDRESS, type Answer, register, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());
const key = await register(service.baseUrl);

const JSON_TYPE = { "content-type": "application/json" };

const overHttp = (body: unknown, path = "/v1/quote-requests"): Promise<Answer> =>
  send(service.baseUrl, path, { key, body });

const MCP_HEADERS = { ...JSON_TYPE, accept: "application/json, text/event-stream" };

async function rpc(message: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await send(service.baseUrl, "/mcp", {
    key,
    raw: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
    headers: { ...MCP_HEADERS, ...headers },
  });
  const [, event] = /^data: (.*)$/m.exec(answer.text) ?? [];
  return event === undefined ? answer : { ...answer, body: JSON.parse(event) };
}

const overMcp = (body: object, name = "request_quote"): Promise<Answer> =>
  rpc({
    method: "tools/call",
    params: { name, arguments: { idempotency_key: randomUUID(), ...body } },
  });

/** 250 bags to 50 addresses with the longest texts, padded to a size in bytes. */
function largestQuote(bytes: number = LIMITS.shipments_bytes) {
  const shipment = (wide: number) => ({
    recipient_ref: "r".repeat(LIMITS.name_characters),
    address: {
      ...ADDRESS,
      name: "n".repeat(LIMITS.name_characters),
      line1: "1".repeat(LIMITS.street_characters),
      line2: "2".repeat(LIMITS.street_characters),
      city: "c".repeat(LIMITS.city_characters),
      postal_code: "78701-1234",
    },
    items: Array.from({ length: 5 }, () => ({ product_id: STOCKED, quantity: 1 })),
    gift_notes: Array.from({ length: 5 }, (_, i) => {
      const two = Math.min(200, Math.max(0, wide - 200 * i));
      return "é".repeat(two) + "e".repeat(200 - two);
    }),
  });
  const plain = Array.from({ length: 50 }, () => shipment(0));
  let missing = bytes - Buffer.byteLength(JSON.stringify(plain));
  expect(missing).toBeGreaterThan(0);
  const shipments = plain.map(() => {
    const wide = Math.min(1000, missing);
    missing -= wide;
    return shipment(wide);
  });
  expect(Buffer.byteLength(JSON.stringify(shipments))).toBe(bytes);
  return { buyer: { email: `${"b".repeat(64)}@example.com` }, shipments };
}

describe("the largest quote there can be", () => {
  it("passes on both interfaces, with the longest keys", async () => {
    expect((await overHttp(largestQuote())).status).toBe(201);
    const keys = {
      idempotency_key: "k".repeat(LIMITS.idempotency_key_characters),
      finder_key: "f".repeat(LIMITS.key_characters),
    };
    const { status, body } = await overMcp({ ...largestQuote(), ...keys });
    expect(status).toBe(200);
    expect(body.result.isError).toBeUndefined();
  });

  it("is over the limit with one more byte, and the answer says so", async () => {
    const answer = await overHttp(largestQuote(LIMITS.shipments_bytes + 1));
    expect(answer.body).toMatchObject({ status: 422, code: "LIMIT_EXCEEDED" });
    expect(answer.body.detail).toContain("122880 bytes");
  });
});

describe("a body", () => {
  const spaced = (bytes: number) => `${" ".repeat(bytes - 2)}{}`;

  it("may have 128 KiB on both interfaces, and not a byte more", async () => {
    const raw = (text: string, path: string) =>
      send(service.baseUrl, path, { key, raw: text, headers: MCP_HEADERS });
    for (const [path, taken] of [
      ["/v1/quote-requests", 422],
      ["/mcp", 400],
    ] as const) {
      expect((await raw(spaced(LIMITS.body_bytes), path)).status).toBe(taken);
      expect((await raw(spaced(LIMITS.body_bytes + 1), path)).status).toBe(413);
    }
  });

  it("is limited without a Content-Length, too", async () => {
    for (const [more, status] of [
      [0, 422],
      [1, 413],
    ] as const) {
      const answer = await fetch(`${service.baseUrl}/v1/quote-requests`, {
        method: "POST",
        headers: { ...JSON_TYPE, authorization: `Bearer ${key}`, "idempotency-key": "k" },
        body: new Blob([spaced(LIMITS.body_bytes + more)]).stream(),
        duplex: "half",
      });
      expect(answer.status).toBe(status);
    }
  });

  it.each(["/v1/quote-requests", "/mcp"])(
    "over the limit does not delay the next request of its connection to %s",
    async (path) => {
      const { hostname, port } = new URL(service.baseUrl);
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      const large = "x".repeat(8 * LIMITS.body_bytes);
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${key}\r\n` +
          "Idempotency-Key: k\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" +
          `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n` +
          `GET /healthz HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`,
      );
      let answered = "";
      for await (const part of socket) {
        answered += part;
        if (/ 413 .* 200 OK/s.test(answered)) break;
      }
      expect(answered.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(["413", "200"]);
    },
  );

  it("may begin with a byte order mark", async () => {
    const raw = `\ufeff${JSON.stringify(largestQuote())}`;
    const answer = await send(service.baseUrl, "/v1/quote-requests", {
      ...{ key, raw },
      headers: { ...JSON_TYPE, "idempotency-key": "marked" },
    });
    expect(answer.status).toBe(201);
  });

  test.each(["gzip", "deflate", "br", "zstd", "identity, gzip"])(
    "is not inflated: Content-Encoding %s is refused on every interface",
    async (encoding) => {
      const paths = ["/v1/quote-requests", "/mcp", "/webhooks/stripe", "/checkout/x", "/review/x"];
      for (const path of paths) {
        const type = /checkout|review/.test(path)
          ? { "content-type": "application/x-www-form-urlencoded" }
          : MCP_HEADERS;
        const raw = gzipSync("{}");
        const signed = { "stripe-signature": "t=1,v1=00" };
        const headers = { ...type, ...signed, "content-encoding": encoding };
        const { status } = await send(service.baseUrl, path, { key, raw, headers });
        expect([path, status]).toEqual([path, 415]);
      }
    },
  );

  it("of a webhook has its own limit, which the answer names", async () => {
    const raw = "x".repeat(LIMITS.webhook_bytes + 1);
    const headers = { ...JSON_TYPE, "stripe-signature": "t=1,v1=00" };
    const answer = await send(service.baseUrl, "/webhooks/stripe", { raw, headers });
    expect(answer.status).toBe(413);
    expect(answer.body.detail).toContain("512 KiB");
  });

  it("of a form has its own limit, too", async () => {
    const raw = `email=${"x".repeat(LIMITS.form_bytes)}`;
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await send(service.baseUrl, "/review/x", { raw, headers });
    expect(answer.status).toBe(413);
  });
});

/** Longest answer to a refused request. */
const MOST_ANSWERED = 48 * 1024;

const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const LONG = "x".repeat(100_000);
const wrongLine = { product_id: 1, quantity: "2", [LONG.slice(0, 40)]: 1 };
const shipmentWith = (more: object) => ({
  shipments: [{ ...largestQuote().shipments[0], ...more }],
});

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

const REFUSED: [string, () => object][] = [
  ["8,000 fields that are none", () => Object.fromEntries(many(8_000, (i) => [`field${i}`, 1]))],
  ["a field with a name of 100,000 characters", () => ({ [LONG]: 1 })],
  ["long texts", () => ({ buyer: { email: LONG }, discount_code: "x".repeat(9000) })],
  ["an answer where one word is allowed", () => ({ preferences: { substitutions: LONG } })],
  ["a bean of 100,000", () => shipmentWith({ items: [{ product_id: LONG, quantity: 1 }] })],
  ["20,000 empty gift notes", () => shipmentWith({ gift_notes: many(20_000, () => "") })],
  [
    "50 shipments with 20 wrong lines each",
    () => ({ shipments: many(50, () => ({ items: many(20, () => ({ ...wrongLine, x: 1 })) })) }),
  ],
  ["lists in lists", () => ({ shipments: JSON.parse(nested(60)) })],
];

describe("JSON", () => {
  const PATHS = ["/v1/agents/register", "/mcp", "/mcp/shop", "/ucp/carts", "/ucp/mcp"];
  const ask = (path: string, raw: string) => {
    const profile = { "ucp-agent": 'profile="https://agent.example/ucp"' };
    return send(service.baseUrl, path, { key, raw, headers: { ...MCP_HEADERS, ...profile } });
  };

  test.each(PATHS)("nested more than 64 levels deep is a 400 at %s that says so", async (path) => {
    for (const levels of [65, 5_000, 60_000]) {
      const { status, text } = await ask(path, nested(levels));
      expect([status, text]).toEqual([400, expect.stringContaining("64 levels")]);
    }
    expect((await ask(path, nested(64))).text).not.toContain("64 levels");
  });

  it("may have any brackets in its texts", async () => {
    const name = `\\"${"[{".repeat(40)}`;
    const raw = JSON.stringify({ name, contact_email: "agent@example.com" });
    expect((await ask("/v1/agents/register", raw)).status).toBe(201);
  });
});

describe("errors are short", () => {
  test.each(REFUSED)("%s", async (_, body) => {
    const http = await overHttp(body());
    expect(http.status).toBe(422);
    expect(http.text.length).toBeLessThan(MOST_ANSWERED);
    expect(http.body.errors.length).toBeLessThanOrEqual(LIMITS.problems);
    const { text, body: answer } = await overMcp(body());
    expect(answer.result.isError).toBe(true);
    expect(text.length).toBeLessThan(MOST_ANSWERED);
  });

  it("at most 50 problems are listed, with the number of others, on both interfaces", async () => {
    const body = Object.fromEntries(many(8_000, (i) => [`field${i}`, 1]));
    const { body: problem } = await overHttp(body);
    expect(problem.errors).toHaveLength(50);
    // buyer and shipments are missing besides.
    expect(problem.more_errors).toBe(8_002 - 50);
    expect(problem.detail).toContain("8002");
    const shipments = many(50, () => ({}));
    const { result } = (await overMcp({ buyer: {}, shipments })).body;
    expect(result.content[0].text).toMatch(/and \d+ more/);
  });

  test.each<[string, object]>([
    ["a tool", { method: "tools/call", params: { name: LONG, arguments: {} } }],
    ["a tool's arguments", { method: "tools/call", params: { name: "ask", arguments: LONG } }],
    ["an argument", { method: "tools/call", params: { name: "ask", arguments: { q: LONG } } }],
    [
      "an unknown kind of key",
      {
        method: "tools/call",
        params: { name: "send_feedback", arguments: { idempotency_key: LONG, message: "x" } },
      },
    ],
    ["a method", { method: LONG, params: {} }],
    ["a resource", { method: "resources/read", params: { uri: `coffee://orders/${LONG}` } }],
    ["a resource of no kind", { method: "resources/read", params: { uri: LONG } }],
    ["a prompt", { method: "prompts/get", params: { name: LONG } }],
    [
      "what stands in a prompt",
      { method: "prompts/get", params: { name: "buy_coffee", arguments: { taste: LONG } } },
    ],
    ["a request's id", { id: LONG, method: "tools/list" }],
    [
      "parameters that are none",
      { method: "tools/call", params: many(5_000, () => ({ name: 1 })) },
    ],
    [
      "information about itself",
      { method: "tools/call", params: { name: "ask", arguments: { q: [] }, _meta: { x: LONG } } },
    ],
  ])("over MCP: %s of 100,000 characters does not come back", async (_, message) => {
    for (const headers of [{}, { "mcp-protocol-version": "2025-06-18" }]) {
      const { text, status } = await rpc(message, headers);
      expect(status).toBeLessThan(500);
      expect(text.length).toBeLessThan(4096);
    }
  });
});
