/** Reads of orders and events skip nothing and show nothing of other keys (contract §5, §6). */
import { afterAll, describe, expect, it, test } from "vitest";
import { operations } from "../../tools/index.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { rpcTool } from "../support/mcp-call.ts";
import { newEmail, purchase } from "../support/purchase.ts";
import { DAY, startService } from "../support/service.ts";
import { type Answer, register, send } from "../support/shopper.ts";

const service = await startService();
afterAll(() => service.stop());

type Row = { id: string; created_at: string };

describe("an order by the number that people say", () => {
  const read = (path: string, key: string) => send(service.baseUrl, path, { key });

  test.each([
    ["", "/events"],
    ["%23", "/events?after=1"],
  ])("reads like its id: %s1001", async (before, log) => {
    const { key, order } = await purchase(service.baseUrl);
    const called = `/v1/orders/${before}${order.number}`;
    expect((await read(called, key)).body).toEqual(order);
    const events = (await read(`/v1/orders/${order.id}${log}`, key)).body;
    expect((await read(`${called}${log}`, key)).body).toEqual(events);
    const asked = await send(service.baseUrl, `${called}/cancel-requests`, {
      key,
      body: { reason_code: "OTHER" },
    });
    expect(asked.body).toMatchObject({ order_id: order.id, status: "REQUESTED" });
    const back = await send(service.baseUrl, `${called}/cancel-requests`, {
      key,
      method: "DELETE",
    });
    expect(back.body).toMatchObject({ order_id: order.id, status: "WITHDRAWN" });
    const message = { message: "Lovely.", order_id: `#${order.number}` };
    const told = await send(service.baseUrl, "/v1/feedback", { key, body: message });
    expect(told.body.order_id).toBe(order.id);
  });
});

it.each(["items", "product_id", "bags", "quantity"])(
  "a request to cancel single bags (%s) does not cancel the whole order, and a bean's id leads to feedback",
  async (field) => {
    const { key, order } = await purchase(service.baseUrl);
    const body = { reason_code: "WRONG_ITEM", [field]: "kenya-nyeri" };
    const at = `/v1/orders/${order.id}/cancel-requests`;
    const { body: refused } = await send(service.baseUrl, at, { key, body });
    expect(refused.errors).toMatchObject([{ code: "UNKNOWN_FIELD", pointer: `/${field}` }]);
    expect(refused.errors[0].detail).not.toContain("Leave it out");
    const bean = { reason_code: "WRONG_ITEM", shipment_ids: ["kenya-nyeri"] };
    const { body: none } = await send(service.baseUrl, at, { key, body: bean });
    expect(none.next[0]).toMatchObject({ action: "POST /v1/feedback" });
  },
);

describe("trouble that the buyer's page shows", () => {
  const admin = () => service.service.merchant.admin("cli");
  const feedback = async ({ key, order }: Awaited<ReturnType<typeof purchase>>) => {
    const { body } = await send(service.baseUrl, `/v1/orders/${order.id}`, { key });
    const { text } = await send(service.baseUrl, order.order_url);
    const step = body.next.find(({ action }: { action: string }) => action === "POST /v1/feedback");
    return { why: step?.why as string | undefined, page: text };
  };

  it("is in the order too: canceled but not refunded yet", async () => {
    const bought = await purchase(service.baseUrl);
    expect((await feedback(bought)).why).toBeUndefined();
    await admin().orders.cancel({ order_id: bought.order.id, reason: "The shop closes." });
    const told = await feedback(bought);
    expect(told.page).toContain("Nothing was refunded.");
    expect(told.why).toContain("Nothing was refunded for the cancellation so far.");
    await admin().orders.refund({ order_id: bought.order.id, amount_minor: null });
    expect((await feedback(bought)).why).toBeUndefined();
  });

  test.each([
    ["FAILED", "The carrier could not deliver."],
    ["RETURNED", "A shipment came back to the merchant."],
  ] as const)("is in the order too: a shipment that is %s", async (status, why) => {
    const bought = await purchase(service.baseUrl);
    const [{ id }] = bought.order.shipments;
    await admin().orders.roast({ order_id: bought.order.id });
    await admin().shipments.ship({
      shipment_id: id,
      tracking: { carrier: "USPS", number: "9400" },
    });
    await admin().shipments.move({ shipment_id: id, to: status });
    expect((await feedback(bought)).why).toContain(why);
  });
});

