/** Which entries are offered free bags, for how long, and what becomes of those bags (contract §7). */
import { describe, expect, it, test, vi } from "vitest";
import { revokeAgent } from "../../src/agents/agent.ts";
import { MOST_HEADS } from "../../src/catalog/queue-heads.ts";
import { insert } from "../../src/core/command.ts";
import { write } from "../db/rules.ts";
import { WAITLISTED } from "../support/catalog.ts";
import {
  confirmed,
  join,
  leave,
  WITH_WAITLISTED,
  WITHOUT_WAITLISTED,
  waiting as waitingIn,
  waitlisted,
} from "../support/queue.ts";
import {
  intent,
  newAgent,
  openShop,
  paidOrder,
  quoteFor,
  type Shop,
  settleAs,
  startPaying,
} from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";

const HOUR = 3_600_000;
const ILLEGAL = { code: "ILLEGAL_STEP" };

const waiting = (...quantities: number[]) => waitingIn(openUsual, ...quantities);
type Waiting = Awaited<ReturnType<typeof waiting>>;

const stock = ({ admin }: Shop, on_hand: number) =>
  admin.stock.set({ product_id: WAITLISTED, on_hand });

/** Acts of the script. `n` is a number of bags, hours or milliseconds, or an entry. */
const ACTS: Record<string, (at: Waiting, n: number) => unknown> = {
  stock: ({ shop }, n) => stock(shop, n),
  receive: ({ shop }, bags) => shop.admin.stock.receive({ product_id: WAITLISTED, bags }),
  off: ({ shop }) => shop.admin.catalog.import({ file: WITHOUT_WAITLISTED }),
  on: ({ shop }) => shop.admin.catalog.import({ file: WITH_WAITLISTED }),
  pause: ({ shop }, days) => {
    const until = new Date(shop.clock.now() + days * 24 * HOUR).toISOString().slice(0, 10);
    return shop.admin.shop.pause({ until, message: null });
  },
  reopen: ({ shop }) => shop.admin.shop.reopen(),
  hours: ({ shop }, n) => shop.clock.advance(n * HOUR),
  ms: ({ shop }, n) => shop.clock.advance(n),
  sweep: ({ shop }) => shop.merchant.housekeeping.run(),
  read: ({ shop, queue }, n) => shop.merchant.waitlist.get(queue[n]!.id, queue[n]!.agentId),
  leave: ({ shop, queue }, n) => leave(shop, queue[n]!.id, queue[n]!.agentId),
  remove: ({ shop, queue }, n) => shop.admin.waitlist.remove({ entry_id: queue[n]!.id }),
  revoke: ({ shop, queue }, n) => shop.admin.keys.revoke({ agent_id: queue[n]!.agentId }),
};

