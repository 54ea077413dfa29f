import { afterAll, describe, expect, test } from "vitest";
import { readyQuote } from "../support/purchase.ts";
import { expectRefusal } from "../support/refusal.ts";
import { startService } from "../support/service.ts";
import { quoteRequest, register, send } from "../support/shopper.ts";

const shop = await startService({ SUPPORT_EMAIL: "help@coffee.example" });
afterAll(() => shop.stop());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  send(shop.baseUrl, path, { headers, method });

const CHROME = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

describe("Accept", () => {
  test.each([
    ["/", "*/*", "text/html"],
    ["/", CHROME, "text/html"],
    ["/", "text/markdown", "text/markdown"],
    ["/", "text/markdown, text/html;q=0.9, */*;q=0.1", "text/markdown"],
    ["/", "text/markdown;q=0.5, text/html", "text/html"],
    ["/", "image/png", "text/html"],
    ["/llms.txt", "*/*", "text/plain"],
    ["/llms.txt", "text/markdown, text/html, */*", "text/markdown"],
    ["/llms.txt", CHROME, "text/html"],
    ["/llms.txt", "text/html;q=0", "text/plain"],
  ])("%s for %s is %s", async (path, accept, type) => {
    const { status, headers, text } = await get(path, { accept });
    expect([status, headers.get("content-type")]).toEqual([200, `${type}; charset=utf-8`]);
    expect(headers.get("vary")).toMatch(/\bAccept\b(?!-)/);
    expect(text.startsWith("# Coffee Merchant")).toBe(type !== "text/html");
  });

  test("the front page is /agent-info as JSON", async () => {
    const page = await get("/", { accept: "application/json" });
    expect(page.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(page.body).toEqual((await get("/agent-info")).body);
  });

  test("the guide's page has the same content as its text", async () => {
    const page = (await get("/llms.txt", { accept: "text/html" })).text;
    const { text } = await get("/llms.txt");
    const steps = [...text.matchAll(/^(?:\d+\.|-) ([A-Za-z_]+)/gm)].map(([, word]) => word!);
    expect(steps.length).toBeGreaterThan(12);
    for (const word of steps) expect(page).toContain(word);
  });

  test.each(["/v1/catalog", "/v1/policy", "/agent-info", "/openapi.json", "/v1/ask?q=decaf"])(
    "%s is JSON whatever is accepted",
    async (path) => {
      for (const accept of ["text/html", "text/markdown", "application/json", "text/*"]) {
        const { status, headers } = await get(path, { accept });
        expect([status, headers.get("content-type")]).toEqual([
          200,
          "application/json; charset=utf-8",
        ]);
      }
    },
  );
});

describe("a missing page", () => {
  const PAGES = [
    ...["/review/none", "/checkout/none", "/sandbox/checkout/none"],
    ...["/waitlist?bean=none", "/waitlist/none", "/waitlist/none/order"],
  ];
  test.each(PAGES)("%s is a page, unless JSON is preferred", async (path) => {
    for (const accept of ["*/*", CHROME, "text/html", "text/*, application/json;q=0.1"]) {
      const { status, headers } = await get(path, { accept });
      expect([accept, status, headers.get("content-type")]).toEqual([
        ...[accept, 404, "text/html; charset=utf-8"],
      ]);
    }
    for (const accept of ["application/json", "application/json, text/html;q=0.9"]) {
      const answer = await get(path, { accept });
      expectRefusal(answer, "NOT_FOUND");
      expect(answer.headers.get("vary")).toMatch(/\bAccept\b/);
    }
  });
});

/** send() unpacks bodies; headers and length are those of the wire. */
const encoded = (path: string, encodings: string) => get(path, { "accept-encoding": encodings });

describe("compression", () => {
  test.each([
    ["br, gzip", "br"],
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", null],
    ["zstd", null],
  ])("documents for %s are sent as %s, each with its own ETag", async (encodings, expected) => {
    for (const path of ["/openapi.json", "/", "/agent-info", "/assets/style.css"]) {
      const { headers, text } = await encoded(path, encodings);
      expect(headers.get("content-encoding")).toBe(expected);
      expect(headers.get("vary")).toContain("Accept-Encoding");
      const etag = headers.get("etag")!;
      expect(etag.endsWith(`-${expected}"`)).toBe(expected !== null);
      expect(text).toBe((await encoded(path, "identity")).text);
      const again = await get(path, { "accept-encoding": encodings, "if-none-match": etag });
      expect([again.status, again.text]).toEqual([304, ""]);
      const head = await get(path, { "accept-encoding": encodings }, "HEAD");
      expect(head.headers.get("content-length")).toBe(headers.get("content-length"));
    }
  });

  test("long answers are compressed too, short ones and pictures never", async () => {
    const { key, quote } = await readyQuote(shop.baseUrl);
    const headers = { "accept-encoding": "gzip" };
    const read = (path: string) => send(shop.baseUrl, path, { key, headers });
    expect((await read(`/v1/quotes/${quote.id}`)).headers.get("content-encoding")).toBe("gzip");
    expect((await read("/v1/orders")).headers.get("content-encoding")).toBeNull();
    expect((await get("/assets/coffee.jpg")).headers.get("content-encoding")).toBeNull();
    expect((await get("/robots.txt")).headers.get("content-encoding")).toBeNull();
  });

  test("so are MCP's lists for a client that accepts it", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "accept-encoding": "gzip",
    };
    const answer = await fetch(`${shop.baseUrl}/mcp`, { method: "POST", body, headers });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const { result } = (await answer.json()) as { result: { tools: object[] } };
    expect(result.tools.length).toBeGreaterThan(10);
  });

  test("pages with a secret address are not compressed", async () => {
    const { reviewUrl } = await readyQuote(shop.baseUrl);
    expect((await get(reviewUrl)).headers.get("content-encoding")).toBeNull();
  });
});

