import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { send } from "../support/shopper.ts";
import { BROWSER, cartPage, submit } from "./quick-checkout/checkout.ts";

let shop: TestService;
let secretPages: Record<string, string>;
beforeAll(async () => {
  shop = await startService();
  const checkout = await cartPage(shop.baseUrl, "items=kenya-nyeri:1");
  const sent = await submit(shop.baseUrl, checkout, { email: newEmail() });
  const review = sent.headers.get("location") ?? "";
  const started = await send(shop.baseUrl, review, { method: "POST" });
  secretPages = { checkout, review, payment: started.headers.get("location") ?? "" };
});
afterAll(() => shop.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  send(shop.baseUrl, path, { headers });

describe("documents that change", () => {
  test.each(["/", "/agent-info", "/llms.txt"])("%s is revalidated by its ETag", async (path) => {
    const first = await get(path);
    // Proxies must not rewrite HTML.
    const page = path === "/" ? ", no-transform" : "";
    expect(first.headers.get("cache-control")).toBe(`public, no-cache${page}`);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get(path, { "if-none-match": tags });
      expect([again.status, again.text]).toEqual([304, ""]);
    }
    await shop.service.merchant.admin("cli").courtesy.firstOrder({ on: false });
    const changed = await get(path, { "if-none-match": etag });
    await shop.service.merchant.admin("cli").courtesy.firstOrder({ on: true });
    expect(changed.status).toBe(200);
  });

  test("the front page shows a sold-out bean at once", async () => {
    const { stock } = shop.service.merchant.admin("cli");
    expect((await get("/")).text).not.toContain("Sold out");
    await stock.set({ product_id: "peru-cajamarca-decaf", on_hand: 0 });
    const { text } = await get("/");
    await stock.set({ product_id: "peru-cajamarca-decaf", on_hand: 100 });
    expect(text).toContain("Sold out");
  });
});

describe("pages with a token in their address", () => {
  test.each(["checkout", "review", "payment"])("%s is not cached and not indexed", async (name) => {
    const { status, headers, text } = await get(secretPages[name] ?? "");
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(text).toContain('<meta name="robots" content="noindex, nofollow">');
  });

  test("robots.txt asks search engines to stay out of them", async () => {
    const { text } = await get("/robots.txt");
    for (const address of Object.values(secretPages)) {
      const rules = [...text.matchAll(/^Disallow: (\S+)$/gm)].map(([, path]) => path ?? "");
      expect(rules.some((rule) => new URL(address).pathname.startsWith(rule))).toBe(true);
    }
  });
});

describe("every page", () => {
  test.each(["/", "/errors", "/quick-checkout-link", "/nothing-here", "checkout", "review"])(
    "%s declares its language, loads nothing from elsewhere and posts only to its own forms",
    async (path) => {
      const { headers, text } = await get(secretPages[path] ?? path, BROWSER);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("content-language")).toBe("en");
      expect(text).toContain('<html lang="en">');
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain(`form-action 'self' ${shop.baseUrl}`);
      const loaded = [
        ...text.matchAll(/<(?:link(?! rel="canonical")|img)[^>]* (?:href|src)="([^"]+)"/g),
      ];
      for (const [, address = ""] of loaded) {
        expect(address).toMatch(/^\/assets\//);
        expect((await get(address)).status).toBe(200);
      }
    },
  );

  test("has one stylesheet with every part", async () => {
    const { text } = await get("/assets/style.css");
    const folder = new URL("../../src/web/styles/", import.meta.url);
    const parts = readdirSync(folder);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) expect(text).toContain(readFileSync(new URL(part, folder), "utf8"));
  });

  test("has an icon, also at the browsers' default address", async () => {
    const { status, headers } = await get("/favicon.ico");
    expect([status, headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  });
});

describe("an unknown address", () => {
  const JSON_FIRST = { accept: "application/json, text/html;q=0.9" };
  test.each<[string, string, Record<string, string>, string]>([
    ["a browser gets a page", "/nothing", BROWSER, "text/html"],
    ["also below a page's path", "/review/nothing", BROWSER, "text/html"],
    ["a program gets JSON", "/nothing", {}, "application/problem+json"],
    ["a program that names JSON first, too", "/nothing", JSON_FIRST, "application/problem+json"],
    ["the API is JSON for everybody", "/v1/nothing", BROWSER, "application/problem+json"],
    ["so is MCP's discovery", "/.well-known/oauth", {}, "application/problem+json"],
  ])("%s", async (_name, path, headers, type) => {
    const answer = await get(path, headers);
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toContain(type);
    expect(answer.headers.get("request-id")).toMatch(/^req_/);
  });

  test("a browser's wrong method is a page with Allow", async () => {
    const answer = await send(shop.baseUrl, "/errors", { method: "POST", headers: BROWSER });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(answer.text).toContain("This page doesn’t work that way");
  });

  test("an internal error is a page without internals, for a browser", async () => {
    const { queries } = shop.store;
    const { stock } = queries;
    Object.assign(queries, { stock: () => Promise.reject(new Error("secret internals")) });
    const answer = await get("/", BROWSER);
    Object.assign(queries, { stock });
    expect(answer.status).toBe(500);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(answer.text).toContain("INTERNAL");
    expect(answer.text).not.toContain("secret internals");
  });
});
