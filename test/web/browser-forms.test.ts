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

it("a browser keeps its cart for 30 days", async () => {
  const set = (await add({ accept: "text/html" })).headers.get("set-cookie");
  expect(set).toMatch(/^cart=chk_[\w-]{22}\.1; Max-Age=2592000; Path=\/; /);
});