describe("the list in short", () => {
  const admin = () => service.service.merchant.admin("cli");
  const list = async (key: string, query = "") =>
    (await send(service.baseUrl, `/v1/orders?view=summary${query}`, { key })).body;

  it("says the content, total, status and next read of each order", async () => {
    const gift_notes = ["For Ada."];
    const { key, order } = await purchase(service.baseUrl, { quantity: 2, gift_notes });
    await admin().orders.roast({ order_id: order.id });
    const [{ id }] = order.shipments;
    await admin().shipments.ship({
      shipment_id: id,
      tracking: { carrier: "USPS", number: "9405" },
    });
    expect(await list(key)).toEqual({
      orders: [
        {
          id: order.id,
          number: order.number,
          status: "SHIPPED",
          created_at: order.created_at,
          buyer_email: order.buyer_email,
          quote_id: order.quote_id,
          contents: "2 × Kenya Nyeri",
          total_minor: order.pricing.total_minor,
          total_display: order.pricing.total_display,
          payment_status: "PAID",
          shipment_lines: ["Test Buyer, Austin TX: SHIPPED, USPS 9405"],
          next: [{ action: `GET /v1/orders/${order.id}`, why: "Read the whole order." }],
        },
      ],
      next_before: null,
    });
  });

  it("is less than a third of the full list, in the same order and pages", async () => {
    const key = await register(service.baseUrl);
    for (let i = 0; i < 20; i++) await purchase(service.baseUrl, {}, key);
    const whole = await send(service.baseUrl, "/v1/orders", { key });
    const short = await send(service.baseUrl, "/v1/orders?view=summary", { key });
    const ids = (orders: Row[]) => orders.map(({ id }) => id);
    expect(ids(short.body.orders)).toEqual(ids(whole.body.orders));
    expect(short.text.length).toBeLessThan(whole.text.length / 3);
    const page = await list(key, "&limit=7");
    const rest = await list(key, `&before=${page.next_before}`);
    expect(ids([...page.orders, ...rest.orders])).toEqual(ids(whole.body.orders));
    const over = await rpcTool(service.baseUrl, "list_orders", { view: "summary", limit: 1 }, key);
    expect(over.structuredContent.orders[0].next).toEqual([
      { action: "get_order", why: "Read the whole order." },
    ]);
  });

  it("tells of a cancel request", async () => {
    const { key, order } = await purchase(service.baseUrl);
    const at = `/v1/orders/${order.id}/cancel-requests`;
    await send(service.baseUrl, at, { key, body: { reason_code: "OTHER" } });
    expect((await list(key)).orders[0].cancel_request.status).toBe("REQUESTED");
    const { content } = await rpcTool(service.baseUrl, "list_orders", { view: "summary" }, key);
    expect(content[0].text).toMatch(/cancel_request:.*status: REQUESTED/s);
  });

  it("names three shipments and counts the others", async () => {
    const { key } = await purchase(service.baseUrl, { shipments: 5 });
    const [{ shipment_lines }] = (await list(key)).orders;
    const line = "Test Buyer, Austin TX: PENDING";
    expect(shipment_lines).toEqual([line, line, line, "and 2 more"]);
  });

  it("needs view=summary: by default orders are full", async () => {
    const { key, order } = await purchase(service.baseUrl);
    const whole = async (query: string) =>
      (await send(service.baseUrl, `/v1/orders${query}`, { key })).body.orders;
    expect(await whole("")).toEqual([order]);
    expect(await whole("?view=full")).toEqual([order]);
    const odd = await send(service.baseUrl, "/v1/orders?view=brief", { key });
    expect([odd.status, odd.body.errors[0].parameter]).toEqual([422, "view"]);
  });
});

describe("an order that has left", () => {
  it("tells its agent to write if it does not arrive, also after delivery", async () => {
    const { key, order } = await purchase(service.baseUrl);
    const [{ id }] = order.shipments;
    const admin = service.service.merchant.admin("cli");
    const actions = async () => {
      const { body } = await send(service.baseUrl, `/v1/orders/${order.id}`, { key });
      return body.next.map(({ action }: { action: string }) => action);
    };
    await admin.orders.roast({ order_id: order.id });
    expect(await actions()).not.toContain("POST /v1/feedback");
    await admin.shipments.ship({ shipment_id: id, tracking: { carrier: "USPS", number: "9401" } });
    expect(await actions()).toContain("POST /v1/feedback");
    await admin.shipments.move({ shipment_id: id, to: "DELIVERED" });
    expect(await actions()).toContain("POST /v1/feedback");
  });
});