describe("entries, acts, then position or status of each, and bags on hand and held", () => {
  test.each<[quantities: number[], script: string, look: string, bags: string]>([
    // From the head, past entries that do not fit and keep their places.
    [[2, 3, 1], "stock:4", "OFFERED 1 OFFERED", "4 3"],
    [[2, 3, 1], "stock:4 stock:6", "OFFERED OFFERED OFFERED", "6 6"],
    [[9, 2], "stock:3", "1 OFFERED", "3 2"],
    [[9, 2], "stock:3 receive:17", "OFFERED OFFERED", "20 11"],
    [[10, 10, 10], "stock:40", "OFFERED OFFERED OFFERED", "40 30"],
    // A smaller count ends offers from the end of the queue.
    [[3, 2], "stock:5 ms:1000 stock:4", "OFFERED 1", "4 3"],
    [[3, 2], "stock:5 ms:1000 stock:0", "1 2", "0 0"],
    // An offer lasts 48 hours.
    [[2, 2], "stock:2 ms:172799999 sweep", "OFFERED 1", "2 2"],
    [[2, 2], "stock:2 hours:48 sweep", "EXPIRED OFFERED", "2 2"],
    [[2, 2], "stock:2 leave:0", "LEFT OFFERED", "2 2"],
    [[2, 2], "stock:2 leave:0 leave:0", "LEFT OFFERED", "2 2"],
    [[2, 2, 2], "stock:2 revoke:0 revoke:2", "LEFT OFFERED LEFT", "2 2"],
    // Off sale: no offers; one that was out returns to its place, and has its whole time afterwards.
    [[2], "off receive:2 sweep", "1", "2 0"],
    [[2], "off receive:2 on sweep", "OFFERED", "2 2"],
    [[2, 2], "stock:2 off hours:48 sweep", "1 2", "2 0"],
    [[2, 2], "stock:2 off hours:48 sweep on sweep", "OFFERED 1", "2 2"],
    [[2, 2], "stock:2 off hours:47 on hours:47 sweep", "OFFERED 1", "2 2"],
    [[2, 2], "stock:2 off hours:47 on hours:48 sweep", "EXPIRED OFFERED", "2 2"],
    [[2, 2], "stock:2 hours:47 on hours:1 sweep", "EXPIRED OFFERED", "2 2"],
    // In a break nothing could be ordered, so nothing is offered, and no place is lost.
    [[2, 2], "pause:14 stock:2 sweep", "1 2", "2 0"],
    [[2, 2], "stock:2 pause:14 hours:48 sweep", "1 2", "2 0"],
    [[2, 2], "stock:2 pause:14 leave:0 sweep", "LEFT 1", "2 0"],
    [[2, 2], "stock:2 pause:14 hours:48 sweep reopen sweep", "OFFERED 1", "2 2"],
    // A place ends after 90 days without a read. An offer that ended for the shop's sake is no absence.
    [[2], "hours:2159 stock:2 hours:40 stock:0 sweep", "1", "0 0"],
    [[2], "hours:2159 stock:2 hours:40 off hours:8 sweep sweep", "1", "2 0"],
    [[2, 2], "ms:7775999999 read:0 ms:2 sweep", "1 EXPIRED", "0 0"],
    [[2, 2], "ms:7775999999 sweep", "1 2", "0 0"],
    [[2, 2], "ms:7776000000 sweep", "EXPIRED 1", "0 0"],
    [[2, 2], "stock:2 remove:0", "LEFT OFFERED", "2 2"],
  ])("%j, %s: %s, %s", async (quantities, script, ends, bags) => {
    const at = await waiting(...quantities);
    for (const word of script.split(" ")) {
      const [act = "", n] = word.split(":");
      await ACTS[act]!(at, Number(n));
    }
    expect((await at.look()).join(" ")).toBe(ends);
    const { on_hand, held } = await waitlisted(at.shop);
    expect(`${on_hand} ${held}`).toBe(bags);
  });
});

it("an offer tells its end, and the merchant which offers a smaller count has ended", async () => {
  const { shop, queue } = await waiting(3, 2);
  await stock(shop, 5);
  const { id, agentId } = queue[0]!;
  const offer = await shop.merchant.waitlist.get(id, agentId);
  expect(Date.parse(offer.offer_expires_at!)).toBe(shop.clock.now() + 48 * HOUR);
  expect((await stock(shop, 4)).ended).toMatchObject([{ id: queue[1]!.id, quantity: 2 }]);
});

it("bags that a payment has taken cannot be counted away", async () => {
  const { shop } = await waiting();
  await stock(shop, 5);
  const quote = await quoteFor(shop, {
    agentId: await newAgent(shop),
    shipments: [{ [WAITLISTED]: 3 }],
  });
  const started = await startPaying(shop, quote.id);
  await stock(shop, 4);
  await settleAs(shop, started, "authorized");
  await expect(stock(shop, 2)).rejects.toMatchObject(ILLEGAL);
  expect(await waitlisted(shop)).toEqual({ on_hand: 4, held: 3 });
});

it("the buyer's quote uses the offered bags, and payment converts the entry", async () => {
  const { shop, look, queue } = await waiting(3);
  await stock(shop, 3);
  const { agentId, id } = queue[0]!;
  const shipments = [{ [WAITLISTED]: 3 }];
  const others = await quoteFor(shop, { agentId: await newAgent(shop), shipments });
  expect(others.status).toBe("WAITLIST_OFFERED");
  await paidOrder(shop, { agentId, shipments });
  expect(await look()).toEqual(["CONVERTED"]);
  expect(await waitlisted(shop)).toEqual({ on_hand: 0, held: 0 });
  await expect(leave(shop, id, agentId)).rejects.toMatchObject(ILLEGAL);
});

it("a buyer who takes fewer bags than offered returns the rest", async () => {
  const { shop, queue } = await waiting(3, 2);
  await stock(shop, 3);
  await paidOrder(shop, { agentId: queue[0]!.agentId, shipments: [{ [WAITLISTED]: 1 }] });
  expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 0 });
  expect(await shop.merchant.housekeeping.run()).toMatchObject({ offered: 1 });
  expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
});

