/** Bad input from strangers is refused by field and never stored. */

import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it, test } from "vitest";
import { dump, lastingDatabase } from "../support/lasting-database.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { purchase, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { ADDRESS, quoteRequest, register, send } from "../support/shopper.ts";

const database = await lastingDatabase();
const service = await startService({ DATABASE_URL: database.url });
afterAll(() => service.stop());
const key = await register(service.baseUrl);
// A key's first call is recorded, and these tests run in any order.
await send(service.baseUrl, "/v1/orders", { key });

/** Rows that a quote request could change. Webhooks of earlier purchases may change others meanwhile. */
const stored = async () => {
  const { agents, quotes, quote_states, idempotency } = await dump(database.url);
  return { agents, quotes, quote_states, idempotency };
};

const post = (path: string, raw: string | Uint8Array) =>
  send(service.baseUrl, path, {
    key,
    method: "POST",
    raw,
    headers: { "content-type": "application/json" },
  });
const get = (path: string) => send(service.baseUrl, path, { key });

/** JSON text of a valid quote request with these words, because JSON allows more than objects do. */
const withField = (member: string) => JSON.stringify(quoteRequest()).replace("{", `{${member},`);
const withQuantity = (number: string) =>
  JSON.stringify(quoteRequest()).replace('"quantity":1', `"quantity":${number}`);

describe("a client can never set the merchant's values", () => {
  test.each([
    ['"total_minor": 1', "/total_minor"],
    ['"pricing": {"total_minor": 1}', "/pricing"],
    ['"status": "PAID"', "/status"],
    ['"review_url": "https://example.com"', "/review_url"],
    ['"id": "qte_mine"', "/id"],
    ['"expires_at": "2999-01-01T00:00:00Z"', "/expires_at"],
    ['"agent_id": "agt_other"', "/agent_id"],
    ['"constructor": {}', "/constructor"],
    ['"toString": 1', "/toString"],
    ['"__proto__": {"status": "PAID"}', "/__proto__"],
  ])("%s", async (member, pointer) => {
    const before = await stored();
    const answer = await post("/v1/quote-requests", withField(member));
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ pointer, code: "UNKNOWN_FIELD" }]);
    expect(await stored()).toEqual(before);
  });

  it("not even inside an address or a line", async () => {
    const body = JSON.stringify(quoteRequest())
      .replace('"country"', '"__proto__":{"region":"CA"},"country"')
      .replace('"quantity"', '"unit_price_minor":1,"quantity"');
    const answer = await post("/v1/quote-requests", body);
    const pointers = answer.body.errors.map((problem: { pointer: string }) => problem.pointer);
    expect(pointers.sort()).toEqual([
      "/shipments/0/address/__proto__",
      "/shipments/0/items/0/unit_price_minor",
    ]);
  });

  it("or over the path's parameter", async () => {
    const { quote } = await readyQuote(service.baseUrl, {}, key);
    const body = JSON.stringify({ quote_hash: quote.quote_hash, quote_id: "qte_other" });
    const answer = await post(`/v1/quotes/${quote.id}/checkout`, body);
    expect(answer.body.errors).toMatchObject([{ pointer: "/quote_id", code: "UNKNOWN_FIELD" }]);
  });
});

