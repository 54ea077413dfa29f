/** One intent has one effect, however often it is sent (contract §12). */
import { afterAll, describe, expect, it } from "vitest";
import { rival } from "../db/postgres-clients.ts";
import { countRows } from "../support/all-rows.ts";
import { catalogWith, newEmail, orderOf, purchase, readyQuote } from "../support/purchase.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { HOUR, startService } from "../support/service.ts";
import {
  type Answer,
  payAsBuyer,
  quoteRequest,
  register,
  type Send,
  send,
} from "../support/shopper.ts";
import { engine } from "../support/stores.ts";

const folder = await scratchFolder("beans");
const stock = { "peru-cajamarca-decaf": 0, "rwanda-huye": 0 };
const service = await startService({ CATALOG_FILE: await catalogWith(folder, stock) });
afterAll(() => service.stop());

const quotes = () => countRows(service.store, "quotes");
const ask = (
  key: string,
  idempotencyKey: string,
  body: unknown = quoteRequest(),
  more: Send = {},
) => send(service.baseUrl, "/v1/quote-requests", { key, idempotencyKey, body, ...more });

describe("the same key and body", () => {
  it("make one quote, and the second response is a replay", async () => {
    const key = await register(service.baseUrl);
    const before = await quotes();
    const [first, second] = [await ask(key, "same"), await ask(key, "same")];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await quotes()).toBe(before + 1);
  });

  it("replay a DELETE too, of a place that was left before", async () => {
    const key = await register(service.baseUrl);
    const body = { product_id: "rwanda-huye", quantity: 2, buyer: { email: newEmail() } };
    const { id } = (await send(service.baseUrl, "/v1/waitlist", { key, body })).body;
    const leave = (idempotencyKey: string) =>
      send(service.baseUrl, `/v1/waitlist/${id}`, { key, method: "DELETE", idempotencyKey });
    for (const intent of ["first", "second"]) {
      const [once, again] = [await leave(intent), await leave(intent)];
      expect(again.text).toBe(once.text);
      const replayed = [once, again].map(({ headers }) => headers.get("idempotent-replayed"));
      expect(replayed).toEqual([null, "true"]);
    }
  });

  it("match in any member order and spacing", async () => {
    const key = await register(service.baseUrl);
    const { buyer, shipments } = quoteRequest();
    const first = await ask(key, "same", { buyer, shipments });
    const raw = JSON.stringify({ shipments, buyer }, null, 2).replace(
      /"quantity": 1/,
      '"quantity": 1.0',
    );
    const headers = { "content-type": "application/json" };
    const second = await ask(key, "same", undefined, { method: "POST", raw, headers });
    expect(second.text).toBe(first.text);
  });

  it("match with the key in quotation marks, as in the IETF draft", async () => {
    const key = await register(service.baseUrl);
    const first = await ask(key, "same");
    expect((await ask(key, '"same"')).text).toBe(first.text);
  });

  it("match for an order's id and its number", async () => {
    const { key, order } = await purchase(service.baseUrl);
    const called = [String(order.number), order.id, `#${order.number}`, order.number];
    const retried = async (send: (name: string | number) => Promise<Answer>) => {
      const first = await send(called[0]);
      for (const name of called.slice(1)) {
        const other = await send(name);
        expect([other.status, other.text]).toEqual([first.status, first.text]);
        expect(other.headers.get("idempotent-replayed")).toBe("true");
      }
    };
    const to = (path: string, body: object) =>
      send(service.baseUrl, path, { key, idempotencyKey: "two-names", body });
    const wish = { reason_code: "OTHER" };
    await retried((name) => to(`/v1/orders/${encodeURIComponent(name)}/cancel-requests`, wish));
    await retried((order_id) => to("/v1/feedback", { message: "Thanks", order_id }));
  });

  it("make one quote when sent 40 times at once", async () => {
    const key = await register(service.baseUrl);
    const before = await quotes();
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(key, "at-once")));
    expect(answers.map((a) => a.status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((a) => a.body.id)).size).toBe(1);
    expect(answers.filter((a) => a.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await quotes()).toBe(before + 1);
  });

  it("are replayed for 48 hours", async () => {
    const key = await register(service.baseUrl);
    const first = await ask(key, "same");
    service.clock.advance(48 * HOUR - 1);
    expect((await ask(key, "same")).body.id).toBe(first.body.id);
    service.clock.advance(1);
    expect((await ask(key, "same")).body.id).not.toBe(first.body.id);
  });
});

