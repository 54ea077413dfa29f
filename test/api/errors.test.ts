/** Status, body and headers of every refusal (contract §11). */
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it, test } from "vitest";
import type { ErrorCode, NextStep, Problem } from "../../src/core/errors.ts";
import { operations } from "../../tools/index.ts";
import { catalogWith, purchase, readyQuote } from "../support/purchase.ts";
import { expectRefusal } from "../support/refusal.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { startService } from "../support/service.ts";
import { type Answer, quoteRequest, register, type Send, send } from "../support/shopper.ts";

const folder = await scratchFolder("beans");
const stock = { "peru-cajamarca-decaf": 2, "rwanda-huye": 1 };
const service = await startService({ CATALOG_FILE: await catalogWith(folder, stock) });
afterAll(() => service.stop());
const key = await register(service.baseUrl);

const ask = (path: string, options: Send = {}) => send(service.baseUrl, path, options);
const quote = (body: unknown, more: Send = {}) => ask("/v1/quote-requests", { key, body, ...more });
const raw = (text: string | Uint8Array, type = "application/json") =>
  ask("/v1/quote-requests", { key, method: "POST", raw: text, headers: { "content-type": type } });
const checkout = (id: string, quote_hash: string, of = key) =>
  ask(`/v1/quotes/${id}/checkout`, { key: of, body: { quote_hash } });

const stocked = (email: string, discount_code: string) => quoteRequest({ email, discount_code });

/** The catalog is served as ready bytes, and a link ignores unknown parameters. */
const READS_ANYTHING = new Set(["get_catalog", "build_quick_checkout_link"]);