describe("a spelling whose meaning is certain is accepted, over HTTP and MCP", () => {
  const [one] = quoteRequest().shipments;
  const { country: _, ...noCountry } = ADDRESS;
  const sent = (change: object, shipment: object = {}) => ({
    ...quoteRequest(),
    shipments: [{ ...one, ...shipment }],
    ...change,
  });
  const items = (quantity: unknown) => ({ items: [{ product_id: "kenya-nyeri", quantity }] });
  const at = (address: object) => sent({}, { address: { ...ADDRESS, ...address } });

  test.each<[string, object]>([
    [
      "null for optional fields",
      sent({ discount_code: null, preferences: null }, { gift_notes: null }),
    ],
    ["blank text for optional fields", sent({ replaces: " ", preferences: " " })],
    ["blank gift notes for none", sent({}, { gift_notes: ["", " \n", null] })],
    ["blank gift notes after the last one", sent({}, { gift_notes: ["Enjoy", "", null] })],
    ["null inside an address", at({ line2: null, country: null })],
    ["a quantity as text", sent({}, items("2"))],
    ["a ZIP code as a number", at({ postal_code: 78701 })],
    ["the country as USA", at({ country: "USA" })],
    ["the country in lower case", at({ country: "us" })],
    ["no country", sent({}, { address: noCountry })],
    ["one shipment for a list", sent({ shipments: one })],
    ["one line for a list", sent({}, { items: items(1).items[0] })],
    ["one gift note for a list", sent({}, { gift_notes: "Enjoy" })],
    ["a list as JSON text", sent({ shipments: JSON.stringify([one]) })],
    ["an object as JSON text", sent({ buyer: '{"email":"buyer@example.com"}' })],
    ["a number as recipient_ref", sent({}, { recipient_ref: 1 })],
    ["a note of a heart", sent({}, { gift_notes: ["♥"] })],
    ["an enumerated value in capitals", sent({ preferences: { substitutions: "NONE" } })],
  ])("%s", async (_name, body) => {
    expect((await post("/v1/quote-requests", JSON.stringify(body))).status).toBe(201);
    const args = { ...body, idempotency_key: randomUUID() };
    const { isError } = await rpcTool(service.baseUrl, "request_quote", args, key);
    expect(isError).toBeUndefined();
  });

  test.each([
    ["Washington DC", "20001", "Washington", "DC"],
    ["Washington, D.C.", "20001", "Washington", "DC"],
    ["Austin, Texas", "78701", "Austin", "TX"],
    ["New York NY", "10001", "New York", "NY"],
  ])("the state in the city %j", async (city, postal_code, town, region) => {
    const { region: _, ...noRegion } = ADDRESS;
    for (const missing of [noRegion, { ...noRegion, region: "" }]) {
      const address = { ...missing, city, postal_code };
      const body = JSON.stringify(sent({}, { address }));
      const answer = await post("/v1/quote-requests", body);
      expect(answer.body.terms.shipments[0].address).toMatchObject({ city: town, region });
    }
  });

  it("a limit above the maximum is the maximum", async () => {
    expect((await get("/v1/orders?limit=500")).status).toBe(200);
  });

  it("a numeric ZIP code gets its leading zero back", async () => {
    const body = at({ city: "Boston", region: "MA", postal_code: 2134 });
    const answer = await post("/v1/quote-requests", JSON.stringify(body));
    expect(answer.body.terms.shipments[0].address.postal_code).toBe("02134");
  });

  it("a hash without its prefix, and a longer wait than the maximum", async () => {
    const { quote } = await readyQuote(service.baseUrl, {}, key);
    const quote_hash = quote.quote_hash.replace("sha256:", "").toUpperCase();
    const answer = await post(`/v1/quotes/${quote.id}/checkout`, JSON.stringify({ quote_hash }));
    expect(answer.status).toBe(200);
    const { order, key: other } = await purchase(service.baseUrl);
    const events = `/v1/orders/${order.number}/events?after=1&wait=60`;
    expect((await send(service.baseUrl, events, { key: other })).status).toBe(200);
    const byNumber = { order_id: order.number };
    expect((await rpcTool(service.baseUrl, "get_order", byNumber, other)).isError).toBeUndefined();
  });

  it("a URL in place of its id, and a key without the word Bearer", async () => {
    const { quote, reviewUrl } = await readyQuote(service.baseUrl, {}, key);
    for (const quote_id of [`coffee://quotes/${quote.id}`, `/v1/quotes/${quote.id}`, reviewUrl]) {
      const { structuredContent } = await rpcTool(service.baseUrl, "get_quote", { quote_id }, key);
      expect(structuredContent.id).toBe(quote.id);
    }
    const authorization = { headers: { authorization: key } };
    expect((await send(service.baseUrl, "/v1/orders", authorization)).status).toBe(200);
  });

  test.each<[string, object]>([
    ["null for a required field", sent({ buyer: null })],
    ["half a bag as text", sent({}, items("1.5"))],
    ["another country", at({ country: "CA" })],
    ["a price", sent({ total_minor: null })],
  ])("but not %s", async (_name, body) => {
    expect((await post("/v1/quote-requests", JSON.stringify(body))).status).toBe(422);
  });
});

