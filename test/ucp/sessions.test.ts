/** Promises of UCP sessions over REST and JSON-RPC (contract §20). */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { sum } from "../../src/core/money.ts";
import { DAY_MS } from "../../src/core/policy.ts";
import { allRows } from "../support/all-rows.ts";
import { catalogWith, form, newEmail } from "../support/purchase.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { keptLog, REAL_CLOCK, startService, type TestService } from "../support/service.ts";
import { ADDRESS, eventually, payAsBuyer, send } from "../support/shopper.ts";
import { codes, PROFILE, ucpClient } from "./client.ts";

const KENYA = { item: { id: "kenya-nyeri" }, quantity: 2 };

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = await scratchFolder("ucp");
  service = await startService({
    CATALOG_FILE: await catalogWith(folder, { "peru-cajamarca-decaf": 0 }),
  });
});
afterAll(async () => {
  await service.stop();
});

const { rest, rpc, call, pay, becomes } = ucpClient(() => service);

const newCart = async (cart: object = { line_items: [KENYA] }) =>
  (await rest("/carts", { body: cart })).body;

const checkoutOf = async (cart_id: string) =>
  (await rest("/checkout-sessions", { body: { cart_id, line_items: [] } })).body;

type Totals = { type: string; amount: number }[];

describe("totals", () => {
  test.each([
    [[KENYA], []],
    [[KENYA], ["FIRSTBAG"]],
    [[{ ...KENYA, quantity: 1 }], ["firstbag"]],
    [[{ ...KENYA, quantity: 100 }], ["FIRSTBAG"]],
    [[KENYA, { item: { id: "rwanda-huye" }, quantity: 3 }, KENYA], []],
  ])("%j with %j sum to the total", async (line_items, given) => {
    const cart = await newCart({ line_items, discounts: { codes: given } });
    const totals = cart.totals as Totals;
    const [total] = totals.filter(({ type }) => type === "total");
    const parts = totals.filter(({ type }) => type !== "total");
    expect(sum(parts.map(({ amount }) => amount))).toBe(total!.amount);
    const lines = (cart.line_items as { totals: Totals }[]).map(
      (line) => line.totals.find(({ type }) => type === "total")!.amount,
    );
    expect(sum(lines)).toBe(totals.find(({ type }) => type === "subtotal")!.amount);
    const off = totals.find(({ type }) => type === "discount")?.amount ?? 0;
    const applied = cart.discounts.applied as { amount: number }[];
    expect(off + sum(applied.map(({ amount }) => amount))).toBe(0);
    const page = await send(service.baseUrl, cart.continue_url, {
      headers: { accept: "text/html" },
    });
    expect(page.text).toContain(
      `$${(total!.amount / 100).toLocaleString("en-US", { minimumFractionDigits: 2 })}`,
    );
  });
});

describe("a write with a key", () => {
  it("is the same over REST and JSON-RPC, and refused for another request", async () => {
    const cart = { line_items: [KENYA] };
    const both = randomUUID();
    const { body } = await rest("/carts", { body: cart, idempotencyKey: both });
    const again = await call("create_cart", { cart }, both);
    const quoted = await rest("/carts", { body: cart, idempotencyKey: `"${both}"` });
    expect([again.id, quoted.body.id]).toEqual([body.id, body.id]);
    const other = { line_items: [{ ...KENYA, quantity: 3 }] };
    const refused = await rest("/carts", { body: other, idempotencyKey: both });
    expect([refused.status, refused.body.code]).toEqual([409, "idempotency_conflict"]);
  });

  it("is a neighbor's own if anybody could choose it, or if their profile differs", async () => {
    const body = { line_items: [KENYA] };
    for (const idempotencyKey of ["order-1", randomUUID()]) {
      const first = await rest("/carts", { body, idempotencyKey });
      const profile = "https://neighbor.example/profile";
      const neighbor = await rest("/carts", { body, idempotencyKey, profile });
      expect(neighbor.status).toBe(201);
      expect(neighbor.body.id).not.toBe(first.body.id);
    }
    const again = await rest("/carts", { body, idempotencyKey: "order-1" });
    expect(again.headers.get("idempotent-replayed")).toBeNull();
    const other = { line_items: [{ ...KENYA, quantity: 3 }] };
    const refused = await rest("/carts", { body: other, idempotencyKey: "order-1" });
    expect([refused.status, refused.body.code]).toEqual([409, "idempotency_conflict"]);
  });

  it("is told what a key may be, also in words that need none", async () => {
    const wrong = { line_items: [{ ...KENYA, quantity: 0 }] };
    const { status, body } = await rest("/carts", { body: wrong, idempotencyKey: "a b" });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.content).toMatch(
      /^An idempotency key has 1 to 255 .*Or send none\. \$\.line_items/,
    );
    const cart = { line_items: [KENYA] };
    const numbered = await call("create_cart", { cart }, 7);
    const other = await call("create_cart", { cart: { line_items: [KENYA, KENYA] } }, 7);
    expect(other.data.code).toBe("idempotency_conflict");
    expect(numbered.id).toMatch(/^crt_/);
    expect((await rest("/carts", { body: cart, idempotencyKey: " " })).status).toBe(201);
  });

  it("converts a cart once, also in simultaneous requests", async () => {
    const { id } = await newCart();
    const body = { cart_id: id };
    const made = await Promise.all(
      Array.from({ length: 10 }, () => rest("/checkout-sessions", { body })),
    );
    expect(new Set(made.map((one) => one.body.id)).size).toBe(1);
    const statuses = made.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(9).fill(200), 201]);
  });
});