describe("the same key", () => {
  it("with another body is a conflict and changes nothing", async () => {
    const key = await register(service.baseUrl);
    await ask(key, "same");
    const before = await quotes();
    const answer = await ask(key, "same", quoteRequest({ quantity: 2 }));
    expect([answer.status, answer.body.code]).toEqual([422, "IDEMPOTENCY_CONFLICT"]);
    expect(await quotes()).toBe(before);
  });

  it("can carry the corrected request after any refusal", async () => {
    const key = await register(service.baseUrl);
    const refused = [
      quoteRequest({ quantity: 0 }),
      quoteRequest({ discount_code: "FREE" }),
      quoteRequest({ product_id: "yemen-haraz" }),
      quoteRequest({ product_id: "peru-cajamarca-decaf" }),
    ];
    for (const body of refused) expect((await ask(key, "same", body)).status).toBeGreaterThan(400);
    expect((await ask(key, "same")).status).toBe(201);
  });

  it("on another operation or target is another intent", async () => {
    const key = await register(service.baseUrl);
    const [one, two] = [
      await readyQuote(service.baseUrl, { email: newEmail() }, key),
      await readyQuote(service.baseUrl, { email: newEmail() }, key),
    ];
    await ask(key, "same");
    const checkout = ({ id, quote_hash }: { id: string; quote_hash: string }) =>
      send(service.baseUrl, `/v1/quotes/${id}/checkout`, {
        key,
        idempotencyKey: "same",
        body: { quote_hash },
      });
    const answers = [await checkout(one.quote), await checkout(two.quote)];
    expect(answers.map((a) => [a.status, a.body.quote_id])).toEqual([
      [200, one.quote.id],
      [200, two.quote.id],
    ]);
  });
});

