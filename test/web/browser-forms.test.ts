/** Forms of browsers: where they come from, and what is kept in the browser. */
import { afterAll, expect, it } from "vitest";
import { form } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

const shop = await startService();
afterAll(() => shop.stop());

/** Adds a bag to the cart. */
const add = (headers: Record<string, string>) => {
  const sent = form({ add: "kenya-nyeri", bags: "1" });
  return send(shop.baseUrl, "/cart", { ...sent, headers: { ...sent.headers, ...headers } });
};

it("a form from another site is refused as such", async () => {
  const answer = await add({ origin: "https://elsewhere.example", accept: "application/json" });
  expect(answer.body).toMatchObject({ code: "ORIGIN_REFUSED", status: 403, retryable: false });
});

it.each<[Record<string, string>, number]>([
  [{ origin: shop.baseUrl }, 303],
  // A page without referrer has no origin to send.
  [{ origin: "null", "sec-fetch-site": "same-origin" }, 303],
  [{ origin: "null", "sec-fetch-site": "cross-site" }, 403],
  [{ origin: "null" }, 403],
  [{ "sec-fetch-site": "none" }, 303],
  [{ "sec-fetch-site": "same-site" }, 403],
  [{}, 303],
])("a form with %j is answered with %i", async (headers, status) => {
  expect((await add(headers)).status).toBe(status);
});

it("a browser keeps its cart for 30 days", async () => {
  const set = (await add({ accept: "text/html" })).headers.get("set-cookie");
  expect(set).toMatch(/^cart=chk_[\w-]{22}\.1; Max-Age=2592000; Path=\/; /);
});