describe("a refusal is problem+json that says what to do next", () => {
  const JSON_TYPE = { "content-type": "application/json" };
  const packed = (encoding: string) => ({
    ...{ key, method: "POST", raw: "{}" },
    headers: { ...JSON_TYPE, "content-encoding": encoding },
  });
  const latin = Buffer.from('{"name": "Caf\xe9"}', "latin1");
  const large = JSON.stringify({ a: "x".repeat(128 * 1024) });
  const BROKEN = ['{"buyer": {"email"', "{}{}", "[]", "null", '"quote"', '{"a": NaN}', "{}\u0000"];
  const exclusive = quoteRequest({ product_id: "yemen-haraz" });
  type Row = [ErrorCode, string, () => Promise<Answer>];
  test.each<Row>([
    ...[...BROKEN, latin].map((body): Row => ["MALFORMED_JSON", String(body), () => raw(body)]),
    ["MALFORMED_JSON", "no body", () => ask("/v1/quote-requests", { key, method: "POST" })],
    ...[null, "", "a b", "k".repeat(256), "cl\u00e9"].map(
      (idempotencyKey): Row => [
        ...(["IDEMPOTENCY_KEY_REQUIRED", `the key ${idempotencyKey}`] as const),
        () => quote(quoteRequest(), { idempotencyKey }),
      ],
    ),
    ["UNAUTHENTICATED", "no key", () => ask("/v1/orders")],
    [
      "UNAUTHENTICATED",
      "an unknown key",
      () => ask("/v1/orders", { key: `cma_${"a".repeat(49)}` }),
    ],
    [
      ...(["UNAUTHENTICATED", "another scheme"] as const),
      () => ask("/v1/orders", { headers: { authorization: `Basic ${key}` } }),
    ],
    ["GEISHA_LOCKED", "the locked bean", () => quote(exclusive)],
    [
      ...(["FINDER_KEY_INVALID", "a made-up finder key"] as const),
      () => quote(exclusive, { headers: { "finder-key": "fk_made_up" } }),
    ],
    ["NOT_FOUND", "an unknown path", () => ask("/v1/nothing")],
    ["NOT_FOUND", "one outside /v1", () => ask("/wp-login.php", { method: "POST", body: {} })],
    ["NOT_FOUND", "an address that cannot be read", () => ask("/v1/orders/%E0%A4%A")],
    ["NOT_FOUND", "an unknown quote", () => ask("/v1/quotes/qte_none", { key })],
    ["METHOD_NOT_ALLOWED", "PUT", () => ask("/v1/quote-requests", { key, method: "PUT" })],
    ["NOT_ACCEPTABLE", "XML", () => ask("/v1/orders", { key, headers: { accept: "text/xml" } })],
    ["PAYLOAD_TOO_LARGE", "128 KiB", () => raw(large)],
    ...["a=1; application/x-www-form-urlencoded", "{}; text/plain"].map((sent): Row => {
      const [body = "", type] = sent.split("; ");
      return ["UNSUPPORTED_MEDIA_TYPE", sent, () => raw(body, type)];
    }),
    [
      ...(["UNSUPPORTED_MEDIA_TYPE", "another charset"] as const),
      () => raw("{}", "application/json; charset=iso-8859-1"),
    ],
    ["UNSUPPORTED_MEDIA_TYPE", "an encoding", () => ask("/v1/quote-requests", packed("zip"))],
    ["VALIDATION_FAILED", "an empty object", () => quote({})],
    ["DISCOUNT_CODE_INVALID", "an unknown code", () => quote(stocked("a@example.com", "FREE"))],
    ["LIMIT_EXCEEDED", "101 bags in a line", () => quote(quoteRequest({ quantity: 101 }))],
    [
      ...(["OUT_OF_STOCK", "more than there is"] as const),
      () => quote(quoteRequest({ product_id: "peru-cajamarca-decaf", quantity: 3 })),
    ],
  ])("%s: %s", async (code, _, request) => {
    expectRefusal(await request(), code);
  });

  /** The path with an impossible id and an unknown parameter. */
  test.each(
    operations.filter(({ name }) => !READS_ANYTHING.has(name)).map((op) => [op.name, op] as const),
  )(
    "%s: problems in path or query name the parameter, others only the pointer",
    async (_, { http }) => {
      const [, id] = /\{(\w+)\}/.exec(http.path) ?? [];
      const path = http.path.replace(/\{\w+\}/, "%00");
      const inBody = http.method === "POST";
      const { body } = await ask(inBody ? path : `${path}?surprise=1`, {
        key,
        method: http.method,
        ...(inBody && { body: { surprise: 1 } }),
      });
      const placed = new Map(
        body.errors.map((one: Problem) => [one.pointer, one.parameter] as const),
      );
      if (id) expect(placed.get(`/${id}`)).toBe(id);
      expect(placed.get("/surprise")).toBe(inBody ? undefined : "surprise");
    },
  );

  it("received values are quoted from a body, and plain from a URL", async () => {
    const came = async (path: string, options: Send = {}) =>
      (await ask(path, { key, ...options })).body.errors.map(
        ({ received, detail }: Problem) => `${received}: ${detail}`,
      );
    expect(await came("/v1/quotes/qte_1/order?wait=x")).toEqual([
      "x: Use a whole number, such as 12.",
    ]);
    expect(await came("/v1/orders?limit=05&before=y")).toEqual([
      "05: Use a whole number, such as 12.",
      "y: Send an ISO 8601 time with its zone, such as 2026-01-31T09:30:00.000Z.",
    ]);
    expect(await came("/v1/quotes/a%20b")).toEqual(["a b: Not an id of this service."]);
    expect(await came("/v1/quick-checkout?bag=kenya-nyeri&qty=two")).toEqual([
      "two: The number of bags is a whole number from 1, without leading zeros.",
    ]);
    const join = (quantity: unknown) => ({
      body: { product_id: "rwanda-huye", quantity, buyer: { email: "a@example.com" } },
    });
    const joined = (quantity: unknown) => came("/v1/waitlist", join(quantity));
    expect(await joined("500")).toEqual(["500: At most 20 bags in one waitlist entry."]);
    expect(await joined(1e20)).toEqual([`${1e20}: At most 20 bags in one waitlist entry.`]);
    expect(await joined(undefined)).toEqual([
      "undefined: Missing. Use a whole number from 1 to 20.",
    ]);
    expect(await joined("0")).toEqual(["0: 1 or more bags in one waitlist entry."]);
    expect(await joined("two")).toEqual(['"two": Use a whole number, such as 12.']);
    expect(await joined(1.5)).toEqual(["1.5: Use a whole number, without a fraction."]);
  });

  test.each<[name: string, query: string, body: object, says: string]>([
    ["idempotency_key", "", { idempotency_key: "a" }, "Idempotency-Key"],
    ["finderKey", "", { finderKey: "fk_a" }, "Finder-Key"],
    ["api_key", "", { api_key: "cma_a" }, "Authorization: Bearer <API_KEY>"],
    ["finder_key", "?finder_key=fk_a", {}, "Finder-Key"],
    ["Idempotency-Key", "?Idempotency-Key=a", {}, "Idempotency-Key"],
  ])("%s in the address or body leads to its header", async (name, query, more, says) => {
    const { body } = await ask(`/v1/quote-requests${query}`, {
      ...{ key, body: { ...quoteRequest(), ...more } },
    });
    const detail = `Send it as the header ${says}.`;
    const place = query && { parameter: name };
    expect(body.errors).toEqual([{ pointer: `/${name}`, ...place, code: "UNKNOWN_FIELD", detail }]);
  });

  it("without a better step, next names the same endpoint with a valid method", async () => {
    const next = async (request: Promise<Answer>) =>
      (await request).body.next.map(({ action }: NextStep) => action);
    expect(await next(raw("{"))).toEqual(["POST /v1/quote-requests"]);
    expect(await next(raw("{}", "text/plain"))).toEqual(["POST /v1/quote-requests"]);
    const put = ask("/v1/quotes/qte_1/checkout", { key, method: "PUT" });
    expect(await next(put)).toEqual(["POST /v1/quotes/qte_1/checkout"]);
    const link = ask("/v1/quick-checkout", { headers: { accept: "application/json" } });
    expect(await next(link)).toEqual(["GET /v1/quick-checkout"]);
  });

  it("a body in another charset or compressed is asked for as it must be", async () => {
    const other = raw("{}", "application/json; charset=latin1");
    for (const answer of [await other, await ask("/v1/quote-requests", packed("gzip"))]) {
      expect(answer.body.next[0].why).toMatch(/in UTF-8 and without Content-Encoding/);
    }
  });

  it("problems of a link name its parameters", async () => {
    const { body } = await ask("/v1/quick-checkout?items=none:1&qty=x", {
      headers: { accept: "application/json" },
    });
    const named = body.errors.map(({ pointer, parameter }: Problem) => [pointer, parameter]);
    expect(named).toEqual(expect.arrayContaining([["/items", "items"]]));
    expect(named.every(([pointer, parameter]: string[]) => pointer === `/${parameter}`)).toBe(true);
  });

  it("QUOTE_HASH_MISMATCH, without the right hash in it", async () => {
    const { body } = await quote(quoteRequest());
    const answer = await checkout(body.id, `sha256:${"0".repeat(64)}`);
    expectRefusal(answer, "QUOTE_HASH_MISMATCH");
    expect(answer.text).not.toContain(body.quote_hash);
  });

  it("ORDER_NOT_READY, with the link to pay as the next step", async () => {
    const ready = await readyQuote(service.baseUrl, {}, key);
    const answer = await ask(`/v1/quotes/${ready.quote.id}/order`, { key });
    expectRefusal(answer, "ORDER_NOT_READY");
    expect(answer.body.next[0].action).toBe(ready.reviewUrl);
  });

  it("QUOTE_ALREADY_PAID and DISCOUNT_NOT_ELIGIBLE, once the buyer has bought", async () => {
    const bought = await purchase(service.baseUrl);
    const paid = await checkout(bought.quote.id, bought.quote.quote_hash, bought.key);
    expectRefusal(paid, "QUOTE_ALREADY_PAID");
    const wrong = await checkout(bought.quote.id, `sha256:${"0".repeat(64)}`, bought.key);
    expectRefusal(wrong, "QUOTE_ALREADY_PAID");
    expect(wrong.body.detail).toBe(paid.body.detail);
    expectRefusal(await checkout(bought.quote.id, bought.quote.quote_hash), "NOT_FOUND");
    const { number, id } = bought.order;
    expect(paid.body.detail).toContain(`order ${number} (${id})`);
    const byQuote = await ask(`/v1/orders/${bought.quote.id}`, { key: bought.key });
    expect(byQuote.body.id).toBe(id);
    const again = stocked(bought.order.buyer_email, "FIRSTBAG");
    const answer = await quote(again);
    expectRefusal(answer, "DISCOUNT_NOT_ELIGIBLE");
    expect(answer.text).not.toMatch(/order(ed)? before|already|previous|paid/i);
  });

  it("QUOTE_NOT_PAYABLE, for a quote priced for information", async () => {
    const { body } = await quote(quoteRequest({ product_id: "rwanda-huye", quantity: 2 }));
    expect(body).toMatchObject({ status: "WAITLIST_OFFERED" });
    expectRefusal(await checkout(body.id, body.quote_hash), "QUOTE_NOT_PAYABLE");
  });

  it("none after a lost registration response: a new key replaces the first", async () => {
    const registration = {
      body: { name: "Test agent", contact_email: "agent@example.com" },
      idempotencyKey: randomUUID(),
    };
    const [first, again] = [
      await ask("/v1/agents/register", registration),
      await ask("/v1/agents/register", registration),
    ];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.agent_id).toBe(first.body.agent_id);
    expect(again.body.api_key).not.toBe(first.body.api_key);
    expect(again.body.warning).toContain("replaces");
    expectRefusal(await ask("/v1/orders", { key: first.body.api_key }), "UNAUTHENTICATED");
    expect((await ask("/v1/orders", { key: again.body.api_key })).status).toBe(200);
    service.clock.advance(10 * 60_000 + 1);
    expectRefusal(await ask("/v1/agents/register", registration), "API_KEY_ALREADY_ISSUED");
  });

  it("none after a neighbor's registration under the same guessable key: each has an agent", async () => {
    const registration = {
      body: { name: "Test agent", contact_email: "agent@example.com" },
      idempotencyKey: "register_agent-gpt-4o-2024-08-06-v1",
    };
    const [first, neighbor] = [
      await ask("/v1/agents/register", registration),
      await ask("/v1/agents/register", registration),
    ];
    expect(neighbor.body.agent_id).not.toBe(first.body.agent_id);
    for (const { body } of [first, neighbor]) {
      expect((await ask("/v1/orders", { key: body.api_key })).status).toBe(200);
    }
  });

  it("API_KEY_ALREADY_ISSUED once the key was used, without showing it again", async () => {
    const registration = {
      body: { name: "Test agent", contact_email: "agent@example.com" },
      idempotencyKey: randomUUID(),
    };
    const first = await ask("/v1/agents/register", registration);
    await ask("/v1/orders", { key: first.body.api_key });
    const again = await ask("/v1/agents/register", registration);
    expectRefusal(again, "API_KEY_ALREADY_ISSUED");
    expect(again.text).not.toContain(first.body.api_key);
    expect(again.text).not.toContain(first.body.api_key_prefix);
  });

  it("KEY_REVOKED as soon as the merchant revokes the key", async () => {
    const mine = await ask("/v1/agents/register", {
      body: { name: "Test agent", contact_email: "agent@example.com" },
    });
    const orders = () => ask("/v1/orders", { key: mine.body.api_key });
    expect((await orders()).status).toBe(200);
    await service.service.merchant.admin("cli").keys.revoke({ agent_id: mine.body.agent_id });
    const refused = await orders();
    expectRefusal(refused, "KEY_REVOKED");
    // A revoked key cannot repeat the call.
    expect(refused.body.next).toMatchObject([{ action: "GET /v1/policy" }]);
    expect((await ask("/v1/policy", { key: mine.body.api_key })).status).toBe(200);
  });
});