describe("browser pages of other sites", () => {
  const ELSEWHERE = { origin: "https://elsewhere.example" };
  const PUBLIC = [
    "/",
    "/llms.txt",
    "/agent-info",
    "/openapi.json",
    "/errors",
    "/v1/catalog",
    "/v1/policy",
    "/v1/ask?q=decaf",
    "/v1/quick-checkout?bag=kenya-nyeri&qty=1&format=json",
  ];

  test.each(PUBLIC)("may read %s, its refusals and its headers", async (path) => {
    const answers = [await get(path, ELSEWHERE), await get(path, ELSEWHERE, "HEAD")];
    for (const { status, headers } of answers) {
      expect([status, headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      expect(headers.get("access-control-expose-headers")).toMatch(/request-id.*retry-after/);
      expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    }
    const asked = { ...ELSEWHERE, "access-control-request-method": "GET" };
    const preflight = await get(path, asked, "OPTIONS");
    expect([preflight.status, preflight.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET,HEAD");
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(
      /authorization.*ucp-agent,request-id/,
    );
  });

  test("can read the error of a public answer", async () => {
    const refused = await get("/v1/ask", ELSEWHERE);
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
      422,
      "*",
    ]);
  });

  test("may neither read nor write anything else", async () => {
    const { key, reviewUrl } = await readyQuote(shop.baseUrl);
    const keyed = { key, headers: ELSEWHERE };
    for (const answer of [
      await send(shop.baseUrl, "/v1/orders", keyed),
      await get(reviewUrl, ELSEWHERE),
      await get("/nothing", ELSEWHERE),
    ]) {
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(answer.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
    for (const path of ["/v1/agents/register", "/v1/quote-requests", "/v1/catalog"]) {
      const asked = { ...ELSEWHERE, "access-control-request-method": "POST" };
      const { headers } = await get(path, asked, "OPTIONS");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("201", () => {
  test("has a Location if the result can be read", async () => {
    const key = await register(shop.baseUrl);
    const made = await send(shop.baseUrl, "/v1/quote-requests", { key, body: quoteRequest() });
    const location = made.headers.get("location")!;
    expect([made.status, location]).toEqual([201, `/v1/quotes/${made.body.id}`]);
    const read = await send(shop.baseUrl, location, { key });
    expect(read.body.quote_hash).toBe(made.body.quote_hash);
    const told = await send(shop.baseUrl, "/v1/feedback", { key, body: { message: "Thank you." } });
    expect([told.status, told.headers.get("location")]).toEqual([201, null]);
  });
});
