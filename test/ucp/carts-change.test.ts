/** A checkout follows its cart, and both stay readable when the shop changes under them (contract §20). */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { DAY_MS } from "../../src/core/policy.ts";
import { form, newEmail } from "../support/purchase.ts";
import { WITH_WAITLISTED, WITHOUT_WAITLISTED } from "../support/queue.ts";
import { startService, type TestService } from "../support/service.ts";
import { ADDRESS, send } from "../support/shopper.ts";
import { codes, ucpClient } from "./client.ts";

const KENYA = { item: { id: "kenya-nyeri" }, quantity: 1 };
const RWANDA = { item: { id: "rwanda-huye" }, quantity: 2 };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever came.
type Any = any;

interface Transport {
  create(kind: "cart" | "checkout", content: object, key?: string): Promise<Any>;
  get(kind: "cart" | "checkout", id: string): Promise<Any>;
  update(kind: "cart" | "checkout", id: string, content: object, key?: string): Promise<Any>;
  cancel(kind: "cart" | "checkout", id: string): Promise<Any>;
}

const PATHS = { cart: "/carts", checkout: "/checkout-sessions" };

const client = ucpClient(() => service);
const { call: rpc } = client;
const rest = async (path: string, ask: object = {}, idempotencyKey: string | null = null) =>
  (await client.rest(path, { ...ask, idempotencyKey })).body;

const REST: Transport = {
  create: (kind, body, key) => rest(PATHS[kind], { body }, key),
  get: (kind, id) => rest(`${PATHS[kind]}/${id}`),
  update: (kind, id, body, key) => rest(`${PATHS[kind]}/${id}`, { method: "PUT", body }, key),
  cancel: (kind, id) => rest(`${PATHS[kind]}/${id}/cancel`, { method: "POST" }),
};
const RPC: Transport = {
  create: (kind, content, key) => rpc(`create_${kind}`, { [kind]: content }, key),
  get: (kind, id) => rpc(`get_${kind}`, { id }),
  update: (kind, id, content, key) => rpc(`update_${kind}`, { id, [kind]: content }, key),
  cancel: (kind, id) => rpc(`cancel_${kind}`, { id }),
};

const BOTH = [
  ["REST", REST],
  ["JSON-RPC", RPC],
] as const;

const bagsOf = ({ line_items }: Any): [string, number][] =>
  line_items.map(({ item, quantity }: Any) => [item.id, quantity]);
const page = (url: string) => send(service.baseUrl, url, { headers: { accept: "text/html" } });

test.each(BOTH)(
  "an unpaid checkout takes over its cart's bags and code, over %s",
  async (_, ucp) => {
    const cart = await ucp.create("cart", {
      line_items: [KENYA],
      discounts: { codes: ["FIRSTBAG"] },
    });
    const first = await ucp.create("checkout", { cart_id: cart.id, line_items: [] });
    const email = newEmail();
    await ucp.update("checkout", first.id, { line_items: [KENYA], buyer: { email } });
    await ucp.update("cart", cart.id, { line_items: [{ ...RWANDA, quantity: 4 }] });
    const again = await ucp.create("checkout", { cart_id: cart.id, line_items: [] });
    expect([again.id, bagsOf(again)]).toEqual([first.id, [["rwanda-huye", 4]]]);
    expect(again.discounts).toEqual({ codes: [], applied: [] });
    // Both are one: an update replaces all of it.
    expect(again.buyer).toBeUndefined();
    expect(await ucp.get("checkout", first.id)).toEqual(again);
    expect((await page(again.continue_url)).text).toContain("Rwanda");
  },
);

test.each(BOTH)("a canceled checkout is not used again, over %s", async (_, ucp) => {
  const cart = await ucp.create("cart", { line_items: [KENYA] });
  const first = await ucp.create("checkout", { cart_id: cart.id, line_items: [] });
  await ucp.cancel("checkout", first.id);
  const second = await ucp.create("checkout", { cart_id: cart.id, line_items: [] });
  expect([second.status, second.id === first.id]).toEqual(["requires_escalation", false]);
  expect((await ucp.get("checkout", first.id)).status).toBe("canceled");
  await ucp.cancel("checkout", second.id);
  const third = await ucp.create("checkout", { cart_id: cart.id, line_items: [] });
  expect(new Set([first.id, second.id, third.id]).size).toBe(3);
  // Its order is found by the ids that the answers name.
  await client.pay(third.continue_url);
  const done = await client.becomes(third.id, "completed");
  expect((await page(done.order.permalink_url)).text).toContain(`Order ${done.order.label}`);
  expect((await ucp.get("checkout", first.id)).status).toBe("canceled");
  // A paid cart makes no further checkout.
  const more = await ucp.create("checkout", { cart_id: cart.id, line_items: [] });
  expect([more.id, more.status, codes(more)]).toEqual([third.id, "completed", []]);
});

