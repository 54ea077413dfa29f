import { afterAll, describe, expect, test } from "vitest";
import { DAY, startService, testClock } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

const clock = testClock();
const shop = await startService({ SUPPORT_EMAIL: "help@coffee.example" }, clock);
afterAll(() => shop.stop());

const get = (path: string, method = "GET") => send(shop.baseUrl, path, { method });

describe("llms.txt", () => {
  const text = async () => (await get("/llms.txt")).text;

  test("shows a quote body that is accepted unchanged", async () => {
    const [, body] = /```json\n([\s\S]*?)\n```/.exec(await text())!;
    const key = await register(shop.baseUrl);
    const quote = await send(shop.baseUrl, "/v1/quote-requests", { key, body: JSON.parse(body!) });
    expect([quote.status, quote.body.status]).toEqual([201, "OPEN"]);
    expect(quote.body.terms.discount_code).toMatchObject({ applied: true });
    expect(quote.body.terms.shipments[0].gift_notes).toHaveLength(1);
  });

  test("has a working quick-checkout link with every parameter", async () => {
    const found = await text();
    const link = found.match(/^http\S+\/v1\/quick-checkout\?\S+$/m)![0];
    const { body } = await send(shop.baseUrl, link);
    expect((await send(shop.baseUrl, body.checkout_url)).status).toBe(200);
    const [, way] = found.match(/(http\S+\/v1\/link-orders\?\S+checkout_url=)</)!;
    const followed = await send(
      shop.baseUrl,
      `${way}${body.checkout_url}`.replace("wait=25", "wait=0"),
    );
    expect(followed.body).toMatchObject({ status: "OPEN" });
    const { paths } = (await get("/openapi.json")).body;
    const parameters: { name: string }[] = paths["/v1/quick-checkout"].get.parameters;
    expect(parameters.length).toBe(7);
    for (const { name } of parameters) expect(found).toMatch(new RegExp(`^- ${name}: `, "m"));
  });
});

describe("a client that knows only the address", () => {
  test("finds more in the front page's Link header, by GET and HEAD", async () => {
    for (const method of ["GET", "HEAD"]) {
      const link = (await get("/", method)).headers.get("link") ?? "";
      const relations = [...link.matchAll(/<([^>]+)>; rel="([^"]+)"/g)];
      expect(relations.map(([, , rel]) => rel)).toEqual([
        "service-desc",
        "service-doc",
        "service-meta",
      ]);
      for (const [, path] of relations) expect((await get(path!)).status).toBe(200);
    }
  });
});

describe("crawlers", () => {
  test("find only public pages in the sitemap that robots.txt names", async () => {
    const robots = (await get("/robots.txt")).text;
    const sitemap = /^Sitemap: (\S+)$/m.exec(robots)![1]!;
    const { headers, text } = await send(shop.baseUrl, sitemap);
    expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const pages = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);
    const beans = shop.service.merchant.catalog.products.map((bean) => `/beans/${bean.product_id}`);
    for (const path of ["/", ...beans]) expect(pages).toContain(`${shop.baseUrl}${path}`);
    const closed = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, path]) => path!);
    for (const url of pages) {
      const page = await send(shop.baseUrl, url, { headers: { accept: "text/html" } });
      expect([page.status, page.headers.get("x-robots-tag")]).toEqual([200, null]);
      expect(closed.some((path) => new URL(url).pathname.startsWith(path))).toBe(false);
    }
  });
});

describe("security.txt", () => {
  const PATH = "/.well-known/security.txt";

  test("names the shop's contact and always expires within a year", async () => {
    const { status, headers, text } = await get(PATH);
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toContain("Contact: mailto:help@coffee.example\n");
    expect(text).toContain(`Canonical: ${shop.baseUrl}${PATH}\n`);
    for (const later of [0, 400]) {
      clock.advance(later * DAY);
      const [, expires] = /^Expires: (.*)$/m.exec((await get(PATH)).text)!;
      const days = (Date.parse(expires!) - clock.now()) / DAY;
      expect(days).toBeGreaterThan(150);
      expect(days).toBeLessThan(365);
    }
  });

  test("is missing if the shop has no contact address", async () => {
    const nameless = await startService();
    const { status } = await send(nameless.baseUrl, PATH);
    await nameless.stop();
    expect(status).toBe(404);
  });
});