describe("a retry", () => {
  /** Repeats a request after its resource has changed, and returns both answers. */
  async function repeated(path: string, more: Send, between: (first: Answer) => Promise<unknown>) {
    const once = () => send(service.baseUrl, path, { idempotencyKey: "same", ...more });
    const first = await once();
    expect(first.status).toBeLessThan(300);
    await between(first);
    const again = await once();
    expect(again.status).toBe(first.status);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    return { first: first.body, again: again.body };
  }

  it("of a paid quote, its checkout or a decided cancel request returns it as it is now", async () => {
    const { baseUrl, merchant } = { ...service, ...service.service };
    const key = await register(baseUrl);
    const body = quoteRequest({ email: newEmail(), gift_notes: ["\\u0001 for you"] });
    const quoted = await repeated("/v1/quote-requests", { key, body }, async ({ body: quote }) => {
      const more = { key, body: { quote_hash: quote.quote_hash } };
      const checkout = await repeated(`/v1/quotes/${quote.id}/checkout`, more, async (first) => {
        await payAsBuyer(baseUrl, first.body.review_url);
        const order = await orderOf(baseUrl, key, quote.id);
        const wish = { key, body: { reason_code: "OTHER", message: "No more coffee." } };
        const asked = await repeated(`/v1/orders/${order.id}/cancel-requests`, wish, async () => {
          const requests = await merchant.admin("cli").cancellations.list();
          const request = requests.find(({ order_id }) => order_id === order.id);
          await merchant
            .admin("cli")
            .cancellations.decline({ request_id: request!.id, reason: "It is roasted." });
        });
        expect(asked.first).toMatchObject({ status: "REQUESTED", recipient_refs: ["home"] });
        expect(asked.again).toMatchObject({
          id: asked.first.id,
          status: "DECLINED",
          decision: "It is roasted.",
        });
      });
      const { review_url } = checkout.first;
      expect(checkout.again).toMatchObject({ review_url, status: "PAID" });
      expect(checkout.again.next).toEqual([
        { action: expect.stringMatching(/^GET \/v1\/orders\/ord_/), why: expect.any(String) },
      ]);
    });
    const now = await send(baseUrl, `/v1/quotes/${quoted.first.id}`, { key });
    expect(quoted.again).toEqual(now.body);
    expect(now.body.status).toBe("PAID");
  });

  it("of joining and leaving a waitlist, or of a message, returns it as it is now", async () => {
    const key = await register(service.baseUrl);
    const buyer = { email: newEmail() };
    const joined = { key, body: { product_id: "rwanda-huye", quantity: 1, buyer } };
    const other = { ...joined.body, buyer: { email: newEmail() } };
    await send(service.baseUrl, "/v1/waitlist", { key, body: other });
    const place = await repeated("/v1/waitlist", joined, async ({ body: entry }) => {
      expect(entry.position).toBe(2);
      const left = { key, method: "DELETE" };
      const { first, again } = await repeated(`/v1/waitlist/${entry.id}`, left, async () => {});
      expect(again).toEqual(first);
    });
    expect(place.again).toMatchObject({ id: place.first.id, status: "LEFT", position: null });
    const lead = { email: newEmail(), purpose: "An office." };
    for (const [path, body] of [
      ["/v1/feedback", { message: "Good." }],
      ["/v1/bulk-leads", lead],
    ] as const) {
      const { first, again } = await repeated(path, { key, body }, async () => {});
      expect(again).toEqual(first);
    }
  });

  it("is answered although its bean has left the catalog since", async () => {
    const key = await register(service.baseUrl);
    const { catalog } = service.service.merchant.admin("cli");
    const onSale = async (product_id: string, on_sale: boolean) => {
      const { product, changed_at } = await catalog.show({ product_id });
      await catalog.save({ product, on_sale, seen: changed_at });
    };
    const product_id = "rwanda-huye";
    const join = { product_id, quantity: 1, buyer: { email: newEmail() } };
    const wanted = quoteRequest({ product_id, email: newEmail() });
    const leaves = () => onSale(product_id, false);
    const joined = await repeated("/v1/waitlist", { key, body: join }, leaves);
    expect(joined.again.id).toBe(joined.first.id);
    const fresh = { ...join, buyer: { email: newEmail() } };
    const refused = await send(service.baseUrl, "/v1/waitlist", { key, body: fresh });
    expect(refused.body.errors).toMatchObject([{ code: "UNKNOWN_PRODUCT" }]);
    await send(service.baseUrl, `/v1/waitlist/${joined.first.id}`, { key, method: "DELETE" });
    await onSale(product_id, true);
    const quoted = await repeated("/v1/quote-requests", { key, body: wanted }, leaves);
    expect(quoted.again.id).toBe(quoted.first.id);
    await onSale(product_id, true);
  });
});

describe("a checkout", () => {
  it("is the same link every time, under any key", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const again = await send(service.baseUrl, `/v1/quotes/${quote.id}/checkout`, {
      key,
      body: { quote_hash: quote.quote_hash },
    });
    expect(again.body).toMatchObject({
      quote_id: quote.id,
      quote_hash: quote.quote_hash,
      review_url: reviewUrl,
      expires_at: quote.terms.expires_at,
      total_minor: quote.terms.pricing.total_minor,
      total_display: quote.terms.pricing.total_display,
    });
    expect(again.body.message_for_buyer).toContain(quote.terms.pricing.total_display);
    expect(new URL(reviewUrl).pathname).toMatch(/^\/review\/qte_[0-9a-f]{32}\.[\w-]{22,}$/);
  });
});

it.skipIf(engine() === "sqlite")(
  "while its first request runs elsewhere, a retry is told to wait",
  async () => {
    const key = await register(service.baseUrl);
    // Another transaction that has written a key, until it ends.
    const first = await rival(service.config.databaseUrl, "lock table idempotency in share mode");
    const waiting = await ask(key, "in-flight");
    expect(waiting).toMatchObject({
      status: 409,
      body: { code: "IDEMPOTENCY_IN_FLIGHT", retryable: true, retry_after: 1 },
    });
    expect(waiting.headers.get("retry-after")).toBe("1");
    await first.query("commit");
    expect((await ask(key, "in-flight")).status).toBe(201);
  },
);
