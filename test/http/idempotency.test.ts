/** contract §12: one intention, one effect, however often it is sent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogWith, newEmail, readyQuote, type Scratch, scratch } from "../support/purchase.ts";
import { type Running, startService } from "../support/service.ts";
import { quoteRequest, register, type Send, send } from "../support/shopper.ts";

let files: Scratch;
let service: Running;

beforeAll(async () => {
  files = await scratch();
  const CATALOG_FILE = await catalogWith(files.folder, { "mexico-chiapas-decaf": 0 });
  service = await startService({ CATALOG_FILE });
});
afterAll(async () => {
  await service.stop();
  await files.remove();
});

const quotes = () => service.store.queries.countRows("quotes");
const ask = (
  key: string,
  idempotencyKey: string,
  body: unknown = quoteRequest(),
  more: Send = {},
) => send(service.baseUrl, "/v1/quote-requests", { key, idempotencyKey, body, ...more });

describe("the same key and body", () => {
  it("is one quote, answered twice, the second time as a replay", async () => {
    const key = await register(service.baseUrl);
    const before = await quotes();
    const [first, second] = [await ask(key, "same"), await ask(key, "same")];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await quotes()).toBe(before + 1);
  });

  it("is the same when the body's members stand in another order or spacing", async () => {
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

  it("is the same in quotation marks, as the draft writes the header", async () => {
    const key = await register(service.baseUrl);
    const first = await ask(key, "same");
    expect((await ask(key, '"same"')).text).toBe(first.text);
  });

  it("sent 40 times at once is one quote", async () => {
    const key = await register(service.baseUrl);
    const before = await quotes();
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(key, "at-once")));
    expect(answers.map((a) => a.status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((a) => a.body.id)).size).toBe(1);
    expect(answers.filter((a) => a.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await quotes()).toBe(before + 1);
  });

  it("is replayed for 48 hours and new after that", async () => {
    const key = await register(service.baseUrl);
    const first = await ask(key, "same");
    service.clock.advance(48 * 3_600_000 - 1);
    expect((await ask(key, "same")).body.id).toBe(first.body.id);
    service.clock.advance(1);
    expect((await ask(key, "same")).body.id).not.toBe(first.body.id);
  });
});

describe("the same key", () => {
  it("with another body is a conflict that changes nothing", async () => {
    const key = await register(service.baseUrl);
    await ask(key, "same");
    const before = await quotes();
    const answer = await ask(key, "same", quoteRequest({ quantity: 2 }));
    expect([answer.status, answer.body.code]).toEqual([422, "IDEMPOTENCY_CONFLICT"]);
    expect(await quotes()).toBe(before);
  });

  it("may carry the corrected request after a refusal, of whatever kind", async () => {
    const key = await register(service.baseUrl);
    const refused = [
      quoteRequest({ quantity: 0 }),
      quoteRequest({ discount_code: "FREE" }),
      quoteRequest({ product_id: "panama-geisha" }),
      quoteRequest({ product_id: "mexico-chiapas-decaf" }),
    ];
    for (const body of refused) expect((await ask(key, "same", body)).status).toBeGreaterThan(400);
    expect((await ask(key, "same")).status).toBe(201);
  });

  it("of another agent is another intention", async () => {
    const [one, two] = [await register(service.baseUrl), await register(service.baseUrl)];
    const [first, second] = [await ask(one, "same"), await ask(two, "same")];
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it("on another operation or another target is another intention", async () => {
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

describe("a checkout", () => {
  it("is the same link every time, under whichever key", async () => {
    const { key, quote, reviewUrl } = await readyQuote(service.baseUrl);
    const again = await send(service.baseUrl, `/v1/quotes/${quote.id}/checkout`, {
      key,
      body: { quote_hash: quote.quote_hash },
    });
    expect(again.body).toMatchObject({
      quote_id: quote.id,
      quote_hash: quote.quote_hash,
      review_url: reviewUrl,
      expires_at: quote.expires_at,
      total_minor: quote.total_minor,
      total_display: quote.total_display,
    });
    expect(again.body.message_for_buyer).toContain(`\n${reviewUrl}\n`);
    expect(new URL(reviewUrl).pathname).toMatch(/^\/review\/[\w-]{22,}$/);
  });
});