it("a quote uses no bags that the same key was offered for another buyer", async () => {
  const { shop, queue } = await waiting(2);
  const { agentId } = queue[0]!;
  await stock(shop, 2);
  const second = await join(shop, agentId, 3, "other@example.com");
  await stock(shop, 5);
  await paidOrder(shop, { agentId, shipments: [{ [WAITLISTED]: 2 }] });
  expect(await shop.merchant.waitlist.get(second.id, agentId)).toMatchObject({ status: "OFFERED" });
  expect(await waitlisted(shop)).toEqual({ on_hand: 3, held: 3 });
});

it("free bags that do not fit the head are sold to the first who pays", async () => {
  const { shop, look } = await waiting(9);
  await stock(shop, 2);
  await paidOrder(shop, { agentId: await newAgent(shop), shipments: [{ [WAITLISTED]: 2 }] });
  expect(await look()).toEqual([1]);
  expect(await waitlisted(shop)).toEqual({ on_hand: 0, held: 0 });
});

it("bags of a canceled order go to the waitlist at once", async () => {
  const { shop } = await waiting();
  await stock(shop, 2);
  const agentId = await newAgent(shop);
  const order_id = await paidOrder(shop, { agentId, shipments: [{ [WAITLISTED]: 2 }] });
  const { id } = await join(shop, agentId, 2, "other@example.com");
  await shop.admin.orders.cancel({ order_id, reason: "A mistake." });
  expect(await shop.merchant.waitlist.get(id, agentId)).toMatchObject({ status: "OFFERED" });
  expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
});

describe("while an offer's buyer pays", () => {
  async function paying() {
    const at = await waiting(2);
    const { shop, queue } = at;
    const { agentId, id } = queue[0]!;
    await stock(shop, 2);
    const press = async () => {
      const quote = await quoteFor(shop, { agentId, shipments: [{ [WAITLISTED]: 2 }] });
      return startPaying(shop, quote.id);
    };
    const get = () => shop.merchant.waitlist.get(id, agentId);
    return { ...at, id, agentId, press, get };
  }

  it("it lasts as long as the payment page, once, and can be left meanwhile", async () => {
    const { shop, look, id, agentId, press, get } = await paying();
    shop.clock.advance(48 * HOUR - 1000);
    const until = async () => Date.parse((await get()).offer_expires_at!);
    const started = await press();
    expect(await until()).toBe(started.expires_at);
    shop.clock.advance(60_000);
    await press();
    expect(await until()).toBe(started.expires_at);
    await leave(shop, id, agentId);
    expect(await look()).toEqual(["LEFT"]);
  });

  it("it neither expires nor can be left or changed once the payment has taken its bags", async () => {
    const { shop, look, id, agentId, press, get } = await paying();
    const started = await press();
    expect(await settleAs(shop, started, "authorized")).toMatchObject({ status: "CAPTURING" });
    shop.clock.advance(48 * HOUR);
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 0, offered: 0 });
    await expect(leave(shop, id, agentId)).rejects.toMatchObject(ILLEGAL);
    expect(await join(shop, agentId, 9)).toMatchObject({ id, status: "OFFERED", quantity: 2 });
    const [step, ...more] = (await get()).next;
    expect([step!.action, more]).toEqual([expect.stringContaining("get_waitlist_entry"), []]);
    await settleAs(shop, started, "canceled");
    expect(await look()).toEqual(["OFFERED"]);
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 1, offered: 0 });
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 0 });
  });
});

it("a queue longer than one batch still gets its offers in turn", async () => {
  const { shop } = await waiting();
  const agentId = await newAgent(shop);
  const now = shop.clock.now();
  // An older version did not count joins.
  const entries = Array.from({ length: MOST_HEADS + 20 }, (_, i) =>
    insert("waitlist", {
      ...{ id: `wl_long_${String(i).padStart(4, "0")}`, agent_id: agentId, quantity: 1 },
      ...{ product_id: WAITLISTED, status: "WAITING", created_at: now + i, confirmed_at: now },
      ...{ buyer_email: `long-${i}@example.com`, customer: `long-${i}@example.com` },
      ...{ offer_expires_at: null, attempt_id: null },
    }),
  );
  await shop.store.run(write, entries);
  const last = await join(shop, agentId, 1, "last@example.com");
  expect(last.position).toBe(MOST_HEADS + 21);
  // At another instance too.
  const beside = await openShop(shop.store, shop.clock);
  const after = await join(beside, agentId, 1, "after@example.com");
  expect(after.position).toBe(MOST_HEADS + 22);
  await stock(shop, MOST_HEADS + 21);
  expect(await waitlisted(shop)).toMatchObject({ held: MOST_HEADS });
  expect(await shop.merchant.waitlist.get(last.id, agentId)).toMatchObject({ position: 21 });
  expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 0, offered: 21 });
  expect(await shop.merchant.waitlist.get(last.id, agentId)).toMatchObject({ status: "OFFERED" });
  shop.clock.advance(48 * HOUR + 1000);
  const swept = await beside.merchant.housekeeping.run();
  expect(swept).toEqual({ expired: MOST_HEADS + 21, offered: 1 });
  expect(await waitlisted(shop)).toMatchObject({ held: 1 });
});