it("returns nothing that a client sends as price, status, total or link", async () => {
  const evil = {
    id: "chk_mine",
    checkout: { line_items: [] },
    status: "completed",
    currency: "EUR",
    line_items: [
      { ...KENYA, id: "mine", item: { ...KENYA.item, price: 1, title: "Free" }, totals: [] },
    ],
    totals: [{ type: "total", amount: 1 }],
    order: { id: "1", permalink_url: "https://evil.example/" },
    continue_url: "https://evil.example/",
    links: [{ type: "privacy_policy", url: "https://evil.example/" }],
    discounts: { applied: [{ title: "All", amount: 4400 }] },
    buyer: { email: newEmail(), first_name: "Somebody" },
  };
  const { body: checkout } = await rest("/checkout-sessions", { body: evil });
  const { body: updated } = await rest(`/checkout-sessions/${checkout.id}`, {
    method: "PUT",
    body: evil,
  });
  for (const one of [checkout, updated]) {
    expect(one).toMatchObject({ id: checkout.id, status: "requires_escalation", currency: "USD" });
    expect(one.totals.at(-1)).toMatchObject({ type: "total", amount: 4400 });
    expect(one.line_items[0].item.price).toBe(2200);
    expect(one.discounts).toEqual({ codes: [], applied: [] });
    expect(JSON.stringify(one)).not.toMatch(/evil|Free|Somebody|chk_mine|EUR/);
  }
});

test.each(["crt_", "chk_"])("an unknown id that starts with %s is not_found", async (kind) => {
  const id = `${kind}${"A".repeat(22)}`;
  const path = kind === "crt_" ? "carts" : "checkout-sessions";
  const body = { line_items: [KENYA] };
  const asked = [
    rest(`/${path}/${id}`),
    rest(`/${path}/${id}`, { method: "PUT", body }),
    rest(`/${path}/${id}/cancel`, { method: "POST" }),
    rest("/checkout-sessions", { body: { cart_id: id } }),
    rest(`/${path}/${(await newCart()).id}x`),
  ];
  for (const { status, body: told } of await Promise.all(asked)) {
    expect([status, told.ucp.status, codes(told)]).toEqual([200, "error", ["not_found"]]);
  }
  const page = await send(service.baseUrl, `/checkout/${id}`, {
    headers: { accept: "text/html" },
  });
  expect(page.status).toBe(404);
});

