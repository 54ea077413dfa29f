import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioClientTransport as StdioOf2025 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { test as base, expect, onTestFinished } from "vitest";
import { contents } from "../../src/app/registry.ts";
import { toolLists } from "../../src/mcp/schemas.ts";
import { CHILD_ENV, COMMAND, ROOT } from "../support/command.ts";
import { lastingDatabase } from "../support/lasting-database.ts";
import { freePort, listenLocally } from "../support/loopback.ts";
import { type ClientKind, call, makeClient } from "../support/mcp-clients.ts";
import { eventually, payAsBuyer, quoteRequest } from "../support/shopper.ts";

const SNIPPET = JSON.parse(readFileSync(join(ROOT, "mcp.json"), "utf8")).mcpServers;

const test = base.extend<{ env: Record<string, string> }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants the pattern.
  env: async ({}, use) => {
    const database = await lastingDatabase();
    await use({
      ...CHILD_ENV,
      PORT: "0",
      DATABASE_URL: database.url,
      LOG_LEVEL: "silent",
    });
  },
});

/** The order of a get_quote_order result; undefined while the quote is unpaid. */
const bought = ({ structuredContent: order }: Awaited<ReturnType<typeof call>>) =>
  order.status === "ORDER_NOT_READY" ? undefined : order;

async function started(kind: ClientKind, env: Record<string, string>) {
  const { command, args } = SNIPPET["coffee-merchant"];
  const how = { command, args, env, cwd: ROOT, stderr: "ignore" as const };
  const client = makeClient(kind);
  const transport = kind === "sdk-1.x" ? new StdioOf2025(how) : new StdioClientTransport(how);
  await client.connect(transport as StdioClientTransport);
  return client;
}

test.for(["auto", "sdk-1.x"] as const)(
  "started as mcp.json says, the %s client buys coffee from registration to the order",
  async (kind, { env }) => {
    const client = await started(kind, env);
    const key = () => ({ idempotency_key: randomUUID() });
    const me = { name: "Test agent", contact_email: "agent@example.com" };
    expect((await call(client, "register_agent", { ...me, ...key() })).isError).toBeFalsy();
    const quote = await call(client, "request_quote", { ...quoteRequest(), ...key() });
    const { id, quote_hash } = quote.structuredContent;
    const args = { quote_id: id, quote_hash, ...key() };
    const checkout = await call(client, "create_checkout", args);
    const { review_url } = checkout.structuredContent;
    await payAsBuyer(new URL(review_url).origin, review_url);
    const order = await eventually(async () => {
      const found = await call(client, "get_quote_order", { quote_id: id });
      return bought(found);
    });
    expect(order).toMatchObject({ quote_id: id, status: "CONFIRMED" });
  },
);

test("if another program has the usual port, links use a free one", async ({ env }) => {
  const other = createServer((_, response) => response.end());
  onTestFinished(() => void other.close());
  // A parallel run of this test or a local shop may have taken it already.
  await new Promise((resolve) => {
    other.once("error", resolve).listen(3000, "127.0.0.1", () => resolve(null));
  });
  const { PORT: _, ...usual } = env;
  // This client does not negotiate. Others probe with a first process and start another.
  const client = await started("legacy", usual);
  const key = () => ({ idempotency_key: randomUUID() });
  const me = { name: "Test agent", contact_email: "agent@example.com" };
  await call(client, "register_agent", { ...me, ...key() });
  const quote = await call(client, "request_quote", { ...quoteRequest(), ...key() });
  const { id, quote_hash } = quote.structuredContent;
  const checkout = await call(client, "create_checkout", { quote_id: id, quote_hash, ...key() });
  const page = await fetch(checkout.structuredContent.review_url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Pay $")]);
  await client.close();
});

test("when two clients share a port, the second serves the pages after the first exits", async ({
  env,
}) => {
  const shared = { ...env, PORT: await freePort() };
  const first = await started("legacy", shared);
  const second = await started("legacy", shared);
  const key = () => ({ idempotency_key: randomUUID() });
  const me = { name: "Test agent", contact_email: "agent@example.com" };
  await call(second, "register_agent", { ...me, ...key() });
  const quote = await call(second, "request_quote", { ...quoteRequest(), ...key() });
  const { id, quote_hash } = quote.structuredContent;
  const checkout = await call(second, "create_checkout", { quote_id: id, quote_hash, ...key() });
  const { review_url } = checkout.structuredContent;
  const opens = () =>
    fetch(review_url)
      .then(({ ok }) => ok)
      .catch(() => false);
  expect(await opens()).toBe(true);
  await first.close();
  await eventually(opens);
  await payAsBuyer(new URL(review_url).origin, review_url);
  const order = await eventually(async () => {
    const found = await call(second, "get_quote_order", { quote_id: id });
    return bought(found);
  });
  expect(order).toMatchObject({ quote_id: id, status: "CONFIRMED" });
  await second.close();
});

test("a second client that cannot serve the pages warns once, despite many tries", async ({
  env,
}) => {
  const other = createServer();
  onTestFinished(() => void other.close());
  const METRICS_PORT = String(await listenLocally(other));
  const shared = { ...env, PORT: await freePort() };
  const first = await started("legacy", shared);
  const second = spawn(process.execPath, [COMMAND, "stdio"], {
    env: { ...shared, METRICS_PORT, LOG_LEVEL: "debug" },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let log = "";
  second.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const times = (words: string) => log.split(words).length - 1;
  await eventually(async () => times("already running and serves the pages") === 1);
  await first.close();
  await eventually(async () => times("the pages are not served") > 2);
  second.stdin.end();
  await once(second, "exit");
  const warned = log.split("\n").filter((line) => line.includes('"level":"warn"'));
  expect(warned).toEqual([
    expect.stringContaining(`Cannot listen on METRICS_PORT ${METRICS_PORT}`),
  ]);
});

test("stdout has only JSON-RPC, the tools match the sources, and the end of stdin ends the process", async ({
  env,
}) => {
  const child = spawn(process.execPath, [COMMAND, "stdio"], {
    cwd: ROOT,
    env: { ...env, LOG_LEVEL: "debug" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    output += chunk;
    if (output.includes('"id":2')) child.stdin.end();
  });
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  };
  for (const message of [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  ]) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
  const lines = output.trim().split("\n");
  const answers = lines.map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  const { keyed } = toolLists(contents.operations, contents.resources);
  expect(answers[1].result.tools).toEqual(keyed);
});
