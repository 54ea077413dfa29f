import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { call, overHttp, overPipes, startStdio } from "../support/mcp-clients.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { quoteRequest, register, send } from "../support/shopper.ts";

const served = await startService({}, REAL_CLOCK);
afterAll(() => served.stop());
const key = await register(served.baseUrl);

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const ACCEPT = { accept: "application/json, text/event-stream" };
const registration = () => ({
  name: "Test agent",
  contact_email: "agent@example.com",
  idempotency_key: randomUUID(),
});
const agentArguments = async (client: Awaited<ReturnType<typeof overHttp>>) => {
  const { tools } = await client.listTools();
  return tools.find((tool) => tool.name === "list_orders")?.inputSchema.properties ?? {};
};

/** No tool works on the connection, so the text names its settings. */
const refusedFor = (code: string) => ({
  code: -32010,
  message: expect.stringMatching(new RegExp(`^${code}: .*Remove the Authorization header`)),
  data: { code, status: 401, retryable: false },
});

describe("over HTTP", () => {
  test.each([
    ["of no agent", `Bearer cma_${"a".repeat(49)}`],
    ["that is no key at all", "Bearer hello"],
    ["of another scheme", "Basic aGVsbG86d29ybGQ="],
    ["without a key", "Bearer"],
  ])("an Authorization header %s is refused before anything runs", async (_, header) => {
    const headers = { ...ACCEPT, authorization: header };
    const answer = await send(served.baseUrl, "/mcp", { body: LIST, headers });
    // 401 would start OAuth.
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([200, null]);
    expect(answer.body).toMatchObject({ id: 1, error: refusedFor("UNAUTHENTICATED") });
    const batch = await send(served.baseUrl, "/mcp", { body: [LIST, { ...LIST, id: 2 }], headers });
    expect(batch.body).toMatchObject([1, 2].map((id) => ({ id, error: {} })));
  });

  test.each(["pinned", "auto", "legacy", "sdk-1.x"] as const)(
    "the %s client reports a bad key in words, not as a failed sign-in",
    async (kind) => {
      const connecting = overHttp(served.baseUrl, kind, { key: `cma_${"a".repeat(49)}` }).then(
        (client) => client.listTools(),
      );
      await expect(connecting).rejects.toThrow(
        /UNAUTHENTICATED: .*Remove the Authorization header/,
      );
    },
  );

  test("a revoked key is KEY_REVOKED", async () => {
    const revoked = await register(served.baseUrl);
    const { agents, admin } = served.service.merchant;
    await admin("cli").keys.revoke({ agent_id: (await agents.authenticate(revoked)).id });
    const answer = await send(served.baseUrl, "/mcp", {
      body: LIST,
      key: revoked,
      headers: ACCEPT,
    });
    expect(answer.body.error).toEqual(refusedFor("KEY_REVOKED"));
  });

  test("without a key every tool is listed, and a tool that needs one says how to get it", async () => {
    const client = await overHttp(served.baseUrl, "pinned");
    expect(await agentArguments(client)).toHaveProperty("api_key");
    const result = await call(client, "list_orders");
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/^UNAUTHENTICATED: .*api_key.*register_agent/s);
  });

  test("an api_key argument works on a connection without a key", async () => {
    const client = await overHttp(served.baseUrl, "pinned");
    const args = { ...quoteRequest(), api_key: key, idempotency_key: randomUUID() };
    const { structuredContent, content } = await call(client, "request_quote", args);
    expect(structuredContent.id).toMatch(/^qte_/);
    expect(JSON.stringify(content)).not.toContain("resource_link");
    const wrong = await call(client, "list_orders", { api_key: "cma_wrong" });
    expect(wrong.content[0].text).toMatch(/^UNAUTHENTICATED: /);
    expect(JSON.stringify(wrong)).not.toContain("cma_wrong");
  });

  test("a registration over HTTP says where to put its key", async () => {
    const client = await overHttp(served.baseUrl, "pinned");
    const registered = await call(client, "register_agent", registration());
    expect(registered.content.at(-1).text).toMatch(/api_key argument.*Authorization: Bearer/);
    expect((await call(client, "list_orders")).isError).toBe(true);
  });

  test("a connection with a key lists no api_key argument, takes its own key or null, and refuses another", async () => {
    const client = await overHttp(served.baseUrl, "pinned", { key });
    expect(await agentArguments(client)).not.toHaveProperty("api_key");
    for (const own of [key, `Bearer ${key}`, null]) {
      expect((await call(client, "list_orders", { api_key: own })).isError).toBeFalsy();
    }
    const other = await register(served.baseUrl);
    const result = await call(client, "list_orders", { api_key: other });
    expect(result.content[0].text).toContain('"api_key" is not a field here');
    expect(JSON.stringify(result)).not.toContain(other);
  });

  test("nothing invites a client to start OAuth", async () => {
    for (const path of [
      "oauth-protected-resource",
      "oauth-protected-resource/mcp",
      "oauth-authorization-server",
    ]) {
      expect((await send(served.baseUrl, `/.well-known/${path}`)).status).toBe(404);
    }
  });
});