describe("the list of orders", () => {
  it("pages through orders of one instant without losing or repeating any", async () => {
    const key = await register(service.baseUrl);
    const bought: string[] = [];
    for (let i = 0; i < 5; i++) {
      bought.push((await purchase(service.baseUrl, {}, key)).order.id);
    }
    for (const limit of [1, 2, 4, 5]) {
      const seen: Row[] = [];
      let before: string | null = null;
      do {
        const query: string = before === null ? "" : `&before=${encodeURIComponent(before)}`;
        const page = await send(service.baseUrl, `/v1/orders?limit=${limit}${query}`, { key });
        expect(page.body.orders.length).toBeLessThanOrEqual(limit);
        seen.push(...page.body.orders);
        before = page.body.next_before;
      } while (before !== null);
      expect(seen.map((order) => order.id)).toEqual([...bought].reverse());
      const times = seen.map((order) => order.created_at);
      expect(times).toEqual([...times].sort().reverse());
      expect(new Set(times).size).toBe(5);
    }
  });

  it("filters by buyer, in any case", async () => {
    const key = await register(service.baseUrl);
    const mine = await purchase(service.baseUrl, {}, key);
    await purchase(service.baseUrl, {}, key);
    const email = encodeURIComponent(mine.order.buyer_email.toUpperCase());
    const page = await send(service.baseUrl, `/v1/orders?buyer_email=${email}`, { key });
    expect(page.body.orders.map((order: Row) => order.id)).toEqual([mine.order.id]);
  });

  it("filters by person: any spelling of a mailbox lists the orders by all of them", async () => {
    const key = await register(service.baseUrl);
    const [name] = newEmail().split("@");
    const bought: string[] = [];
    for (const [i, tag] of ["", "+gift"].entries()) {
      const wanted = { email: `${name}${tag}@example.com`, quantity: i + 1 };
      bought.unshift((await purchase(service.baseUrl, wanted, key)).order.id);
    }
    await purchase(service.baseUrl, {}, key);
    await purchase(service.baseUrl, { email: `${name}@example.com`, quantity: 3 });
    for (const spelled of [name, `${name}+gift`, `${name}+office`]) {
      const email = encodeURIComponent(`${spelled}@example.com`);
      const list = async (query: string) =>
        (await send(service.baseUrl, `/v1/orders?buyer_email=${email}${query}`, { key })).body;
      const all = await list("");
      expect(all.orders.map((order: Row) => order.id)).toEqual(bought);
      const [first, second] = [
        await list("&limit=1"),
        await list(`&before=${all.orders[0].created_at}`),
      ];
      expect(first.next_before).toBe(all.orders[0].created_at);
      expect(second.orders.map((order: Row) => order.id)).toEqual(bought.slice(1));
    }
  });

  it("is strictly before the given time", async () => {
    const { key, order } = await purchase(service.baseUrl);
    const at = Date.parse(order.created_at);
    const count = async (ms: number) => {
      const before = new Date(ms).toISOString();
      return (await send(service.baseUrl, `/v1/orders?before=${before}`, { key })).body.orders
        .length;
    };
    expect([await count(at), await count(at + 1)]).toEqual([0, 1]);
  });
});

describe("an order", () => {
  it("has the approved terms and the current status", async () => {
    const wanted = { quantity: 2, gift_notes: ["For you"], discount_code: "FIRSTBAG" };
    const { quote, order, key, reviewUrl } = await purchase(service.baseUrl, wanted);
    const [shipment] = quote.terms.shipments;
    const created = Date.parse(order.created_at);
    const day = (n: number) => new Date(created + n * DAY).toISOString().slice(0, 10);
    expect(order).toMatchObject({
      quote_id: quote.id,
      quote_hash: quote.quote_hash,
      buyer_email: quote.terms.buyer.email,
      status: "CONFIRMED",
      items: [{ product_id: "kenya-nyeri", quantity: 2, unit_price_minor: 2200 }],
      pricing: quote.terms.pricing,
      payment: {
        status: "PAID",
        method: "card",
        amount_minor: 3520,
        currency: "usd",
        mode: "sandbox",
      },
      shipments: [
        {
          recipient_ref: "home",
          status: "PENDING",
          tracking: null,
          address: shipment.address,
          items: [{ product_id: "kenya-nyeri", quantity: 2 }],
          gift_notes: ["For you"],
          shipped_at: null,
          delivered_at: null,
        },
      ],
      order_url: reviewUrl,
      estimated_delivery: { earliest: day(5), latest: day(14) },
    });
    expect(order.shipments[0].items).toEqual([{ product_id: "kenya-nyeri", quantity: 2 }]);
    expect(order.next.length).toBeGreaterThan(0);
    const paths = [`/v1/orders/${order.id}`, `/v1/quotes/${quote.id}/order`];
    for (const path of paths) {
      expect((await send(service.baseUrl, path, { key })).body).toEqual(order);
    }
    const paid = await send(service.baseUrl, `/v1/quotes/${quote.id}`, { key });
    expect(paid.body).toMatchObject({ status: "PAID", order_id: order.id, terms: quote.terms });
  });
});

