/** Stdio answers every line, also what is no message. */

import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../src/app/log.ts";
import type { RunningService } from "../../src/app/serve.ts";
import { startStdio } from "../support/mcp-clients.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";

let served: RunningService;
const logged: string[] = [];
beforeAll(async () => {
  served = await startService({}, REAL_CLOCK);
});
afterAll(() => served.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever came.
type Any = any;

/** Sends raw bytes, and returns the next line that the server writes. */
function rawClient() {
  const log = createLog("warn", { write: (line) => void logged.push(line) });
  const { toServer, fromServer } = startStdio({ ...served.service, log });
  const lines = createInterface({ input: fromServer })[Symbol.asyncIterator]();
  return {
    async ask(bytes: string | Buffer): Promise<Any> {
      toServer.write(bytes);
      return JSON.parse(String((await lines.next()).value));
    },
  };
}

const HELLO = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
});

test.each([
  ["text", "hello, sk_live_secret\n"],
  ["half an object", '{"jsonrpc":\n'],
  ["an object in quotes of its own", "{'jsonrpc': '2.0'}\n"],
  ["a list in 65 lists", `${"[".repeat(65)}${"]".repeat(65)}\n`],
])("%s is a parse error, on stderr too and without its content", async (_, line) => {
  const before = logged.length;
  const answer = await rawClient().ask(line);
  expect(answer).toMatchObject({ id: null, error: { code: -32700 } });
  expect(logged.length).toBe(before + 1);
  expect(logged.at(-1)).toContain("a line on stdin was refused");
  expect(logged.at(-1)).not.toContain("secret");
});

test.each([
  ["no version", '{"id":7,"method":"ping"}\n', 7],
  ["a number", "12\n", null],
  ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', null],
])("%s is an invalid request", async (_, line, id) => {
  expect(await rawClient().ask(line)).toMatchObject({ id, error: { code: -32600 } });
});

test("a byte order mark, blank lines and CRLF are no part of a message", async () => {
  const client = rawClient();
  const hello = await client.ask(`\ufeff${HELLO}\r\n\r\n`);
  expect(hello.result.serverInfo.name).toBe("coffee-merchant");
  const args = { name: "ask", arguments: { q: "Is café shipping free?" } };
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: args };
  const bytes = Buffer.from(`\ufeff${JSON.stringify(call)}\n`);
  const answer = await client.ask(bytes);
  expect(answer).toMatchObject({ id: 2, result: { content: [{ type: "text" }] } });
});

test("a message that comes in pieces is one message, and goes on after a mistake", async () => {
  const client = rawClient();
  expect(await client.ask("oops\n")).toMatchObject({ error: { code: -32700 } });
  const [start, end] = [HELLO.slice(0, 40), `${HELLO.slice(40)}\n`];
  const { toServer, fromServer } = startStdio(served.service);
  const lines = createInterface({ input: fromServer })[Symbol.asyncIterator]();
  toServer.write(start);
  toServer.write(end);
  expect(JSON.parse(String((await lines.next()).value))).toMatchObject({ id: 1, result: {} });
  expect((await client.ask(`${HELLO}\n`)).id).toBe(1);
});

test("null and text in place of objects are none", async () => {
  const client = rawClient();
  await client.ask(`${HELLO}\n`);
  for (const nothing of [null, "", "{}", []]) {
    const call = { name: "get_policy", arguments: nothing, _meta: nothing };
    for (const [method, params] of [
      ["tools/call", call],
      ["tools/list", nothing],
      ["tools/list", { cursor: null }],
    ] as const) {
      const answer = await client.ask(
        `${JSON.stringify({ jsonrpc: "2.0", id: 3, method, params })}\n`,
      );
      expect([method, answer.error, answer.result.isError]).toEqual([method, undefined, undefined]);
    }
  }
});