it("a bean off sale is not offered for a quote that would be refused, and a renewed offer has a letter", async () => {
  const at = await waiting(2);
  const { shop, queue } = at;
  const { id, agentId } = queue[0]!;
  const get = () => shop.merchant.waitlist.get(id, agentId);
  await ACTS.off!(at, 0);
  expect((await get()).next[0]!.why).toContain("This bean is off sale.");
  await ACTS.on!(at, 0);
  await stock(shop, 2);
  await ACTS.off!(at, 0);
  const offered = await get();
  expect(offered.status).toBe("OFFERED");
  expect(offered.next.map(({ action }) => action)).not.toContain("request_quote");
  shop.clock.advance(HOUR);
  await ACTS.on!(at, 0);
  const letters = await shop.merchant.mail.list();
  expect(letters.filter(({ kind }) => kind === "WAITLIST_OFFER")).toHaveLength(2);
});

it("a revoked key has left its places even if the process is killed then, and takes no new one", async () => {
  const { shop, queue, look } = await waiting(2, 2);
  const { run } = shop.store;
  const { agentId } = queue[0]!;
  let ended = false;
  const dying = vi.spyOn(shop.store, "run").mockImplementation(async (rule, command) => {
    if (ended) throw new Error("The process has ended.");
    const reply = await run(rule, command);
    ended = (rule as unknown) === revokeAgent;
    return reply;
  });
  await shop.admin.keys.revoke({ agent_id: agentId }).catch(() => {});
  expect(ended).toBe(true);
  dying.mockRestore();
  await stock(shop, 2);
  expect(await look()).toEqual(["LEFT", "OFFERED"]);
  // The key was valid at authentication, and revoked before the rule ran.
  const late = join(shop, agentId, 3, "late@example.com");
  await expect(late).rejects.toMatchObject({ code: "KEY_REVOKED" });
});

it("entries that nobody confirmed are offered nothing, whoever pays first gets the bags", async () => {
  const { shop } = await waiting();
  const [agentId, stranger] = [await newAgent(shop), await newAgent(shop)];
  const enter = async (email: string, by = stranger) => {
    const request = { product_id: WAITLISTED, quantity: 20, buyer: { email } };
    return (await shop.merchant.waitlist.join(request, by, intent())).body;
  };
  for (let i = 0; i < 5; i++) await enter(`stranger${i}@example.com`);
  const own = await enter("buyer@example.com", agentId);
  await stock(shop, 30);
  expect(await waitlisted(shop)).toEqual({ on_hand: 30, held: 0 });
  const seen = await shop.merchant.waitlist.get(own.id, agentId);
  expect(seen).toMatchObject({ status: "WAITING", position: 6, confirmed: false });
  expect(seen.next[0]!.action).toContain("request_quote");
  await confirmed(shop, own.id);
  expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 0, offered: 1 });
  expect(await waitlisted(shop)).toEqual({ on_hand: 30, held: 20 });
});

it("an offer keeps its bags when its key joins again for another number, and says so", async () => {
  const { shop, queue } = await waiting(2);
  const { id, agentId } = queue[0]!;
  await stock(shop, 2);
  for (const [quantity, says] of [
    [4, "2 bags are held already. Join again for more"],
    [1, "2 bags are held already. The quote can take fewer"],
  ] as const) {
    const again = await join(shop, agentId, quantity);
    expect(again).toMatchObject({ id, status: "OFFERED", quantity: 2 });
    expect(again.note).toContain(says);
  }
  expect(await join(shop, agentId, 2)).not.toHaveProperty("note");
});

it("ended places are not read with a quote", async () => {
  const { shop, queue } = await waiting(2);
  const { id, agentId } = queue[0]!;
  await leave(shop, id, agentId);
  const again = await join(shop, agentId, 2);
  await stock(shop, 2);
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