test("a checkout lives as long as its cart", async () => {
  const cart = await REST.create("cart", { line_items: [KENYA] });
  const first = await REST.create("checkout", { cart_id: cart.id, line_items: [] });
  service.clock.advance(DAY_MS / 2);
  await REST.update("cart", cart.id, { line_items: [RWANDA] });
  service.clock.advance(DAY_MS / 2);
  expect(bagsOf(await REST.get("checkout", first.id))).toEqual([["rwanda-huye", 2]]);
  const second = await REST.create("checkout", { cart_id: cart.id, line_items: [] });
  expect(second.id).toBe(first.id);
  service.clock.advance(DAY_MS);
  expect(codes(await REST.get("checkout", first.id))).toEqual(["not_found"]);
});

test.each(BOTH)(
  "an update is replayed by its key, also after a cancel, over %s",
  async (_, ucp) => {
    const checkout = await ucp.create("checkout", { line_items: [KENYA] });
    const key = `update-${checkout.id}`;
    const change = () => ucp.update("checkout", checkout.id, { line_items: [KENYA, RWANDA] }, key);
    const first = await change();
    await ucp.cancel("checkout", checkout.id);
    const again = await change();
    expect([codes(again), bagsOf(again)]).toEqual([[], bagsOf(first)]);
  },
);

test.each(BOTH)("a key stands for one request, whatever its target, over %s", async (_, ucp) => {
  const [one, two] = [
    await ucp.create("cart", { line_items: [KENYA] }),
    await ucp.create("cart", { line_items: [KENYA] }),
  ];
  const content = { line_items: [RWANDA] };
  const key = randomUUID();
  expect(bagsOf(await ucp.update("cart", one.id, content, key))).toEqual([["rwanda-huye", 2]]);
  const refused = await ucp.update("cart", two.id, content, key);
  expect(JSON.stringify(refused)).toContain("idempotency_conflict");
  expect(bagsOf(await ucp.get("cart", two.id))).toEqual([["kenya-nyeri", 1]]);
});

async function offSale(): Promise<void> {
  const { catalog } = service.service.merchant.admin("cli");
  await catalog.import({ file: WITHOUT_WAITLISTED });
  onTestFinished(async () => void (await catalog.import({ file: WITH_WAITLISTED })));
}

test.each(BOTH)("a bean off sale is marked in carts and checkouts, over %s", async (_, ucp) => {
  const content = { line_items: [KENYA, RWANDA] };
  const cart = await ucp.create("cart", content);
  const checkout = await ucp.create("checkout", content);
  await offSale();
  for (const [kind, { id, totals }] of [
    ["cart", cart],
    ["checkout", checkout],
  ] as const) {
    const found = await ucp.get(kind, id);
    expect(found).toMatchObject({ id, totals });
    expect(found.messages).toMatchObject([
      { code: "item_unavailable", severity: "recoverable", path: "$.line_items[1].item.id" },
    ]);
    const shown = await page(found.continue_url);
    expect([shown.status, shown.text]).toEqual([
      200,
      expect.stringContaining("Rwanda Huye right now"),
    ]);
    const fixed = await ucp.update(kind, id, { line_items: [KENYA] });
    expect(bagsOf(fixed)).toEqual([["kenya-nyeri", 1]]);
    expect(codes(fixed)).not.toContain("item_unavailable");
  }
  expect((await ucp.get("checkout", checkout.id)).status).toBe("requires_escalation");
});

test("a checkout that can't be ordered as it is has to be corrected first", async () => {
  const checkout = await REST.create("checkout", { line_items: [KENYA, RWANDA] });
  await offSale();
  expect((await REST.get("checkout", checkout.id)).status).toBe("incomplete");
  const fields = form({ email: newEmail(), ...ADDRESS });
  const sent = await send(service.baseUrl, checkout.continue_url, fields);
  expect([sent.status, sent.text]).toEqual([409, expect.stringContaining("Rwanda Huye right now")]);
});

test.each(BOTH)("reading tells that bags ran out, over %s", async (_, ucp) => {
  const cart = await ucp.create("cart", { line_items: [KENYA, RWANDA] });
  const { stock } = service.service.merchant.admin("cli");
  await stock.set({ product_id: "rwanda-huye", on_hand: 1 });
  onTestFinished(async () => void (await stock.set({ product_id: "rwanda-huye", on_hand: 40 })));
  expect((await ucp.get("cart", cart.id)).messages).toMatchObject([
    { code: "out_of_stock", severity: "recoverable", path: "$.line_items[1].quantity" },
  ]);
});
