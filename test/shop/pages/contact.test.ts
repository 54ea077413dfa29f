/** Every page for buyers names the support address. */
import { afterAll, expect, it, test } from "vitest";
import { form, purchase, readyQuote } from "../../support/purchase.ts";
import { startService } from "../../support/service.ts";
import { gallery } from "./gallery.ts";
import { SUPPORT_EMAIL } from "./views.ts";

const NAMED = `href="mailto:${SUPPORT_EMAIL}"`;

const service = await startService({ SUPPORT_EMAIL });
afterAll(() => service.stop());

test.each(Object.keys(gallery).filter((name) => !name.startsWith("desk-")))(
  "%s names it",
  (name) => {
    expect(gallery[name]).toContain(NAMED);
  },
);

const headers = { accept: "text/html" };

/** Pages of the service by address, following all links from these addresses. */
async function pagesFrom(addresses: readonly string[]): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const ahead = [...addresses];
  const seen = new Set(ahead);
  for (let address = ahead.shift(); address !== undefined; address = ahead.shift()) {
    const answer = await fetch(new URL(address, service.baseUrl), { headers });
    const text = await answer.text();
    if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
    pages.set(address, text);
    for (const [, href = ""] of text.matchAll(/href="([^"]+)"/g)) {
      const to = new URL(href.replaceAll("&amp;", "&"), new URL(address, service.baseUrl));
      const next = to.pathname + to.search;
      if (to.origin !== new URL(service.baseUrl).origin || /^\/desk/.test(next)) continue;
      if (!seen.has(next)) ahead.push(next);
      seen.add(next);
    }
  }
  return pages;
}

it("every page of the service names the support address, including errors and payment pages", async () => {
  const { baseUrl } = service;
  const bought = await purchase(baseUrl);
  const { reviewUrl } = await readyQuote(baseUrl);
  const paying = await fetch(reviewUrl, { ...form({}), redirect: "manual" });
  const pages = await pagesFrom([
    "/",
    "/no-such-page",
    "/checkout/no-such-token",
    "/v1/quick-checkout?bag=colombia-huila&qty=1",
    "/v1/quick-checkout?bag=none&qty=1",
    "/beans/colombia-huila",
    "/waitlist?bean=rwanda-huye&bags=100",
    new URL(bought.reviewUrl).pathname,
    new URL(reviewUrl).pathname,
    new URL(paying.headers.get("location")!, baseUrl).pathname,
  ]);
  const without = [...pages].filter(([, page]) => !page.includes(NAMED));
  expect(without.map(([address]) => address)).toEqual([]);
  expect(pages.size).toBeGreaterThan(10);
});
