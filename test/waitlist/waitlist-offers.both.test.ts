import { expect, it, vi } from "vitest";
import { revokeAgent } from "../../src/agents/agent.ts";
import { MOST_HEADS } from "../../src/catalog/queue-heads.ts";
import { insert } from "../../src/core/command.ts";
import { TIMES } from "../../src/core/policy.ts";
import { write } from "../db/rules.ts";
import { WAITLISTED } from "../support/catalog.ts";
import {
  confirmed,
  join,
  leave,
  WITH_WAITLISTED,
  WITHOUT_WAITLISTED,
  waiting,
  waitlisted,
} from "../support/queue.ts";
import {
  intent,
  newAgent,
  openShop,
  paidOrder,
  quoteFor,
  settleAs,
  startPaying,
} from "../support/shop.ts";
import { describeEveryStore } from "../support/stores.ts";

const HOURS_48 = TIMES.waitlist_offer_ms;

describeEveryStore("waitlist offers", (open) => {
  it("new stock is offered from the head, past entries that do not fit", async () => {
    const { shop, look, queue } = await waiting(open, 2, 3, 1);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 4 });
    expect(await look()).toEqual(["OFFERED", 1, "OFFERED"]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 4, held: 3 });
    const { id, agentId } = queue[0]!;
    const offer = await shop.merchant.waitlist.get(id, agentId);
    expect(Date.parse(offer.offer_expires_at!)).toBe(shop.clock.now() + HOURS_48);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 6 });
    expect(await look()).toEqual(["OFFERED", "OFFERED", "OFFERED"]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 6, held: 6 });
  });

  it("a smaller stock count ends offers from the end of the queue", async () => {
    const { shop, look, queue } = await waiting(open, 3, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 5 });
    shop.clock.advance(1000);
    const { ended } = await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 4 });
    expect(ended).toMatchObject([{ id: queue[1]!.id, quantity: 2 }]);
    expect(await look()).toEqual(["OFFERED", 1]);
    expect(await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 0 })).toMatchObject({
      ended: [{ id: queue[0]!.id }],
    });
    expect(await waitlisted(shop)).toEqual({ on_hand: 0, held: 0 });
  });

  it("bags that a payment has taken cannot be counted away", async () => {
    const { shop } = await waiting(open);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 5 });
    const agentId = await newAgent(shop);
    const quote = await quoteFor(shop, { agentId, shipments: [{ [WAITLISTED]: 3 }] });
    const started = await startPaying(shop, quote.id);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 4 });
    await settleAs(shop, started, "authorized");
    await expect(
      shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 }),
    ).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    expect(await waitlisted(shop)).toEqual({ on_hand: 4, held: 3 });
  });

  it("an offer ends after 48 hours, and its bags go to the next", async () => {
    const { shop, look } = await waiting(open, 2, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    shop.clock.advance(HOURS_48 - 1);
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 0, offered: 0 });
    shop.clock.advance(1);
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 1, offered: 1 });
    expect(await look()).toEqual(["EXPIRED", "OFFERED"]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("housekeeping in two processes at once offers a bag once", async () => {
    const { shop, other, look } = await waiting(open, 2, 2);
    const beside = await openShop(other, shop.clock);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    shop.clock.advance(HOURS_48);
    const runs = await Promise.all([
      shop.merchant.housekeeping.run(),
      beside.merchant.housekeeping.run(),
    ]);
    expect(runs.reduce((n, { offered }) => n + offered, 0)).toBe(1);
    expect(await look()).toEqual(["EXPIRED", "OFFERED"]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("leaving gives the offered bags to the next in the queue", async () => {
    const { shop, look, queue } = await waiting(open, 2, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    const { id, agentId } = queue[0]!;
    expect(await leave(shop, id, agentId)).toMatchObject({ status: "LEFT", position: null });
    expect(await look()).toEqual(["LEFT", "OFFERED"]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
    expect(await leave(shop, id, agentId)).toMatchObject({ id, status: "LEFT" });
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("a head that does not fit is passed over and keeps its place", async () => {
    const { shop, look } = await waiting(open, 9, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 3 });
    expect(await look()).toEqual([1, "OFFERED"]);
    await shop.admin.stock.receive({ product_id: WAITLISTED, bags: 17 });
    expect(await look()).toEqual(["OFFERED", "OFFERED"]);
  });

  it("the buyer's quote uses the offered bags, and payment converts the entry", async () => {
    const { shop, look, queue } = await waiting(open, 3);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 3 });
    const { agentId, id } = queue[0]!;
    const stranger = await newAgent(shop);
    const shipments = [{ [WAITLISTED]: 3 }];
    expect((await quoteFor(shop, { agentId: stranger, shipments })).status).toBe(
      "WAITLIST_OFFERED",
    );
    await paidOrder(shop, { agentId, shipments });
    expect(await look()).toEqual(["CONVERTED"]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 0, held: 0 });
    await expect(leave(shop, id, agentId)).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
  });

  it("ended places are not read with a quote", async () => {
    const { shop, queue } = await waiting(open, 2);
    const { id, agentId } = queue[0]!;
    await leave(shop, id, agentId);
    const again = await join(shop, agentId, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    const quote = await quoteFor(shop, { agentId, shipments: [{ [WAITLISTED]: 2 }] });
    const reads = Object.entries(shop.store.queries).map(([name]) =>
      vi.spyOn(shop.store.queries, name as "waitlistEntry"),
    );
    const { offer_expires_at } = await shop.merchant.quotes.get(quote.id, agentId);
    const rows = (await Promise.all(reads.flatMap(({ mock }) => mock.results.map((r) => r.value))))
      .flat()
      .filter((row) => row?.customer !== undefined && row.product_id === WAITLISTED);
    vi.restoreAllMocks();
    expect(rows.map((row) => row.id)).toEqual([again.id]);
    expect(offer_expires_at).toBeDefined();
  });

  it("a buyer who takes fewer bags than offered returns the rest", async () => {
    const { shop, queue } = await waiting(open, 3, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 3 });
    await paidOrder(shop, { agentId: queue[0]!.agentId, shipments: [{ [WAITLISTED]: 1 }] });
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 0 });
    expect(await shop.merchant.housekeeping.run()).toMatchObject({ offered: 1 });
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("a quote uses no bags that the same key was offered for another buyer", async () => {
    const { shop, queue } = await waiting(open, 2);
    const { agentId } = queue[0]!;
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    const second = await join(shop, agentId, 3, "other@example.com");
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 5 });
    await paidOrder(shop, { agentId, shipments: [{ [WAITLISTED]: 2 }] });
    expect(await shop.merchant.waitlist.get(second.id, agentId)).toMatchObject({
      status: "OFFERED",
    });
    expect(await waitlisted(shop)).toEqual({ on_hand: 3, held: 3 });
  });

  it("an offer lasts as long as its payment page, once, and can be left meanwhile", async () => {
    const { shop, look, queue } = await waiting(open, 2);
    const { agentId, id } = queue[0]!;
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    shop.clock.advance(HOURS_48 - 1000);
    const until = async () =>
      Date.parse((await shop.merchant.waitlist.get(id, agentId)).offer_expires_at!);
    const press = async () => {
      const quote = await quoteFor(shop, { agentId, shipments: [{ [WAITLISTED]: 2 }] });
      return startPaying(shop, quote.id);
    };
    const started = await press();
    expect(await until()).toBe(started.expires_at);
    shop.clock.advance(60_000);
    await press();
    expect(await until()).toBe(started.expires_at);
    expect(await leave(shop, id, agentId)).toMatchObject({ status: "LEFT" });
    expect(await look()).toEqual(["LEFT"]);
  });

  it("an offer whose bags a payment has taken neither expires nor can be left", async () => {
    const { shop, look, queue } = await waiting(open, 2);
    const { agentId, id } = queue[0]!;
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    const quote = await quoteFor(shop, { agentId, shipments: [{ [WAITLISTED]: 2 }] });
    const started = await startPaying(shop, quote.id);
    expect(await settleAs(shop, started, "authorized")).toMatchObject({ status: "CAPTURING" });
    shop.clock.advance(HOURS_48);
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 0, offered: 0 });
    await expect(leave(shop, id, agentId)).rejects.toMatchObject({ code: "ILLEGAL_STEP" });
    expect(await join(shop, agentId, 9)).toMatchObject({ id, status: "OFFERED", quantity: 2 });
    expect(await shop.merchant.waitlist.get(id, agentId)).toMatchObject({
      status: "OFFERED",
      next: [
        {
          action: expect.stringContaining("get_waitlist_entry"),
          why: expect.stringContaining("is paying"),
        },
      ],
    });
    await settleAs(shop, started, "canceled");
    expect(await look()).toEqual(["OFFERED"]);
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 1, offered: 0 });
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 0 });
  });

  it("a queue longer than one batch still gets its offers in turn", async () => {
    const { shop, other } = await waiting(open);
    const agentId = await newAgent(shop);
    // An older version did not count joins.
    const entries = Array.from({ length: MOST_HEADS + 20 }, (_, i) =>
      insert("waitlist", {
        id: `wl_long_${String(i).padStart(4, "0")}`,
        agent_id: agentId,
        product_id: WAITLISTED,
        quantity: 1,
        buyer_email: `long-${i}@example.com`,
        customer: `long-${i}@example.com`,
        status: "WAITING",
        created_at: shop.clock.now() + i,
        confirmed_at: shop.clock.now(),
        offer_expires_at: null,
        attempt_id: null,
      }),
    );
    await shop.store.run(write, entries);
    const last = await join(shop, agentId, 1, "last@example.com");
    expect(last.position).toBe(MOST_HEADS + 21);
    const beside = await openShop(other, shop.clock);
    expect(await join(beside, agentId, 1, "after@example.com")).toMatchObject({
      position: MOST_HEADS + 22,
    });
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: MOST_HEADS + 21 });
    expect(await waitlisted(shop)).toMatchObject({ held: MOST_HEADS });
    expect(await shop.merchant.waitlist.get(last.id, agentId)).toMatchObject({ position: 21 });
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 0, offered: 21 });
    expect(await shop.merchant.waitlist.get(last.id, agentId)).toMatchObject({
      status: "OFFERED",
    });
    shop.clock.advance(HOURS_48 + 1000);
    expect(await beside.merchant.housekeeping.run()).toEqual({
      expired: MOST_HEADS + 21,
      offered: 1,
    });
    expect(await waitlisted(shop)).toMatchObject({ held: 1 });
  });

  it("bags of a canceled order go to the waitlist at once", async () => {
    const { shop } = await waiting(open);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    const buyer = await newAgent(shop);
    const orderId = await paidOrder(shop, { agentId: buyer, shipments: [{ [WAITLISTED]: 2 }] });
    const agentId = await newAgent(shop);
    const { id } = await join(shop, agentId, 2);
    await shop.admin.orders.cancel({ order_id: orderId, reason: "A mistake." });
    expect(await shop.merchant.waitlist.get(id, agentId)).toMatchObject({ status: "OFFERED" });
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("bags of a bean off sale are not offered until it is back", async () => {
    const { shop, queue, look } = await waiting(open, 2);
    await shop.admin.catalog.import({ file: WITHOUT_WAITLISTED });
    await shop.admin.stock.receive({ product_id: WAITLISTED, bags: 2 });
    await shop.merchant.housekeeping.run();
    expect(await look()).toEqual([1]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 0 });
    const { id, agentId } = queue[0]!;
    const { next } = await shop.merchant.waitlist.get(id, agentId);
    expect(next[0]!.why).toContain("This bean is off sale.");
    await shop.admin.catalog.import({ file: WITH_WAITLISTED });
    await shop.merchant.housekeeping.run();
    expect(await look()).toEqual(["OFFERED"]);
    // An earlier offer does not lead to a quote that would be refused.
    await shop.admin.catalog.import({ file: WITHOUT_WAITLISTED });
    const offered = await shop.merchant.waitlist.get(id, agentId);
    expect(offered.status).toBe("OFFERED");
    expect(offered.next.map(({ action }) => action)).not.toContain("request_quote");
  });

  it("an offer whose bean went off sale returns to its place in the queue", async () => {
    const { shop, look } = await waiting(open, 2, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    await shop.admin.catalog.import({ file: WITHOUT_WAITLISTED });
    shop.clock.advance(HOURS_48);
    await shop.merchant.housekeeping.run();
    expect(await look()).toEqual([1, 2]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 0 });
    await shop.admin.catalog.import({ file: WITH_WAITLISTED });
    await shop.merchant.housekeeping.run();
    expect(await look()).toEqual(["OFFERED", 1]);
    const letters = await shop.merchant.mail.list();
    expect(letters.filter(({ kind }) => kind === "WAITLIST_OFFER")).toHaveLength(2);
  });

  it("an offer whose bean was off sale has its full 48 hours once it is back", async () => {
    const { shop, queue, look } = await waiting(open, 2, 2);
    const { id, agentId } = queue[0]!;
    const until = async () => (await shop.merchant.waitlist.get(id, agentId)).offer_expires_at;
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    shop.clock.advance(1000);
    await shop.admin.catalog.import({ file: WITHOUT_WAITLISTED });
    shop.clock.advance(HOURS_48 - 2000);
    await shop.admin.catalog.import({ file: WITH_WAITLISTED });
    expect(await until()).toBe(new Date(shop.clock.now() + HOURS_48).toISOString());
    await shop.merchant.housekeeping.run();
    expect(await look()).toEqual(["OFFERED", 1]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
    const letters = await shop.merchant.mail.list();
    expect(letters.filter(({ kind }) => kind === "WAITLIST_OFFER")).toHaveLength(2);
    // A publication that keeps the bean off sale gives no more time.
    const before = await until();
    shop.clock.advance(1000);
    await shop.admin.catalog.import({ file: WITH_WAITLISTED });
    expect(await until()).toBe(before);
  });

  it("free bags that do not fit the head are sold to the first who pays", async () => {
    const { shop, look } = await waiting(open, 9);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    await paidOrder(shop, { agentId: await newAgent(shop), shipments: [{ [WAITLISTED]: 2 }] });
    expect(await look()).toEqual([1]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 0, held: 0 });
  });

  it("a revoked key has left its places even if the process is killed then", async () => {
    const { shop, queue, look } = await waiting(open, 2, 2);
    const { run } = shop.store;
    let ended = false;
    const dying = vi.spyOn(shop.store, "run").mockImplementation(async (rule, command) => {
      if (ended) throw new Error("The process has ended.");
      const reply = await run(rule, command);
      ended = (rule as unknown) === revokeAgent;
      return reply;
    });
    await shop.admin.keys.revoke({ agent_id: queue[0]!.agentId }).catch(() => {});
    expect(ended).toBe(true);
    dying.mockRestore();
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    expect(await look()).toEqual(["LEFT", "OFFERED"]);
  });

  it("a key revoked while it joins has no place", async () => {
    const { shop, queue, look } = await waiting(open, 2);
    const { agentId } = queue[0]!;
    // The key was valid at authentication, and revoked before the rule ran.
    await shop.admin.keys.revoke({ agent_id: agentId });
    await expect(join(shop, agentId, 2, "late@example.com")).rejects.toMatchObject({
      code: "KEY_REVOKED",
    });
    expect(await look()).toEqual(["LEFT"]);
  });

  it("a revoked key loses its places, and the next in the queue gets its bags", async () => {
    const { shop, look, queue } = await waiting(open, 2, 2, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    await shop.admin.keys.revoke({ agent_id: queue[0]!.agentId });
    await shop.admin.keys.revoke({ agent_id: queue[2]!.agentId });
    expect(await look()).toEqual(["LEFT", "OFFERED", "LEFT"]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("entries that nobody confirmed are offered nothing, whoever pays first gets the bags", async () => {
    const { shop, look } = await waiting(open);
    const [agentId, stranger] = [await newAgent(shop), await newAgent(shop)];
    const enter = async (email: string, by = stranger) => {
      const request = { product_id: WAITLISTED, quantity: 20, buyer: { email } };
      return (await shop.merchant.waitlist.join(request, by, intent())).body;
    };
    for (let i = 0; i < 5; i++) await enter(`stranger${i}@example.com`);
    const own = await enter("buyer@example.com", agentId);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 30 });
    expect(await waitlisted(shop)).toEqual({ on_hand: 30, held: 0 });
    const seen = await shop.merchant.waitlist.get(own.id, agentId);
    expect(seen).toMatchObject({ status: "WAITING", position: 6, confirmed: false });
    expect(seen.next[0]!.action).toContain("request_quote");
    await confirmed(shop, own.id);
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 0, offered: 1 });
    expect(await waitlisted(shop)).toEqual({ on_hand: 30, held: 20 });
    expect(await look()).toEqual([]);
  });

  it("confirmed customers of one network are offered bags side by side", async () => {
    const { shop, look } = await waiting(open, 10, 10, 10);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 40 });
    expect(await look()).toEqual(["OFFERED", "OFFERED", "OFFERED"]);
  });

  it("a place expires after 90 days without a read, and the merchant can remove one", async () => {
    const { shop, queue, look } = await waiting(open, 2, 2);
    shop.clock.advance(TIMES.waitlist_place_ms - 1000);
    await shop.merchant.waitlist.get(queue[0]!.id, queue[0]!.agentId);
    shop.clock.advance(2000);
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 1, offered: 0 });
    expect(await look()).toEqual([1, "EXPIRED"]);
    await shop.admin.waitlist.remove({ entry_id: queue[0]!.id });
    expect(await look()).toEqual(["LEFT", "EXPIRED"]);
    expect((await shop.admin.audit.list())[0]).toMatchObject({ act: "waitlist.remove" });
  });
});
