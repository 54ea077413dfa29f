/** Public documents, their caching, and the headers of every response. */
import { afterAll, describe, expect, it, test } from "vitest";
import { readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { type Send, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());

const get = (path: string, more: Send = {}) => send(service.baseUrl, path, more);

describe("the catalog", () => {
  it("holds four beans with the fields of the specification, prices in cents", async () => {
    const { body } = await get("/v1/catalog");
    expect(body).toMatchObject({ contract_version: "opc/0.1", currency: "usd" });
    expect(body.products).toHaveLength(4);
    for (const product of body.products) {
      expect(product).toMatchObject({
        product_id: expect.stringMatching(/^[a-z0-9-]+$/),
        name: expect.any(String),
        name_to_use_with_humans: expect.any(String),
        price_minor: expect.any(Number),
        roast_level: expect.any(String),
        summary: expect.any(String),
        choose_if: expect.any(String),
        image_url: `${service.baseUrl}/assets/coffee.jpg`,
      });
    }
    const flags = (name: string) => body.products.filter((p: Record<string, unknown>) => p[name]);
    expect([flags("decaf").length, flags("locked").length]).toEqual([1, 1]);
  });

  it("is cached by its strong ETag", async () => {
    const first = await get("/v1/catalog");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(first.headers.get("cache-control")).toBe("public, max-age=60");
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/v1/catalog", { headers: { "if-none-match": tag } });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect(again.headers.get("etag")).toBe(etag);
    }
    const other = await get("/v1/catalog", { headers: { "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
  });

  it("needs no key, and ignores a bad one", async () => {
    expect((await get("/v1/catalog", { key: "cma_wrong" })).status).toBe(200);
  });
});

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

describe("pages", () => {
  it("allow no scripts, frames or external resources", async () => {
    const { reviewUrl } = await readyQuote(service.baseUrl);
    const page = await get(reviewUrl);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toMatch(/form-action 'self'/);
    expect(policy).not.toMatch(/unsafe|script-src/);
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("x-powered-by")).toBeNull();
    expect(page.text).not.toMatch(/<script|onclick=|style=/i);
  });

  it("with a secret URL are not cached and send no referrer", async () => {
    const { reviewUrl } = await readyQuote(service.baseUrl);
    const page = await get(reviewUrl);
    expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(page.headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin)$/);
    expect(page.headers.get("x-robots-tag")).toContain("noindex");
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
