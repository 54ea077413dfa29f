/** Headers of errors, and the answer without a store. */
import { afterAll, describe, expect, it, test } from "vitest";
import { expectRefusal } from "../support/refusal.ts";
import { startService } from "../support/service.ts";
import { register, type Send, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());

const ask = (path: string, options: Send = {}) => send(service.baseUrl, path, options);

describe("headers of an error", () => {
  it("401 names the scheme, and says when the key was bad", async () => {
    const missing = await ask("/v1/orders");
    expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="coffee-merchant"');
    const bad = await ask("/v1/orders", { key: "cma_bad" });
    expect(bad.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test.each([
    ["PUT", "/v1/quote-requests", "POST, OPTIONS"],
    ["DELETE", "/v1/orders", "GET, HEAD, OPTIONS"],
    ["POST", "/v1/catalog", "GET, HEAD, OPTIONS"],
    ["GET", "/v1/agents/register", "POST, OPTIONS"],
    ["GET", "/webhooks/stripe", "POST, OPTIONS"],
    ["POST", "/openapi.json", "GET, HEAD, OPTIONS"],
    ["PATCH", "/healthz", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 and Allow says %s", async (method, path, allow) => {
    const answer = await ask(path, { method });
    expectRefusal(answer, "METHOD_NOT_ALLOWED");
    expect(answer.headers.get("allow")).toBe(allow);
  });

  test.each([
    ["/v1/orders", "GET, HEAD, OPTIONS"],
    ["/mcp", "POST, OPTIONS"],
  ])("OPTIONS %s answers the methods and nothing else", async (path, allow) => {
    const answer = await ask(path, { method: "OPTIONS" });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers.get("allow")).toBe(allow);
  });
});

it("an unavailable store is 503 without internals", async () => {
  const broken = await startService();
  const brokenKey = await register(broken.baseUrl);
  await broken.store.close();
  const answer = await send(broken.baseUrl, "/v1/orders", { key: brokenKey });
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ code: "STORE_UNAVAILABLE", retryable: true });
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(answer.text).not.toMatch(/sqlite|drizzle|database|\.ts/i);
  const ready = await send(broken.baseUrl, "/readyz");
  expect(ready.status).toBe(503);
  expect(ready.body.checks).toMatchObject({ database: false });
  await broken.stop();
});
