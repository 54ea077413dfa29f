/** Links open however they were pasted: cut by a Markdown renderer, or with the end of a sentence. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { derivedToken, linkedId, linkToken, newId } from "../../src/core/ids.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { newEmail, readyQuote } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

const TAILS = [".", ")", ",", ">", "*", "**", "_", ").", "…", "\u200b", "”"];

let shop: TestService;
beforeAll(async () => {
  shop = await startService();
});
afterAll(() => shop.stop());

it("a new token ends in a letter or digit; old and cut ones are understood", () => {
  const ids = Array.from({ length: 400 }, () => newId("qte", 0));
  const secret = randomBytes(32);
  const old = ids.map((id) => `${id}.${derivedToken(secret, "review", id)}`);
  expect(old.some((token) => /[-_]$/.test(token))).toBe(true);
  for (const [i, id] of ids.entries()) {
    const token = linkToken(secret, "review", id);
    expect(token).toMatch(/[A-Za-z0-9]$/);
    const cut = old[i]!.replace(/[-_]+$/, "");
    for (const pasted of [token, old[i]!, cut, `${cut}).`]) {
      expect(linkedId(secret, "review", pasted)).toBe(id);
    }
    expect(linkedId(secret, "review", token.slice(0, -1))).toBeUndefined();
  }
});

async function everyLink(): Promise<Record<string, string>> {
  const { baseUrl } = shop;
  const { key, reviewUrl } = await readyQuote(baseUrl);
  const { stock } = shop.service.merchant.admin("cli");
  await stock.set({ product_id: WAITLISTED, on_hand: 0 });
  const wish = { product_id: WAITLISTED, quantity: 20, buyer: { email: newEmail() } };
  const place = await send(baseUrl, "/v1/waitlist", { key, body: wish });
  const cart = "/v1/quick-checkout?items=kenya-nyeri:1&discount_code=FIRSTBAG";
  const { body } = await send(baseUrl, `${cart}&format=json`);
  const paying = await send(baseUrl, (await readyQuote(baseUrl)).reviewUrl, { method: "POST" });
  const hosted = paying.headers.get("location")!;
  return { reviewUrl, place: place.body.status_url, page: body.checkout_url, cart, hosted };
}

it("every kind of link opens with what was pasted after it", async () => {
  for (const [kind, link] of Object.entries(await everyLink())) {
    const whole = await send(shop.baseUrl, link);
    expect([200, 303], kind).toContain(whole.status);
    // In a cart's link a comma announces another bean.
    for (const tail of TAILS.filter((one) => kind !== "cart" || one !== ",")) {
      const { status } = await send(shop.baseUrl, link + encodeURIComponent(tail));
      expect({ kind, tail, status }).toEqual({ kind, tail, status: whole.status });
    }
  }
});

it("tools and the desk understand pasted links too", async () => {
  const { baseUrl } = shop;
  const key = await register(baseUrl);
  const { quote, reviewUrl } = await readyQuote(baseUrl, {}, key);
  for (const pasted of [`${quote.id}.`, `${reviewUrl}).`, `<${reviewUrl}>`]) {
    const found = await send(baseUrl, `/v1/quotes/${encodeURIComponent(pasted)}`, { key });
    expect(found.body.id).toBe(quote.id);
  }
  const { body } = await send(baseUrl, "/v1/quick-checkout?items=kenya-nyeri:1&format=json");
  const asked = encodeURIComponent(`[Pay](${body.checkout_url}).`);
  const order = await send(baseUrl, `/v1/link-orders?checkout_url=${asked}`);
  expect(order.body.status).toBe("OPEN");
  const link = await shop.service.merchant.desk.link();
  const raw = new URLSearchParams({ secret: `<${link.sign_in}>.` }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const signedIn = await send(baseUrl, "/desk/sign-in", { method: "POST", raw, headers });
  expect(signedIn.status).toBe(303);
});
