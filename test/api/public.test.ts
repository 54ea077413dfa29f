/** Public documents, their caching, and the headers of every response. */
import { afterAll, describe, expect, it, test } from "vitest";
import { startService } from "../support/service.ts";
import { type Send, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());

const get = (path: string, more: Send = {}) => send(service.baseUrl, path, more);

describe("public documents", () => {
  test.each([
    ["/v1/catalog", "application/json"],
    ["/openapi.json", "application/json"],
    ["/agent-info", "application/json"],
    ["/healthz", "application/json"],
    ["/readyz", "application/json"],
    ["/", "text/html"],
    ["/errors", "text/html"],
    ["/llms.txt", "text/plain"],
    ["/robots.txt", "text/plain"],
    ["/assets/style.css", "text/css"],
    ["/assets/coffee.jpg", "image/jpeg"],
  ])("%s answers GET, HEAD and OPTIONS", async (path, type) => {
    const [full, head, options] = [
      await get(path),
      await get(path, { method: "HEAD" }),
      await get(path, { method: "OPTIONS" }),
    ];
    expect(full.status).toBe(200);
    expect(full.headers.get("content-type")).toContain(type);
    expect(full.headers.get("request-id")).toMatch(/^req_/);
    expect(full.text.length).toBeGreaterThan(0);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe(full.headers.get("content-type"));
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  });

  it("explain every error code at its own anchor", async () => {
    const { text } = await get("/errors");
    const refusal = await get("/v1/nothing");
    const anchor = new URL(refusal.body.type).hash.slice(1);
    expect(text).toContain(`id="${anchor}"`);
  });
});

describe("browsers of other sites", () => {
  it("can read the catalog, and everything else only if they are named", async () => {
    const headers = { origin: "https://other.example" };
    const allowed = async (base: string, path: string) =>
      (await send(base, path, { headers })).headers.get("access-control-allow-origin");
    expect(await allowed(service.baseUrl, "/v1/catalog")).toBe("*");
    expect(await allowed(service.baseUrl, "/v1/orders")).toBeNull();
    const open = await startService({ CORS_ORIGINS: "https://other.example" });
    expect(await allowed(open.baseUrl, "/v1/orders")).toBe("https://other.example");
    await open.stop();
  });
});