describe("on stdio", () => {
  test("the connection keeps the key that it registers", async () => {
    const client = await overPipes(startStdio(served.service), "auto");
    expect(await agentArguments(client)).toHaveProperty("api_key");
    const refused = await call(client, "list_orders");
    expect(refused.content[0].text).toMatch(/rest of this connection/);
    const { structuredContent, content } = await call(client, "register_agent", registration());
    expect(content).toHaveLength(1);
    expect((await call(client, "list_orders")).structuredContent.orders).toEqual([]);
    expect(await agentArguments(client)).not.toHaveProperty("api_key");
    const stale = await call(client, "list_orders", { api_key: structuredContent.api_key });
    expect(stale.isError).toBeFalsy();
  });

  test("MERCHANT_API_KEY is the connection's key from the start, and registering changes nothing", async () => {
    const client = await overPipes(startStdio(served.service, key), "auto");
    expect(await agentArguments(client)).not.toHaveProperty("api_key");
    const quote = await call(client, "request_quote", { ...quoteRequest(), idempotency_key: "s1" });
    const registered = await call(client, "register_agent", registration());
    expect(registered.content.at(-1).text).toMatch(/keeps using its earlier key/);
    const again = await call(client, "get_quote", { quote_id: quote.structuredContent.id });
    expect(again.isError).toBeFalsy();
  });

  test("a connection with a bad configured key can register a new one", async () => {
    const client = await overPipes(startStdio(served.service, "cma_bad"), "auto");
    expect((await call(client, "list_orders")).isError).toBe(true);
    await call(client, "register_agent", registration());
    expect((await call(client, "list_orders")).isError).toBeFalsy();
  });
});

describe("one idempotency store behind all interfaces", () => {
  test("a retry over the other interface replays: /v1, then MCP, then stdio", async () => {
    const intent = randomUUID();
    const first = await send(served.baseUrl, "/v1/quote-requests", {
      body: quoteRequest(),
      key,
      idempotencyKey: intent,
    });
    const args = { ...quoteRequest(), idempotency_key: intent };
    const http = await call(
      await overHttp(served.baseUrl, "pinned", { key }),
      "request_quote",
      args,
    );
    const pipes = await overPipes(startStdio(served.service, key), "legacy");
    const stdio = await call(pipes, "request_quote", args);
    const { next, ...answer } = first.body;
    for (const replay of [http, stdio]) {
      const { next: steps, ...replayed } = replay.structuredContent;
      expect(replayed).toEqual(answer);
      // The same steps in each caller's own terms (contract §0).
      const whys = (of: { why: string }[]) => of.map(({ why }) => why);
      expect(whys(steps)).toEqual(whys(next));
      expect(steps[0].action).toBe("create_checkout");
      expect(next[0].action).toBe(`POST /v1/quotes/${answer.id}/checkout`);
      expect(replay._meta["coffee/idempotent-replayed"]).toBe(true);
    }
  });

  test("a key that is no text is refused by its name", async () => {
    const client = await overHttp(served.baseUrl, "pinned", { key });
    const number = await call(client, "request_quote", { ...quoteRequest(), idempotency_key: 7.5 });
    expect(number.content[0].text).toContain("/idempotency_key");
  });
});