describe("once paid", () => {
  it("the checkout is completed with the order, and never changes", async () => {
    const cart = await newCart({ line_items: [KENYA], discounts: { codes: ["FIRSTBAG"] } });
    const { id, status } = await checkoutOf(cart.id);
    expect(status).toBe("requires_escalation");
    await pay(`/checkout/${id}`);
    const done = await becomes(id, "completed");
    expect(done).toMatchObject({
      totals: cart.totals,
      order: {
        id,
        label: expect.stringMatching(/^\d+$/),
        permalink_url: expect.stringContaining(id),
      },
    });
    expect(done).not.toHaveProperty("continue_url");
    const body = { line_items: [{ ...KENYA, quantity: 9 }] };
    const changes = [
      { method: "PUT", body, path: "" },
      { method: "POST", path: "/cancel" },
    ];
    for (const { path, ...ask } of changes) {
      const answer = await rest(`/checkout-sessions/${id}${path}`, ask);
      expect(codes(answer.body)).toEqual(["already_completed"]);
      expect({ ...answer.body, messages: [] }).toEqual({ ...done, messages: [] });
    }
    expect((await rest(`/checkout-sessions/${id}`)).body).toEqual(done);
    const same = await rest("/checkout-sessions", { body: { cart_id: cart.id } });
    expect([same.status, same.body]).toEqual([200, done]);
    const { body: read } = await rest(`/carts/${cart.id}`);
    expect([codes(read), read.totals]).toEqual([["ordered"], cart.totals]);
  });

  it.each([
    ["completed", true, "completed"],
    ["open again", false, "requires_escalation"],
  ])("by bank debit it is in progress, then %s", async (_, settles, status) => {
    const { body: checkout } = await rest("/checkout-sessions", { body: { line_items: [KENYA] } });
    const path = `/checkout-sessions/${checkout.id}`;
    const becomes = (wanted: string) =>
      eventually(async () => (await rest(path)).body.status === wanted);
    const email = newEmail();
    const sent = await send(service.baseUrl, checkout.continue_url, form({ email, ...ADDRESS }));
    const review = sent.headers.get("location")!;
    const { hosted } = await payAsBuyer(service.baseUrl, review, "bank_debit");
    await becomes("complete_in_progress");
    const changed = await rest(path, { method: "PUT", body: { line_items: [KENYA, KENYA] } });
    expect(codes(changed.body)).toContain("already_completed");
    const session = new URL(hosted).pathname.split("/").at(-1) ?? "";
    await service.control.settleBankDebit(session, settles);
    await becomes(status);
    expect((await rest(path)).body.line_items).toEqual(checkout.line_items);
  });

  it("cart and checkout are one purchase: the other page sells nothing more", async () => {
    const cart = await newCart();
    const { id } = await checkoutOf(cart.id);
    await pay(`/checkout/${cart.id}`);
    const done = await becomes(id, "completed");
    expect((await checkoutOf(cart.id)).order).toEqual(done.order);
    const again = await send(
      service.baseUrl,
      `/checkout/${id}`,
      form({ email: newEmail(), ...ADDRESS }),
    );
    expect([again.status, again.headers.get("location")]).toEqual([422, null]);
    expect(again.text).toContain(`Order ${done.order.label}`);
  });
});

it("lists all problems with the goods at once, and stores nothing", async () => {
  const line_items = [
    { item: { id: "kenya-nyeri" }, quantity: 101 },
    { item: { id: "no-such-bean" }, quantity: 1 },
    { item: { id: "yemen-haraz" }, quantity: 1 },
  ];
  const { status, body } = await rest("/carts", { body: { line_items, buyer: { email: "x" } } });
  expect([status, body.ucp.status, body.id]).toEqual([200, "error", undefined]);
  const told = body.messages.map(({ code, path }: { code: string; path: string }) => [path, code]);
  expect(told.sort()).toEqual([
    ["$.buyer.email", "invalid"],
    ["$.line_items[0].quantity", "quantity_exceeded"],
    ["$.line_items[1].item.id", "item_unavailable"],
    ["$.line_items[2].item.id", "item_unavailable"],
  ]);
});

it("takes at most 100 bags of one coffee, in however many lines", async () => {
  const half = { ...KENYA, quantity: 60 };
  const { body } = await rest("/checkout-sessions", { body: { line_items: [half, half] } });
  expect(codes(body)).toEqual(["quantity_exceeded"]);
  expect(JSON.stringify(body)).toContain("At most 100 bags of one coffee.");
});

