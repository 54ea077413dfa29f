import { describe, expect, it } from "vitest";
import { TIMES } from "../../src/domain/policy.ts";
import { paidOrder, quoteFor, settleAs, startPaying } from "../support/paid-order.ts";
import { GEISHA, GUJI, HUILA, intent, newAgent, openShop, type Shop } from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const HOURS_48 = TIMES.waitlist_offer_ms;

const join = async (
  { merchant }: Shop,
  agentId: string,
  quantity: number,
  email = "buyer@example.com",
  product_id = GUJI,
) =>
  (await merchant.waitlist.join({ product_id, quantity, buyer: { email } }, agentId, intent()))
    .body;

const leave = async ({ merchant }: Shop, id: string, agentId: string) =>
  (await merchant.waitlist.leave(id, agentId, intent())).body;

const guji = async ({ seller }: Shop) => {
  const rows = await seller.stock.list();
  const { on_hand, held } = rows.find((row) => row.product_id === GUJI)!;
  return { on_hand, held };
};

describeEveryStore("the waitlist", (open) => {
  /** A shop without a bag of the waitlist bean, and agents that wait in turn. */
  async function waiting(...quantities: number[]) {
    const { store, other } = await open();
    const shop = await openShop(store);
    await shop.seller.stock.set(GUJI, 0);
    const queue: { id: string; agentId: string }[] = [];
    for (const quantity of quantities) {
      const agentId = await newAgent(shop);
      queue.push({ id: (await join(shop, agentId, quantity)).id, agentId });
    }
    const look = () =>
      Promise.all(
        queue.map(async ({ id, agentId }) => {
          const { status, position } = await shop.merchant.waitlist.get(id, agentId);
          return position ?? status;
        }),
      );
    return { shop, other, queue, look };
  }

  it("those who join are numbered from 1, and nobody is told a time", async () => {
    const { shop, look } = await waiting(2, 1);
    expect(await look()).toEqual([1, 2]);
    const entry = await join(shop, await newAgent(shop), 3);
    expect(entry).toMatchObject({ status: "WAITING", position: 3, eta: null, quantity: 3 });
    expect(entry).not.toHaveProperty("offer_expires_at");
  });

  it("only a waitlist bean has a waitlist", async () => {
    const { shop } = await waiting();
    const agentId = await newAgent(shop);
    for (const bean of [HUILA, GEISHA])
      await expect(join(shop, agentId, 1, "buyer@example.com", bean)).rejects.toMatchObject({
        code: "WAITLIST_NOT_OFFERED",
      });
  });

  it("the same buyer waits once per bean, however the email is written", async () => {
    const { shop, queue } = await waiting(1);
    const { id, agentId } = queue[0]!;
    await expect(join(shop, agentId, 2, "Buyer+again@example.com")).rejects.toMatchObject({
      code: "ALREADY_WAITING",
      problems: [{ detail: id }],
    });
    await expect(join(shop, agentId, 2, "other@example.com")).resolves.toMatchObject({
      position: 2,
    });
    await leave(shop, id, agentId);
    await expect(join(shop, agentId, 2)).resolves.toMatchObject({ position: 2 });
  });

  it("two joins at once are one entry", async () => {
    const { shop, other } = await waiting();
    const beside = await openShop(other, shop.clock);
    const agentId = await newAgent(shop);
    const tries = await Promise.allSettled([join(shop, agentId, 1), join(beside, agentId, 1)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("joins at once from everywhere get every position once", async () => {
    const { shop, other } = await waiting();
    const beside = await openShop(other, shop.clock);
    const agentId = await newAgent(shop);
    const entries = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        join(i % 2 ? shop : beside, agentId, 1, `buyer${i}@example.com`),
      ),
    );
    const positions = entries.map(({ position }) => position!).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    const now = await Promise.all(entries.map(({ id }) => shop.merchant.waitlist.get(id, agentId)));
    expect(now.map(({ position }) => position)).toEqual(entries.map(({ position }) => position));
  });

  it("stock that arrives is offered from the head, and stops at the first that does not fit", async () => {
    const { shop, look, queue } = await waiting(2, 3, 1);
    await shop.seller.stock.set(GUJI, 4);
    expect(await look()).toEqual(["OFFERED", 1, 2]);
    expect(await guji(shop)).toEqual({ on_hand: 4, held: 2 });
    const { id, agentId } = queue[0]!;
    const offer = await shop.merchant.waitlist.get(id, agentId);
    expect(Date.parse(offer.offer_expires_at!)).toBe(shop.clock.now() + HOURS_48);
    await shop.seller.stock.set(GUJI, 6);
    expect(await look()).toEqual(["OFFERED", "OFFERED", "OFFERED"]);
    expect(await guji(shop)).toEqual({ on_hand: 6, held: 6 });
  });

  it("bags that are held cannot be counted away", async () => {
    const { shop } = await waiting(3);
    await shop.seller.stock.set(GUJI, 5);
    await expect(shop.seller.stock.set(GUJI, 2)).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    expect(await guji(shop)).toEqual({ on_hand: 5, held: 3 });
  });

  it("an offer ends after 48 hours, and its bags go to the next", async () => {
    const { shop, look } = await waiting(2, 2);
    await shop.seller.stock.set(GUJI, 2);
    shop.clock.advance(HOURS_48 - 1);
    expect(await shop.merchant.housekeeping.round()).toEqual({ expired: 0, offered: 0 });
    shop.clock.advance(1);
    expect(await shop.merchant.housekeeping.round()).toEqual({ expired: 1, offered: 1 });
    expect(await look()).toEqual(["EXPIRED", "OFFERED"]);
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("rounds in two processes at once offer a bag once", async () => {
    const { shop, other, look } = await waiting(2, 2);
    const beside = await openShop(other, shop.clock);
    await shop.seller.stock.set(GUJI, 2);
    shop.clock.advance(HOURS_48);
    const rounds = await Promise.all([
      shop.merchant.housekeeping.round(),
      beside.merchant.housekeeping.round(),
    ]);
    expect(rounds.reduce((n, { offered }) => n + offered, 0)).toBe(1);
    expect(await look()).toEqual(["EXPIRED", "OFFERED"]);
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("leaving frees what was offered, for the next in the queue", async () => {
    const { shop, look, queue } = await waiting(2, 2);
    await shop.seller.stock.set(GUJI, 2);
    const { id, agentId } = queue[0]!;
    expect(await leave(shop, id, agentId)).toMatchObject({ status: "LEFT", position: null });
    expect(await look()).toEqual(["LEFT", "OFFERED"]);
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 2 });
    expect(await leave(shop, id, agentId)).toMatchObject({ id, status: "LEFT" });
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("a head that does not fit and leaves lets the next one through", async () => {
    const { shop, look, queue } = await waiting(9, 2);
    await shop.seller.stock.set(GUJI, 3);
    expect(await look()).toEqual([1, 2]);
    await leave(shop, queue[0]!.id, queue[0]!.agentId);
    expect(await look()).toEqual(["LEFT", 1]);
    await shop.merchant.housekeeping.round();
    expect(await look()).toEqual(["LEFT", "OFFERED"]);
  });

  it("the buyer's quote uses the offered bags, and paying converts the entry", async () => {
    const { shop, look, queue } = await waiting(3);
    await shop.seller.stock.set(GUJI, 3);
    const { agentId, id } = queue[0]!;
    const stranger = await newAgent(shop);
    const parcels = [{ [GUJI]: 3 }];
    expect((await quoteFor(shop, { agentId: stranger, parcels })).status).toBe("WAITLIST_OFFERED");
    await paidOrder(shop, { agentId, parcels });
    expect(await look()).toEqual(["CONVERTED"]);
    expect(await guji(shop)).toEqual({ on_hand: 0, held: 0 });
    await expect(leave(shop, id, agentId)).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
  });

  it("a buyer who takes fewer bags than offered gives the rest back", async () => {
    const { shop, queue } = await waiting(3, 2);
    await shop.seller.stock.set(GUJI, 3);
    await paidOrder(shop, { agentId: queue[0]!.agentId, parcels: [{ [GUJI]: 1 }] });
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 0 });
    expect(await shop.merchant.housekeeping.round()).toMatchObject({ offered: 1 });
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("a quote takes no more of the buyer's offers than it needs", async () => {
    const { shop, queue } = await waiting(2);
    const { agentId } = queue[0]!;
    await shop.seller.stock.set(GUJI, 2);
    const second = await join(shop, agentId, 3);
    await shop.seller.stock.set(GUJI, 5);
    await paidOrder(shop, { agentId, parcels: [{ [GUJI]: 2 }] });
    expect(await shop.merchant.waitlist.get(second.id, agentId)).toMatchObject({
      status: "OFFERED",
    });
    expect(await guji(shop)).toEqual({ on_hand: 3, held: 3 });
  });

  it("an offer whose buyer is paying neither ends nor is left, until that payment has ended", async () => {
    const { shop, look, queue } = await waiting(2);
    const { agentId, id } = queue[0]!;
    await shop.seller.stock.set(GUJI, 2);
    const quote = await quoteFor(shop, { agentId, parcels: [{ [GUJI]: 2 }] });
    const started = await startPaying(shop, quote.id);
    if (started.kind !== "started") throw new Error("not started");
    shop.clock.advance(HOURS_48);
    expect(await shop.merchant.housekeeping.round()).toEqual({ expired: 0, offered: 0 });
    await expect(leave(shop, id, agentId)).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    await settleAs(shop, started.attempt, "expired");
    expect(await look()).toEqual(["OFFERED"]);
    expect(await shop.merchant.housekeeping.round()).toEqual({ expired: 1, offered: 0 });
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 0 });
  });

  it("bags that a payment let go are offered by the next round", async () => {
    const { shop } = await waiting();
    await shop.seller.stock.set(GUJI, 2);
    const quote = await quoteFor(shop, {
      agentId: await newAgent(shop),
      parcels: [{ [GUJI]: 2 }],
    });
    const started = await startPaying(shop, quote.id);
    if (started.kind !== "started") throw new Error("not started");
    const agentId = await newAgent(shop);
    const { id } = await join(shop, agentId, 2);
    await shop.merchant.housekeeping.round();
    expect(await shop.merchant.waitlist.get(id, agentId)).toMatchObject({ position: 1 });
    await settleAs(shop, started.attempt, "expired");
    await shop.merchant.housekeeping.round();
    expect(await shop.merchant.waitlist.get(id, agentId)).toMatchObject({ status: "OFFERED" });
  });

  it("bags of a canceled order go to those who wait, at once", async () => {
    const { shop } = await waiting();
    await shop.seller.stock.set(GUJI, 2);
    const buyer = await newAgent(shop);
    const orderId = await paidOrder(shop, { agentId: buyer, parcels: [{ [GUJI]: 2 }] });
    const agentId = await newAgent(shop);
    const { id } = await join(shop, agentId, 2);
    await shop.seller.orders.cancel(orderId, "A mistake.");
    expect(await shop.merchant.waitlist.get(id, agentId)).toMatchObject({ status: "OFFERED" });
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("bags on the shelf that the head has no use for are sold to whoever pays", async () => {
    const { shop, look } = await waiting(9);
    await shop.seller.stock.set(GUJI, 2);
    await paidOrder(shop, { agentId: await newAgent(shop), parcels: [{ [GUJI]: 2 }] });
    expect(await look()).toEqual([1]);
    expect(await guji(shop)).toEqual({ on_hand: 0, held: 0 });
  });

  it("a revoked key loses its places, and the next in the queue gets its bags", async () => {
    const { shop, look, queue } = await waiting(2, 2, 2);
    await shop.seller.stock.set(GUJI, 2);
    await shop.seller.keys.revoke(queue[0]!.agentId);
    await shop.seller.keys.revoke(queue[2]!.agentId);
    expect(await look()).toEqual(["LEFT", "OFFERED", "LEFT"]);
    expect(await guji(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("another key's entry is none", async () => {
    const { shop, queue } = await waiting(1);
    const stranger = await newAgent(shop);
    const { id } = queue[0]!;
    const foreign = await shop.merchant.waitlist.get(id, stranger).catch((error) => error);
    const never = await shop.merchant.waitlist.get("wl_none", stranger).catch((error) => error);
    expect(foreign).toMatchObject({ code: "NOT_FOUND" });
    expect(foreign.message).toBe(never.message);
    await expect(leave(shop, id, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("a repeated join under the same key is the same entry", async () => {
    const { shop } = await waiting();
    const agentId = await newAgent(shop);
    const request = { product_id: GUJI, quantity: 1, buyer: { email: "buyer@example.com" } };
    const once = intent("the same");
    const first = await shop.merchant.waitlist.join(request, agentId, once);
    const again = await shop.merchant.waitlist.join(request, agentId, once);
    expect(again).toEqual({ body: first.body, replayed: true });
    expect(await shop.store.queries.countRows("waitlist")).toBe(1);
  });

  it("stored answers go after their 48 hours, and not before", async () => {
    const { shop } = await waiting(1);
    const kept = await shop.store.queries.countRows("idempotency");
    await shop.merchant.housekeeping.round();
    expect(await shop.store.queries.countRows("idempotency")).toBe(kept);
    shop.clock.advance(TIMES.idempotency_ms);
    await shop.merchant.housekeeping.round();
    expect(await shop.store.queries.countRows("idempotency")).toBe(0);
  });
});

describe("the seller's list of who waits", () => {
  it("shows live entries in turn, and ended ones when asked", async () => {
    const { openSqlite } = await import("../../src/store/sqlite/sqlite-store.ts");
    const store = await openSqlite({ file: ":memory:" });
    const shop = await openShop(store);
    const agentId = await newAgent(shop);
    const first = await join(shop, agentId, 1, "a@example.com");
    await join(shop, agentId, 2, "b@example.com");
    await leave(shop, first.id, agentId);
    expect(await shop.seller.waitlist.list()).toMatchObject([
      { buyer: { email: "b@example.com" }, position: 1 },
    ]);
    expect(await shop.seller.waitlist.list(true)).toHaveLength(2);
    await store.close();
  });
});
