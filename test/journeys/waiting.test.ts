/** A wait for an order answers at once with any news of its payment, at every instance (contract §5). */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { cartPage, submit } from "../shop/quick-checkout/checkout.ts";
import { lastingDatabase } from "../support/lasting-database.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { form, newEmail, orderOf, readyQuote } from "../support/purchase.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Answer, DECLINED, payAt, quoteRequest, register, send } from "../support/shopper.ts";

const BEAN = "rwanda-huye";

/** Buyers are at the first instance, agents wait at the second. */
let shop: TestService;
let other: TestService;
let database: Awaited<ReturnType<typeof lastingDatabase>>;
beforeAll(async () => {
  database = await lastingDatabase();
  const env = { DATABASE_URL: database.url, RATE_LIMITS: "off" };
  shop = await startService(env);
  other = await startService({ ...env, BASE_URL: shop.baseUrl }, shop.clock);
});
afterAll(async () => {
  await Promise.all([shop.stop(), other.stop()]);
});

const otherUrl = () => `http://127.0.0.1:${other.port}`;
const locationOf = (answer: Answer): string => answer.headers.get("location") ?? "";

/** Presses pay; returns the payment page. */
const press = async (reviewUrl: string): Promise<string> =>
  locationOf(await send(shop.baseUrl, reviewUrl, form({})));

const setStock = (on_hand: number) =>
  shop.service.merchant.admin("cli").stock.set({ product_id: BEAN, on_hand });

interface Purchase {
  reviewUrl: string;
  /** Waits, and answers what an agent reads. */
  wait: () => Promise<string>;
}

async function keyed(over: "HTTP" | "MCP", quantity: number, bean: string): Promise<Purchase> {
  const { key, quote, reviewUrl } = await readyQuote(shop.baseUrl, { product_id: bean, quantity });
  const wait = async () => {
    if (over === "HTTP") {
      const path = `/v1/quotes/${quote.id}/order?wait=25`;
      return (await send(otherUrl(), path, { key })).text;
    }
    const args = { quote_id: quote.id, wait: 25 };
    return JSON.stringify(await rpcTool(otherUrl(), "get_quote_order", args, key));
  };
  return { reviewUrl, wait };
}

async function linked(quantity: number, bean: string): Promise<Purchase> {
  const page = await cartPage(shop.baseUrl, `items=${bean}:${quantity}`);
  const reviewUrl = locationOf(await submit(shop.baseUrl, page, { email: newEmail() }));
  const path = `/v1/link-orders?${new URLSearchParams({ checkout_url: page, wait: "25" })}`;
  return { reviewUrl, wait: async () => (await send(otherUrl(), path)).text };
}

/** Begins to wait, lets something happen, and returns the answer, which must not take the whole time. */
async function during({ wait }: Pick<Purchase, "wait">, happens: () => Promise<unknown>) {
  const listening = vi.spyOn(other.store, "onNews");
  const began = performance.now();
  const answer = wait();
  await vi.waitFor(() => expect(listening).toHaveBeenCalled());
  listening.mockRestore();
  await happens();
  const text = await answer;
  expect(performance.now() - began).toBeLessThan(20_000);
  return text;
}

describe.each([
  ["over HTTP", (bags: number, bean: string) => keyed("HTTP", bags, bean)],
  ["over MCP", (bags: number, bean: string) => keyed("MCP", bags, bean)],
  ["on a link", linked],
])("a wait for an order %s", (_name, begin) => {
  test("answers a declined card, then the next one, then the order", async () => {
    await setStock(40);
    const purchase = await begin(1, BEAN);
    const hosted = await press(purchase.reviewUrl);
    const declined = await during(purchase, () => payAt(hosted, DECLINED));
    expect(declined).toContain("declined and not charged");
    expect(declined).toContain("another card may do");
    const paid = await during(purchase, () => payAt(hosted));
    expect(paid).toMatch(/order_confirmed|CONFIRMED/);
  });

  test("answers that a payment was released", async () => {
    await setStock(40);
    const purchase = await begin(1, BEAN);
    const hosted = await press(purchase.reviewUrl);
    shop.control.refuseCapture(hosted.split("/").at(-1)!);
    const released = await during(purchase, () => payAt(hosted));
    expect(released).toContain("could not be captured");
    expect(released).toContain("The buyer can pay again.");
  });

  test.each([
    ["while the payment page is open", true],
    ["before the buyer has pressed pay", false],
  ])("answers that others bought the bags, %s", async (_when, isPressed) => {
    await setStock(5);
    const purchase = await begin(4, BEAN);
    const rival = await readyQuote(shop.baseUrl, { product_id: BEAN, quantity: 3 });
    if (isPressed) await press(purchase.reviewUrl);
    const lost = await during(purchase, async () => {
      await payAt(await press(rival.reviewUrl));
      await orderOf(shop.baseUrl, rival.key, rival.quote.id);
    });
    expect(lost).toContain("Others bought the bags first");
  });

  test("answers a bank debit that settles in days", async () => {
    // It keeps its bags for days.
    const purchase = await begin(1, "kenya-nyeri");
    const hosted = await press(purchase.reviewUrl);
    const settling = await during(purchase, () => payAt(hosted, "bank_debit"));
    expect(settling).toContain("settles in days");
  });

  test("answers when the time to pay is over", async () => {
    await setStock(40);
    const purchase = await begin(1, BEAN);
    const [id] = /qte_[0-9a-f]+/.exec(purchase.reviewUrl)!;
    const { quote } = (await shop.store.queries.quote(id))!;
    const left = 1000;
    shop.clock.advance(quote.expires_at - shop.clock.now() - left);
    const over = await during(purchase, async () => shop.clock.advance(left));
    expect(over).toMatch(/The quote expired at|ended without an order/);
  });
});

test("a wait for an order answers once a newer quote has replaced its own", async () => {
  await setStock(40);
  const { key, quote } = await readyQuote(shop.baseUrl, { product_id: BEAN });
  const wait = async () =>
    (await send(otherUrl(), `/v1/quotes/${quote.id}/order?wait=25`, { key })).text;
  const body = { ...quoteRequest({ product_id: BEAN, quantity: 2 }), replaces: quote.id };
  const replaced = await during({ wait }, () =>
    send(shop.baseUrl, "/v1/quote-requests", { key, body }),
  );
  expect(replaced).toContain("A newer quote of the same purchase has replaced this one.");
});

test("a wait on a checkout answers once it is canceled", async () => {
  const headers = { "ucp-agent": 'profile="https://agent.example/profile"' };
  const { body } = await send(shop.baseUrl, "/ucp/checkout-sessions", {
    body: { line_items: [{ item: { id: BEAN }, quantity: 1 }] },
    headers,
  });
  const path = `/v1/link-orders?${new URLSearchParams({ checkout_url: body.continue_url, wait: "25" })}`;
  const wait = async () => (await send(otherUrl(), path)).text;
  const canceled = await during({ wait }, () =>
    send(shop.baseUrl, `/ucp/checkout-sessions/${body.id}/cancel`, { method: "POST", headers }),
  );
  expect(canceled).toContain("was canceled");
});

test("a wait for a place on a waitlist answers once there are bags", async () => {
  const key = await register(shop.baseUrl);
  await setStock(3);
  const { body } = await send(shop.baseUrl, "/v1/waitlist", {
    key,
    body: { product_id: BEAN, quantity: 20, buyer: { email: newEmail() } },
  });
  const wait = async () =>
    (await send(otherUrl(), `/v1/waitlist/${body.id}?wait=25`, { key })).text;
  const there = await during({ wait }, () => setStock(40));
  expect(there).toContain("WAITING");
});