it("keeps the session unchanged when an update fails", async () => {
  const cart = await newCart();
  const line_items = [{ item: { id: "peru-cajamarca-decaf" }, quantity: 1 }];
  const { body } = await rest(`/carts/${cart.id}`, { method: "PUT", body: { line_items } });
  expect(body.messages).toMatchObject([
    { code: "out_of_stock", severity: "recoverable", path: "$.line_items[0].quantity" },
  ]);
  expect({ ...body, messages: [] }).toEqual(cart);
  expect((await rest(`/carts/${cart.id}`)).body).toEqual(cart);
});

it("replaces all content, including the code, under the same id and link", async () => {
  const cart = await newCart({ line_items: [KENYA], discounts: { codes: ["FIRSTBAG", "MORE"] } });
  expect([codes(cart), cart.discounts.codes]).toEqual([
    ["discount_code_combination_disallowed"],
    ["FIRSTBAG", "MORE"],
  ]);
  const body = { line_items: [{ ...KENYA, quantity: 5 }], discounts: { codes: ["NOPE"] } };
  const { body: updated } = await rest(`/carts/${cart.id}`, { method: "PUT", body });
  expect(codes(updated)).toEqual(["discount_code_invalid"]);
  expect(updated).toMatchObject({
    id: cart.id,
    continue_url: cart.continue_url,
    line_items: [{ quantity: 5 }],
    discounts: { codes: ["NOPE"], applied: [] },
  });
  expect((await rest(`/carts/${cart.id}`)).body.discounts.codes).toEqual([]);
});

it.each([
  [["NOPE", "FIRSTBAG"], [["$.discounts.codes[0]", "discount_code_invalid"]]],
  [
    ["", "NOPE", "firstbag", "MORE"],
    [
      ["$.discounts.codes[1]", "discount_code_invalid"],
      ["$.discounts.codes[3]", "discount_code_combination_disallowed"],
    ],
  ],
])("of the codes %j the first usable one counts, and the others are named", async (given, told) => {
  const cart = await newCart({ line_items: [KENYA], discounts: { codes: given } });
  expect(cart.discounts.applied).toMatchObject([{ code: "FIRSTBAG", amount: 880 }]);
  const named = cart.messages.map(({ path, code }: { path: string; code: string }) => [path, code]);
  expect(named).toEqual(told);
});

it("says of its code why it does not count now", async () => {
  const discounts = { codes: ["FIRSTBAG"] };
  const large = await newCart({ line_items: [{ ...KENYA, quantity: 100 }], discounts });
  expect(codes(large)).toEqual(["discount_code_combination_disallowed"]);
  const { id } = await newCart({ line_items: [KENYA], discounts });
  const { courtesy } = service.service.merchant.admin("cli");
  await courtesy.firstOrder({ on: false });
  const { body } = await rest(`/carts/${id}`);
  await courtesy.firstOrder({ on: true });
  expect([codes(body), body.discounts.applied]).toEqual([["discount_code_invalid"], []]);
});

it("keeps the buyer's note when its client changes the bags", async () => {
  const { id } = await checkoutOf((await newCart()).id);
  const page = `${service.baseUrl}/checkout/${id}`;
  const typed = { "qty_kenya-nyeri": "2", gift_note: "Happy birthday", update: "total" };
  expect((await send(service.baseUrl, page, form(typed))).status).toBe(303);
  const changed = { line_items: [{ ...KENYA, quantity: 1 }] };
  await rest(`/checkout-sessions/${id}`, { method: "PUT", body: changed });
  const shown = await send(service.baseUrl, page, { headers: { accept: "text/html" } });
  expect(shown.text).toContain("Happy birthday");
});

test.each(["resource_missing", "api_key_expired"])(
  "cancels even if the provider answers %s about its payment page",
  async (code) => {
    const { id } = await checkoutOf((await newCart()).id);
    const path = `/checkout/${id}`;
    const typed = { ...ADDRESS, email: newEmail(), "qty_kenya-nyeri": "2" };
    const review = await send(service.baseUrl, path, form(typed));
    const opened = await send(service.baseUrl, review.headers.get("location")!, form({}));
    expect(opened.headers.get("location")).toContain("/sandbox/checkout/");
    service.control.faults.call = (call) =>
      call === "expireCheckout" ? { kind: "rejected", code } : null;
    const canceled = await rest(`/checkout-sessions/${id}/cancel`, { method: "POST" });
    service.control.faults.call = undefined;
    expect(canceled.body.status).toBe("canceled");
  },
);

