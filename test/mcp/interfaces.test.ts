import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { operations } from "../../tools/index.ts";
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

test.each(TRANSPORTS)(
  "the %s client over %s buys up to the review link, and is refused in words",
  async (kind, _transport, connect) => {
    const client = await connect();
    const version = client.getNegotiatedProtocolVersion?.();
    if (kind === "pinned" || kind === "auto") expect(version).toBe("2026-07-28");
    if (kind === "legacy") expect(version).toBe("2025-11-25");

    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(operations.map(({ name }) => name));
    const { structuredContent: catalog, content } = await call(client, "get_catalog");
    expect(catalog.products).toHaveLength(4);
    for (const { product_id } of catalog.products) expect(content[0].text).toContain(product_id);
    await expect(call(client, "buy_everything")).rejects.toMatchObject({ code: -32602 });

    const wrong = { shipments: [], discount_cod: "FIRSTBAG", idempotency_key: "a" };
    const refused = await call(client, "request_quote", wrong);
    expect(refused.isError).toBe(true);
    expect(refused.structuredContent).toBeUndefined();
    expect(refused.content[0].text).toMatch(/^VALIDATION_FAILED: /);
    for (const pointer of ["/buyer", "/discount_cod", "/shipments"]) {
      expect(refused.content[0].text).toContain(pointer);
    }
    expect(refused._meta["coffee/error"]).toEqual({
      code: "VALIDATION_FAILED",
      status: 422,
      retryable: false,
      request_id: expect.stringMatching(/^req_/),
    });

    const write = { idempotency_key: randomUUID() };
    const quoted = await call(client, "request_quote", { ...quoteRequest(), ...write });
    const { id: quote_id, quote_hash } = quoted.structuredContent;
    const unpaid = await call(client, "get_quote_order", { quote_id });
    expect(unpaid.isError).toBeFalsy();
    expect(unpaid.structuredContent).toMatchObject({ status: "ORDER_NOT_READY", retryable: true });
    expect(unpaid.content[0].text).toMatch(/^ORDER_NOT_READY: /);
    const checkout = await call(client, "create_checkout", { quote_id, quote_hash, ...write });
    expect(checkout.structuredContent.review_url).toContain(`${served.baseUrl}/review/`);

    const uri = `coffee://quotes/${quote_id}`;
    expect(checkout.content).toContainEqual(
      expect.objectContaining({ type: "resource_link", uri }),
    );
    const { contents } = await client.readResource({ uri });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id: quote_id });
    for (const missing of ["coffee://quotes/qte_none", "coffee://nothing"]) {
      const reading = client.readResource({ uri: missing });
      await expect(reading).rejects.toMatchObject({ code: -32602 });
    }
  },
);