it("a first order mentions its courtesy, unless it does not apply", async () => {
  const ask = async (more: Parameters<typeof quoteRequest>[0], by = key) =>
    (await send(service.baseUrl, "/v1/quote-requests", { key: by, body: quoteRequest(more) })).body
      .messages;
  const told = { code: "FIRST_ORDER", text: expect.stringContaining("$4.40") };
  expect(await ask({ email: "new@example.com" })).toContainEqual(told);
  expect(await ask({ email: "new@example.com", quantity: 100 })).not.toContainEqual(
    expect.objectContaining({ code: "FIRST_ORDER" }),
  );
  expect(await ask({ email: "new@example.com", discount_code: "FIRSTBAG" })).not.toContainEqual(
    told,
  );
  const { order, key: other } = await purchase(service.baseUrl);
  expect(await ask({ email: order.buyer_email }, other)).not.toContainEqual(told);
});

describe("an input of the wrong shape is explained once", () => {
  it("with an example that works as it stands", async () => {
    const flat = { email: "a@example.com", product_id: "kenya-nyeri", quantity: 1, zip: "78701" };
    const { status, body } = await post("/v1/quote-requests", JSON.stringify(flat));
    expect([status, body.code]).toEqual([422, "VALIDATION_FAILED"]);
    const again = await post("/v1/quote-requests", JSON.stringify(body.example));
    expect(again.status).toBe(201);
  });
});

