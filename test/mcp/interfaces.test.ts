import { randomUUID } from "node:crypto";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, test } from "vitest";
import { CLIENTS, call, overHttp, overPipes, startStdio } from "../support/mcp-clients.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { quoteRequest, register } from "../support/shopper.ts";

const served = await startService({}, REAL_CLOCK);
afterAll(() => served.stop());
const key = await register(served.baseUrl);

const TRANSPORTS = CLIENTS.flatMap((kind) => [
  [kind, "HTTP", () => overHttp(served.baseUrl, kind, { key })] as const,
  [kind, "stdio", () => overPipes(startStdio(served.service, key), kind)] as const,
]);

describe.each(TRANSPORTS)("the %s client over %s", (kind, _transport, connect) => {
  test("finds every tool and reads the catalog with it", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("request_quote");
    const { structuredContent, content } = await call(client, "get_catalog");
    expect(structuredContent.products).toHaveLength(4);
    for (const { product_id } of structuredContent.products) {
      expect(content[0].text).toContain(product_id);
    }
  });

  test("speaks its own protocol version", async () => {
    const client = await connect();
    const version = client.getNegotiatedProtocolVersion?.();
    if (kind === "pinned" || kind === "auto") expect(version).toBe("2026-07-28");
    if (kind === "legacy") expect(version).toBe("2025-11-25");
  });

  test("quotes and gets the review link", async () => {
    const client = await connect();
    const quote = await quoted(client);
    const checkout = await call(client, "create_checkout", {
      quote_id: quote.id,
      quote_hash: quote.quote_hash,
      idempotency_key: randomUUID(),
    });
    expect(checkout.structuredContent.review_url).toContain(`${served.baseUrl}/review/`);
    expect(checkout.content).toContainEqual(
      expect.objectContaining({ type: "resource_link", uri: `coffee://quotes/${quote.id}` }),
    );
  });

  test("gets all problems at once, in text", async () => {
    const client = await connect();
    const result = await call(client, "request_quote", {
      shipments: [],
      discount_cod: "FIRSTBAG",
      idempotency_key: "a",
    });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    expect(result.content[0].text).toMatch(/^VALIDATION_FAILED: /);
    for (const pointer of ["/buyer", "/discount_cod", "/shipments"]) {
      expect(result.content[0].text).toContain(pointer);
    }
    expect(result._meta["coffee/error"]).toEqual({
      code: "VALIDATION_FAILED",
      status: 422,
      retryable: false,
      request_id: expect.stringMatching(/^req_/),
    });
  });

  test("ORDER_NOT_READY before payment is no error", async () => {
    const client = await connect();
    const { id } = await quoted(client);
    const result = await call(client, "get_quote_order", { quote_id: id });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ status: "ORDER_NOT_READY", retryable: true });
    expect(result.content[0].text).toMatch(/^ORDER_NOT_READY: /);
  });

  test("an unknown tool is a protocol error, -32602", async () => {
    const client = await connect();
    await expect(call(client, "buy_everything")).rejects.toMatchObject({ code: -32602 });
  });

  test("reads its quote as a resource; a missing one is -32602", async () => {
    const client = await connect();
    const quote = await quoted(client);
    const { contents } = await client.readResource({ uri: `coffee://quotes/${quote.id}` });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id: quote.id });
    await expect(client.readResource({ uri: "coffee://quotes/qte_none" })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.readResource({ uri: "coffee://nothing" })).rejects.toMatchObject({
      code: -32602,
    });
  });
});

async function quoted(client: Client) {
  const result = await call(client, "request_quote", {
    ...quoteRequest(),
    idempotency_key: randomUUID(),
  });
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
  return result.structuredContent;
}