describe("the events of an order", () => {
  it("follow a sequence number, in order and in pages", async () => {
    const { key, order } = await purchase(service.baseUrl);
    const read = async (query: string) =>
      (await send(service.baseUrl, `/v1/orders/${order.id}/events${query}`, { key })).body;
    const all = await read("");
    expect(all).toMatchObject({
      order_id: order.id,
      events: [
        { sequence: 1, type: "order.confirmed", order_status: "CONFIRMED" },
        { sequence: 2, type: "payment.verified", order_status: "CONFIRMED" },
      ],
      next_after: 2,
      has_more: false,
    });
    expect(await read("?limit=1")).toMatchObject({ next_after: 1, has_more: true });
    expect(await read("?after=1")).toMatchObject({ events: [{ sequence: 2 }], next_after: 2 });
    expect(await read("?after=2")).toMatchObject({ events: [], next_after: 2, has_more: false });
    expect(await read("?after=99999999999999&wait=25")).toMatchObject({
      events: [],
      next_after: 2,
      note: expect.stringContaining("beyond the last event, 2"),
    });
  });

  it("reach a waiting reader at once", async () => {
    const { key, order, quote } = await purchase(service.baseUrl);
    const waiting = send(service.baseUrl, `/v1/orders/${order.id}/events?after=2&wait=25`, { key });
    const [attempt] = await service.store.queries.attemptsOfQuote(quote.id);
    await service.control.refundOutside(attempt?.session_id ?? "");
    const answer = await waiting;
    expect(answer.body.events).toMatchObject([{ sequence: 3, type: "payment.refunded" }]);
  });

  it("reach a waiting reader despite a short outage of the store", async () => {
    const { key, order } = await purchase(service.baseUrl);
    const { queries } = service.store;
    const { events } = queries;
    const away = Promise.withResolvers<void>();
    const looks = [
      events,
      () => {
        away.resolve();
        return Promise.reject(new Error("the store is away"));
      },
    ];
    queries.events = (...asked) => (looks.shift() ?? events)(...asked);
    const waiting = send(service.baseUrl, `/v1/orders/${order.id}/events?after=2&wait=25`, { key });
    await away.promise;
    await service.service.merchant.admin("desk").orders.roast({ order_id: order.id });
    expect((await waiting).body.events).toMatchObject([{ sequence: 3, type: "order.roasting" }]);
    queries.events = events;
  });
});

describe("what belongs to another key answers exactly like what never was", async () => {
  const [key, bought] = [await register(service.baseUrl), await purchase(service.baseUrl)];
  const { stock } = service.service.merchant.admin("cli");
  await stock.set({ product_id: WAITLISTED, on_hand: 0 });
  const place = { product_id: WAITLISTED, quantity: 1, buyer: { email: "waits@example.com" } };
  const joined = await send(service.baseUrl, "/v1/waitlist", { key: bought.key, body: place });
  const FOREIGN: Record<string, string[]> = {
    quote_id: [bought.quote.id],
    order_id: [bought.order.id, String(bought.order.number), `%23${bought.order.number}`, "007"],
    waitlist_id: [joined.body.id],
  };
  const plain = ({ status, text, headers }: Answer, id: string) => ({
    status,
    text: text.replace(/req_[0-9a-f]{32}/, "req").replaceAll(id, "ID"),
    headers: Object.fromEntries(
      [...headers].filter(([name]) => !/^(request-id|date|content-length)$/.test(name)),
    ),
  });

  test.each(
    operations.filter(({ http }) => http.path.includes("{")).map((op) => [op.name, op] as const),
  )("%s", async (name, { http: { method, path } }) => {
    const field = /\{(\w+)\}/.exec(path)![1]!;
    const body =
      name === "create_checkout"
        ? { quote_hash: bought.quote.quote_hash }
        : { reason_code: "OTHER" };
    const answer = async (id: string) => {
      const sent = { key, method, ...(method === "POST" && { body }) };
      return plain(await send(service.baseUrl, path.replace(`{${field}}`, id), sent), id);
    };
    const none = await answer(`${field.slice(0, 1)}xx_none`);
    expect(none.status).toBe(404);
    for (const id of FOREIGN[field]!) expect(await answer(id)).toEqual(none);
  });

  it("also in feedback and in the list of orders", async () => {
    const about = (order_id: string) => ({ key, body: { message: "Hm.", order_id } });
    const told = (id: string) => send(service.baseUrl, "/v1/feedback", about(id));
    const { id } = bought.order;
    expect(plain(await told(id), id)).toEqual(plain(await told("ord_none"), "ord_none"));
    const email = encodeURIComponent(bought.order.buyer_email);
    const page = await send(service.baseUrl, `/v1/orders?buyer_email=${email}`, { key });
    expect(page.body).toMatchObject({ orders: [], next_before: null });
  });
});