it("ends by cancel, and a day after its last change", async () => {
  const cart = await newCart();
  const canceled = await rest(`/carts/${cart.id}/cancel`, { method: "POST", idempotencyKey: "c" });
  expect(canceled.body.line_items).toEqual(cart.line_items);
  const again = await rest(`/carts/${cart.id}/cancel`, { method: "POST", idempotencyKey: "c" });
  expect(again.body).toEqual(canceled.body);
  expect(codes((await rest(`/carts/${cart.id}`)).body)).toEqual(["not_found"]);
  const page = await send(service.baseUrl, cart.continue_url, { headers: { accept: "text/html" } });
  expect(page.status).toBe(410);

  const { body: checkout } = await rest("/checkout-sessions", { body: { line_items: [KENYA] } });
  const path = `/checkout-sessions/${checkout.id}`;
  expect((await rest(`${path}/cancel`, { method: "POST" })).body.status).toBe("canceled");
  expect((await rest(path)).body.status).toBe("canceled");

  const late = await newCart();
  service.clock.advance(DAY_MS);
  expect(codes((await rest(`/carts/${late.id}`)).body)).toEqual(["not_found"]);
});

it("erases a person from sessions, and keeps the bags", async () => {
  const email = newEmail();
  const cart = await newCart({ line_items: [KENYA], buyer: { email: email.toUpperCase() } });
  expect(cart.buyer).toEqual({ email });
  await service.service.merchant.admin("cli").customers.erase({ email });
  const rows = await allRows(service.store, "checkouts");
  expect(JSON.stringify(rows)).not.toContain(email);
  const { body } = await rest(`/carts/${cart.id}`);
  expect([body.buyer, body.totals]).toEqual([undefined, cart.totals]);
});

it("keeps sessions over a restart, and logs none of them", async () => {
  const DATABASE_URL = `sqlite:${join(folder, "restart.db")}`;
  const { log, lines } = keptLog();
  const email = newEmail();
  const asked = { headers: { "ucp-agent": `profile="${PROFILE}"` } };
  const first = await startService({ DATABASE_URL }, REAL_CLOCK, { log });
  const body = { line_items: [KENYA], buyer: { email } };
  const { body: cart } = await send(first.baseUrl, "/ucp/carts", { body, ...asked });
  await first.stop();
  const second = await startService({ DATABASE_URL }, REAL_CLOCK, { log });
  const again = await send(second.baseUrl, `/ucp/carts/${cart.id}`, asked);
  await send(second.baseUrl, `/ucp/carts/${cart.id}`, { ...asked, method: "PUT", body: {} });
  const page = await send(second.baseUrl, new URL(cart.continue_url).pathname, {
    headers: { accept: "text/html" },
  });
  await second.stop();
  expect([again.body.id, again.body.totals]).toEqual([cart.id, cart.totals]);
  expect(page.status).toBe(200);
  const told = lines.join("");
  expect(told).toContain("/ucp/carts/{id}");
  for (const secret of [cart.id, email, PROFILE]) expect(told).not.toContain(secret);
});

test.each([
  ["coffee", ["*"]],
  ["Whole beans, please", ["*"]],
  ["a bag of roasted coffee beans", ["*"]],
  ["Kenyan", ["kenya-nyeri"]],
  ["rwandan coffee", ["rwanda-huye"]],
  ["peruvian", ["peru-cajamarca-decaf"]],
  ["décaf", ["peru-cajamarca-decaf"]],
  ["Decaffeinated coffee", ["peru-cajamarca-decaf"]],
  ["matcha powder", []],
])("a search for %j finds what is sold", async (query, ids) => {
  const catalog = { query, pagination: { limit: 50, cursor: "" } };
  const { products } = await call("search_catalog", { catalog });
  const all = await call("search_catalog", { catalog: { query: "*", pagination: { limit: 50 } } });
  const idsOf = (some: { id: string }[]) => some.map(({ id }) => id);
  expect(idsOf(products)).toEqual(ids[0] === "*" ? idsOf(all.products) : ids);
});