describe("all problems of a call are listed at once", () => {
  const [one] = quoteRequest().shipments;
  const wrong = {
    buyer: { email: "nobody" },
    shipments: [{ ...one, items: [{ product_id: "kopi-luwak", quantity: 1 }] }],
    discount_code: "FREE",
  };
  const pointers = ({ errors }: { errors: { pointer: string }[] }) =>
    errors.map(({ pointer }) => pointer).sort();
  const ALL = ["/buyer/email", "/discount_code", "/shipments/0/items/0/product_id"];

  it("also without an Idempotency-Key", async () => {
    const options = { key, body: wrong, idempotencyKey: null };
    const { status, body } = await send(service.baseUrl, "/v1/quote-requests", options);
    expect([status, body.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
    expect(pointers(body)).toEqual(ALL);
    expect(body.detail).toContain("Idempotency-Key");
    for (const named of ALL) expect(body.next[0].why).toContain(named);
    const flat = { email: "buyer@example.com", product_id: "kenya-nyeri", quantity: 2 };
    const shape = await send(service.baseUrl, "/v1/quote-requests", { ...options, body: flat });
    const right = await send(service.baseUrl, "/v1/quote-requests", {
      key,
      body: shape.body.example,
    });
    expect(right.status).toBe(201);
  });

  it("also beside a text or list that is too long, whose content is not read", async () => {
    const long = { ...wrong.shipments[0], gift_notes: ["x".repeat(201)] };
    const many = { ...one, items: Array.from({ length: 21 }, () => wrong.shipments[0]!.items[0]) };
    const body = JSON.stringify({ ...wrong, shipments: [long, many] });
    const answer = await post("/v1/quote-requests", body);
    expect(pointers(answer.body)).toEqual([
      ...ALL.slice(0, 2),
      "/shipments/0/gift_notes/0",
      ...ALL.slice(2),
      "/shipments/1/items",
    ]);
  });

  it("also beside a query of a POST", async () => {
    const answer = await post("/v1/quote-requests?price=1", JSON.stringify(wrong));
    expect(pointers(answer.body)).toEqual([ALL[0], ALL[1], "/price", ALL[2]]);
  });
});

it("any repeated parameter is refused", async () => {
  for (const [path, name] of [
    ["/v1/orders?limit=5&limit=6", "limit"],
    ["/v1/orders?buyer_email=a@example.com&buyer_email=b@example.com", "buyer_email"],
    ["/v1/ask?q=decaf&q=price", "q"],
  ]) {
    const { status, body } = await get(path!);
    const problem = { code: "REPEATED", parameter: name };
    expect([status, body.errors]).toMatchObject([422, [{ pointer: `/${name}`, ...problem }]]);
  }
});

describe("misplaced fields are refused, with their right place", () => {
  const wanted = () => JSON.stringify(quoteRequest());
  const field = { code: "UNKNOWN_FIELD", detail: expect.stringContaining("does not read the") };

  it("the query of a POST", async () => {
    const answer = await post("/v1/quote-requests?discount_code=FIRSTBAG&a%2Fb=1", wanted());
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([
      { ...field, pointer: "/discount_code", parameter: "discount_code" },
      { ...field, pointer: "/a~1b", parameter: "a/b" },
    ]);
    expect(answer.body.errors[0].detail).toContain("Send it in the body");
    const many = Array.from({ length: 60 }, (_, i) => `x${i}=1`).join("&");
    const most = await post(`/v1/quote-requests?${many}`, wanted());
    expect([most.body.errors.length, most.body.more_errors]).toEqual([50, 10]);
  });

  it("a filter of the catalog or policy, because ignoring it would return everything", async () => {
    for (const path of ["/v1/catalog", "/v1/policy"]) {
      const { status, body } = await get(`${path}?decaf=true&a%2Fb=1`);
      expect([status, body.code]).toEqual([422, "VALIDATION_FAILED"]);
      expect(body.errors).toMatchObject([
        { code: "UNKNOWN_FIELD", pointer: "/decaf", parameter: "decaf" },
        { code: "UNKNOWN_FIELD", pointer: "/a~1b", parameter: "a/b" },
      ]);
      expect(body.next).toMatchObject([{ action: `GET ${path}` }]);
    }
  });

  it("the body of a DELETE", async () => {
    const remove = (raw: string) =>
      send(service.baseUrl, "/v1/waitlist/wl_none", {
        ...{ key, method: "DELETE", raw },
        // Node adds no Content-Length to a DELETE.
        headers: { "content-type": "application/json", "content-length": String(raw.length) },
      });
    const answer = await remove('{"reason":"CHANGED_MIND","waitlist_id":"wl_other"}');
    expect(answer.status).toBe(422);
    const [reason, id] = answer.body.errors;
    expect(reason).toMatchObject({ ...field, pointer: "/reason" });
    expect(reason).not.toHaveProperty("parameter");
    expect(id).toMatchObject({ code: "UNKNOWN_FIELD", pointer: "/waitlist_id" });
    expect((await remove('["wl_other"]')).status).toBe(422);
    for (const nothing of ["{}", ""]) expect((await remove(nothing)).status).toBe(404);
  });
});

describe("a number of bags", () => {
  test.each(["1e2", "100.0", "10E1", "1.0"])(
    "may be written %s, as JSON allows",
    async (number) => {
      const answer = await post("/v1/quote-requests", withQuantity(number));
      expect(answer.status).toBe(201);
      expect(answer.body.terms.shipments[0].items[0].quantity).toBe(Number(number));
    },
  );

  test.each([
    "1e999",
    "-1e999",
    "1e15",
    "9007199254740993",
    "0.1",
    "-0",
    "[1]",
    "{}",
    "true",
    "null",
  ])("may not be %s", async (number) => {
    const answer = await post("/v1/quote-requests", withQuantity(number));
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toMatch(/quantity$|^\/shipments$/);
  });

  test.each(["01", "+1", ".5", "1.", "0x1", "١", "Infinity"])("%s is no JSON", async (number) => {
    const answer = await post("/v1/quote-requests", withQuantity(number));
    expect(answer.body.code).toBe("MALFORMED_JSON");
  });
});

describe("invalid characters", () => {
  test.each([
    ["NUL", "\\u0000"],
    ["half a character", "\\ud800"],
    ["the other half", "\\udc00"],
    ["the halves in the wrong order", "\\udc00\\ud800"],
  ])("%s is refused wherever there is text", async (_, written) => {
    const body = JSON.stringify(quoteRequest({ gift_notes: ["x"], discount_code: "x" })).replaceAll(
      /"(buyer@example.com|home|Test Buyer|1 Main Street|Austin|TX|78701|kenya-nyeri|x)"/g,
      (_all, text) => `"${text}${written}"`,
    );
    const answer = await post("/v1/quote-requests", body);
    expect(answer.status).toBe(422);
    const pointers = answer.body.errors.map((problem: { pointer: string }) => problem.pointer);
    expect(new Set(pointers)).toEqual(
      new Set([
        "/buyer/email",
        "/shipments/0/recipient_ref",
        "/shipments/0/address/name",
        "/shipments/0/address/line1",
        "/shipments/0/address/city",
        "/shipments/0/address/region",
        "/shipments/0/address/postal_code",
        "/shipments/0/items/0/product_id",
        "/shipments/0/gift_notes/0",
        "/discount_code",
      ]),
    );
  });

  it("are replaced when a field's name is repeated", async () => {
    const answer = await post("/v1/quote-requests", withField('"bad\\u0000\\ud800\\"name": 1'));
    expect(answer.body.errors[0].pointer).toBe("/bad???name");
  });

  it("a body of brackets is refused quickly", async () => {
    const answer = await post("/v1/quote-requests", "[".repeat(60_000));
    expect(answer.body.code).toBe("MALFORMED_JSON");
    const nested = `${'{"a":'.repeat(8000)}1${"}".repeat(8000)}`;
    expect((await post("/v1/quote-requests", nested)).status).toBe(400);
  });
});

describe("an impossible id", () => {
  test.each([
    "/v1/quotes/%00",
    "/v1/quotes/qte_%00/order",
    "/v1/orders/ord_%F0%9F%98%80",
    "/v1/orders/%20/events",
    "/v1/waitlist/%00",
  ])("is not looked up: %s", async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_FAILED"]);
  });

  test.each<[string, object]>([
    ["/v1/quotes/qte_%00/checkout", { quote_hash: "x" }],
    ["/v1/quotes/qte_none/checkout", { quote_hash: "\ud800" }],
    ["/v1/feedback", { message: "Good.", order_id: "\u0000" }],
  ])("is not looked up: POST %s %j", async (path, body) => {
    expect((await post(path, JSON.stringify(body))).status).toBe(422);
  });
});

describe("query parameters", () => {
  test.each([
    ["/v1/orders?limit=0", "/limit"],
    ["/v1/orders?limit=-1", "/limit"],
    ["/v1/orders?limit=1.5", "/limit"],
    ["/v1/orders?limit=1e1", "/limit"],
    ["/v1/orders?limit=010", "/limit"],
    ["/v1/orders?limit=ten", "/limit"],
    ["/v1/orders?limit=99999999999999999999", "/limit"],
    ["/v1/orders?limit[]=1", "/limit[]"],
    ["/v1/orders?before=yesterday", "/before"],
    ["/v1/orders?before=2026-03-02", "/before"],
    ["/v1/orders?before=2026-03-02T10:00:00", "/before"],
    ["/v1/orders?before=2026-13-02T10:00:00Z", "/before"],
    ["/v1/orders?before=2026-02-30T10:00:00Z", "/before"],
    ["/v1/orders?before=1772445600000", "/before"],
    ["/v1/orders?buyer_email=nobody", "/buyer_email"],
    ["/v1/orders?status=PAID", "/status"],
    ["/v1/orders?__proto__=1", "/__proto__"],
    ["/v1/orders/ord_x/events?after=-1", "/after"],
    ["/v1/orders/ord_x/events?limit=0", "/limit"],
    ["/v1/orders/ord_x/events?order_id=ord_y", "/order_id"],
    ["/v1/quotes/qte_x?expand=all", "/expand"],
  ])("%s is refused, never clamped", async (path, pointer) => {
    const answer = await get(path);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ pointer }]);
  });

  it("before accepts a zone and finer fractions", async () => {
    for (const before of [
      "2026-03-02T10:00:00%2B02:00",
      "2026-03-02T10:00Z",
      "2026-03-02T10:00:00.123456789Z",
    ]) {
      expect((await get(`/v1/orders?before=${before}`)).status).toBe(200);
    }
  });
});

test("an unknown field names only fields that are not sent yet, and no id of the path", async () => {
  const { key, order } = await purchase(service.baseUrl);
  const at = `/v1/orders/${order.id}/cancel-requests`;
  const { body } = await send(service.baseUrl, at, {
    key,
    body: { reason_code: "OTHER", odd: 1 },
  });
  expect(body.errors).toMatchObject([{ pointer: "/odd", code: "UNKNOWN_FIELD" }]);
  expect(body.detail).toMatch(/message, shipment_ids\.$/);
  expect(body.detail).not.toMatch(/order_id|reason_code/);
});

test.each(["recipients", "recipents", "Recipient_s"])("%s means shipments", async (name) => {
  const { buyer, shipments } = quoteRequest();
  const body = { buyer, [name]: shipments };
  const refused = await send(service.baseUrl, "/v1/quote-requests", { key, body });
  expect(refused.body.errors).toContainEqual(
    expect.objectContaining({ pointer: `/${name}`, did_you_mean: "/shipments" }),
  );
});
