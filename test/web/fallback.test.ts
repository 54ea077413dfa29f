/** Requests that no route answers get JSON with a Request-Id (contract §11). */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it, onTestFinished, test } from "vitest";
import { notReadyHandler, onClientError } from "../../src/web/fallback.ts";
import { listenLocally } from "../support/loopback.ts";
import { expectRefusal } from "../support/refusal.ts";
import { START, startService } from "../support/service.ts";
import { type Answer, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());

/** Sends raw bytes and returns the answer. */
async function raw(bytes: string, port = service.port): Promise<Answer> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(bytes);
  const answer = await text(socket);
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = new Headers(
    fields.map((field) => field.split(/: (.*)/).slice(0, 2) as [string, string]),
  );
  return { status: Number(line.split(" ")[1]), headers, text: body, body: JSON.parse(body) };
}

describe("requests that are not HTTP", () => {
  test.each([
    ["no request line", "hello\r\n\r\n"],
    ["a header without a name", "GET /healthz HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"],
    [
      "two lengths",
      "POST /v1/feedback HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
  ])("%s", async (_, bytes) => {
    const answer = await raw(bytes);
    expectRefusal(answer, "MALFORMED_REQUEST");
    expect(answer.headers.get("connection")).toBe("close");
  });

  it.each([
    ["an address", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ["headers", `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
  ])("says that %s over 16 KiB is too long", async (_, bytes) => {
    const answer = await raw(bytes);
    expectRefusal(answer, "HEADERS_TOO_LARGE");
    expect([answer.status, answer.headers.get("connection")]).toEqual([431, "close"]);
    expect(answer.body.detail).toContain("over 16 KiB");
  });
});

test("a request that does not arrive in time may be sent again", async () => {
  const limits = { headersTimeout: 30, requestTimeout: 60, connectionsCheckingInterval: 10 };
  const edge = { baseUrl: () => "http://127.0.0.1:1", clock: () => START };
  const server = createServer(limits).on("clientError", onClientError(edge));
  onTestFinished(() => void server.close());
  const answer = await raw("GET /healthz HTTP/1.1\r\n", await listenLocally(server));
  expectRefusal(answer, "REQUEST_TIMEOUT");
});

test("a starting service says so, and when to come back", async () => {
  const baseUrl = () => `http://127.0.0.1:${port}`;
  const server = createServer(notReadyHandler({ baseUrl, clock: () => START }));
  const port = await listenLocally(server);
  const answer = await send(baseUrl(), "/v1/catalog");
  server.close();
  expectRefusal(answer, "STORE_UNAVAILABLE");
  expect(answer.headers.get("retry-after")).toBe("1");
});