test("a search for a dark roast finds only that, and more matching words come first", async () => {
  const find = async (query: string) => {
    const { products } = await call("search_catalog", { catalog: { query } });
    return products.map(({ id }: { id: string }) => id);
  };
  const { catalog } = service.service.merchant;
  const dark = catalog.products.filter((bean) => /dark/i.test(JSON.stringify(bean)));
  expect(await find("dark roast")).toEqual(dark.map(({ product_id }) => product_id));
  expect((await find("kenya decaf from peru"))[0]).toBe("peru-cajamarca-decaf");
});

it("pages through the beans by price and word", async () => {
  const catalog = { query: "*", pagination: { limit: 3 } };
  const first = await call("search_catalog", { catalog });
  expect([first.products.length, first.pagination.has_next_page]).toEqual([3, true]);
  const { cursor } = first.pagination;
  const rest = await call("search_catalog", { catalog: { ...catalog, pagination: { cursor } } });
  expect([rest.products.length, rest.pagination.has_next_page]).toEqual([1, false]);
  const ids = [...first.products, ...rest.products].map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  const filters = { price: { max: 2300 }, available: true, color: "blue" };
  const cheap = await call("search_catalog", { catalog: { filters } });
  expect([cheap.products.map(({ id }: { id: string }) => id), codes(cheap)]).toEqual([
    ["kenya-nyeri"],
    ["filter_ignored"],
  ]);
  const none = await call("search_catalog", { catalog: { query: "zzz" } });
  expect([none.products, none.ucp.status]).toEqual([[], "success"]);
});

describe("JSON-RPC", () => {
  it("names the argument that a tool's content belongs in", async () => {
    const { message } = await call("create_cart", { line_items: [KENYA] });
    expect(message).toMatch(/^\$\.cart: Missing\./);
  });

  it("lists every operation, and answers all methods of UCP clients", async () => {
    const { body } = await rpc("tools/list");
    expect(body.result.tools.length).toBe(13);
    expect((await rpc("ping")).body.result).toEqual({});
    expect((await rpc("initialize", {})).body.result.capabilities).toEqual({ tools: {} });
    const message = { jsonrpc: "2.0", method: "notifications/initialized" };
    const silent = await send(service.baseUrl, "/ucp/mcp", { body: message });
    expect(silent.status).toBe(202);
    const batch = await send(service.baseUrl, "/ucp/mcp", { body: [message] });
    expect([batch.status, batch.body.error.message]).toEqual([400, expect.stringMatching(/batch/)]);
  });

  test.each<[string, object | undefined, number, number]>([
    ["tools/call", { name: "refund_order", arguments: {} }, 400, -32602],
    ["tools/call", { name: "get_cart", arguments: { id: "crt_1" } }, 400, -32001],
    ["resources/list", undefined, 404, -32601],
  ])("%s %j is %i with %i", async (method, params, status, code) => {
    const answer = await rpc(method, params);
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([status, code, 7]);
  });
});

test.each<[string, Parameters<typeof send>[2]]>([
  ["invalid_profile_url", { body: { line_items: [KENYA] } }],
  ["invalid_profile_url", { body: {}, headers: { "ucp-agent": 'profile="http://a.example/"' } }],
  ["invalid_request", { body: {}, headers: { "ucp-agent": `profile="${PROFILE}"` } }],
  [
    "invalid_request",
    {
      raw: "{",
      headers: { "ucp-agent": `profile="${PROFILE}"`, "content-type": "application/json" },
    },
  ],
])("an invalid request is 400 %s", async (code, asked) => {
  const { status, body } = await send(service.baseUrl, "/ucp/carts", asked);
  expect([status, body.code, body.continue_url]).toEqual([400, code, `${service.baseUrl}/`]);
});

it("links the shop's policies from carts, pages and /agent-info, where they are set", async () => {
  const PRIVACY_URL = "https://shop.example/privacy";
  const TERMS_URL = "https://shop.example/terms";
  const own = await startService({ PRIVACY_URL, TERMS_URL });
  const headers = { "ucp-agent": `profile="${PROFILE}"` };
  const { body } = await send(own.baseUrl, "/ucp/carts", {
    body: { line_items: [KENYA] },
    headers,
  });
  const page = await send(own.baseUrl, body.continue_url, { headers: { accept: "text/html" } });
  const { body: about } = await send(own.baseUrl, "/agent-info");
  await own.stop();
  expect(body.links.slice(0, 2)).toEqual([
    { type: "privacy_policy", url: PRIVACY_URL },
    { type: "terms_of_service", url: TERMS_URL },
  ]);
  expect(about.merchant).toMatchObject({
    privacy_policy: PRIVACY_URL,
    terms_of_service: TERMS_URL,
  });
  for (const url of [PRIVACY_URL, TERMS_URL]) expect(page.text).toContain(`href="${url}"`);
  expect((await newCart()).links.map(({ type }: { type: string }) => type)).toEqual([
    "shipping_policy",
    "refund_policy",
  ]);
});

it("is not offered on a public address without https", async () => {
  const open = await startService({
    HOST: "0.0.0.0",
    BASE_URL: "http://shop.example",
    ALLOW_PUBLIC_SANDBOX: "on",
  });
  const at = `http://127.0.0.1:${open.port}`;
  for (const path of ["/.well-known/ucp", "/ucp/carts/x"]) {
    expect((await send(at, path)).status).toBe(404);
  }
  expect((await send(at, "/llms.txt")).text).not.toContain("ucp");
  await open.stop();
});

/** `{"a":{"a":…}}` */
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

describe("malformed input is a short 400 over REST and JSON-RPC", () => {
  const many = (element: unknown) => Array.from({ length: 40_000 }, () => element);
  const RPC = (own: string) =>
    `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"create_cart","arguments":{"meta":{"ucp-agent":{"profile":"${PROFILE}"}},${own}}}`;
  test.each<[what: string, path: string, body: string]>([
    ["43,000 empty lines", "/carts", JSON.stringify({ line_items: many({}) })],
    ["an unknown member nested 3,000 deep", "/carts", `{"line_items":[],"x":${deep(3000)}}`],
    ["40,000 ids", "/catalog/lookup", JSON.stringify({ ids: many("") })],
    [
      "an endless id",
      "/carts",
      JSON.stringify({ line_items: [{ item: { id: "x".repeat(99_000) }, quantity: 1 }] }),
    ],
    ["a request id that is an object", "/mcp", `${RPC('"cart":{}')},"id":{"toString":1}}`],
    ["a request id without end", "/mcp", `${RPC('"cart":{}')},"id":"${"x".repeat(99_000)}"}`],
    [
      "depth in an argument",
      "/mcp",
      `${RPC(`"cart":{"line_items":[],"x":${deep(3000)}}`)},"id":1}`,
    ],
    [
      "a tool's arguments as text",
      "/mcp",
      '{"method":"tools/call","params":{"name":"create_cart","arguments":"x"},"id":1}',
    ],
  ])("%s", async (_, path, raw) => {
    const headers = { "ucp-agent": `profile="${PROFILE}"`, "content-type": "application/json" };
    const answer = await send(service.baseUrl, `/ucp${path}`, { method: "POST", raw, headers });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(20_000);
  });

  it("names at most 50 ignored filters, and no protocol version but text", async () => {
    const filters = Object.fromEntries(
      many(0)
        .slice(0, 900)
        .map((_, i) => [`f${i}`, 1]),
    );
    expect((await rest("/catalog/search", { body: { filters } })).body.messages).toHaveLength(50);
    const { body } = await rpc("initialize", { protocolVersion: { toString: 1 } });
    expect(body.result.protocolVersion).toBe("2025-11-25");
  });
});

test("every call is counted before it is read: notifications, bad profiles and bad JSON too", async () => {
  const limited = await startService({ RATE_LIMITS: "requests=1" });
  const ask = (path: string, raw: string) =>
    send(limited.baseUrl, `/ucp${path}`, { method: "POST", raw, headers: JSON_TYPE });
  for (let i = 0; i < 13; i++) await ask("/mcp", "{");
  const sent = [
    await ask("/mcp", '{"jsonrpc":"2.0","method":"ping"}'),
    await ask("/carts", '{"line_items":[]}'),
    await ask("/mcp", "{"),
    await ask("/mcp", '{"jsonrpc":"2.0","method":"ping"}'),
    await ask("/carts", "{"),
  ];
  await limited.stop();
  expect(sent.map(({ status }) => status)).toEqual([202, 400, 400, 429, 429]);
});

const JSON_TYPE = { "content-type": "application/json" };
