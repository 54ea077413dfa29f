/** Letters are stored with their events, sent once, retried, and never delay a sale. */
import { describe, expect, it, test, vi } from "vitest";
import { insert, stateOf } from "../../src/core/command.ts";
import { type Mailer, MailRefused } from "../../src/core/letter.ts";
import { closeLetter, correctionLetter, lettersOf } from "../../src/core/outbox.ts";
import { DAY_MS, iso, TIMES } from "../../src/core/policy.ts";
import { LIMIT_TABLE } from "../../src/core/rate-limits.ts";
import { newRow } from "../../src/core/records.ts";
import { momentIn } from "../../src/core/time.ts";
import { allRows } from "../support/all-rows.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { NOW, written } from "../support/rows.ts";
import { intent, openShop, paidOrder } from "../support/shop.ts";

import { BUYER, mailShop, OWNER } from "./postbox.ts";

const failing = (error: Error): Mailer => ({
  send: () => Promise.reject(error),
  close: () => {},
});

describe("letters", () => {
  it("an order sends the buyer a receipt and the merchant a note, once, however often it is due", async () => {
    const { shop, agentId, send, sent } = await mailShop();
    await paidOrder(shop, { agentId });
    // Without a mail server the desk lists the letters.
    const listed = await shop.merchant.mail.list();
    expect(listed.map(({ letter, sent_at }) => [letter?.to, sent_at]).sort()).toEqual([
      [BUYER, null],
      [OWNER, null],
    ]);
    expect(await send()).toBe(2);
    shop.clock.advance(TIMES.mail_news_ms);
    expect(await send()).toBe(0);
    expect(sent.map(({ to }) => to).sort()).toEqual([BUYER, OWNER]);
    const receipt = sent.find(({ to }) => to === BUYER)!;
    expect(receipt.subject).toMatch(/ paid \(#1001\)$/);
    expect(sent.find(({ to }) => to === OWNER)?.subject).toMatch(
      /^New order for Test Buyer, .* \(#1001\)$/,
    );
    expect(receipt.text).toContain("Your order page (#1001):\nhttps://coffee.test/review/");
    expect(receipt.text).toContain("play money");
    const { shop: seller } = shop.merchant;
    const paid = momentIn("UTC", iso(shop.clock.now() - TIMES.mail_news_ms));
    expect(receipt.text).toContain(`Sold by ${seller.name} on ${paid}.`);
    expect(receipt.text).toMatch(/1 bag of Kenya Nyeri: \$22\.00/);
  });

  it("a letter to a buyer is kept as it was sent, without secret links, until the buyer is erased", async () => {
    const { shop, agentId, send, sent } = await mailShop();
    const order_id = await paidOrder(shop, { agentId });
    await send();
    const receipt = sent.find(({ to }) => to === BUYER)!;
    await shop.admin.orders.cancel({ order_id, reason: "The roaster is broken." });
    const letters = async () =>
      (await shop.merchant.mail.list()).filter((one) => one.letter.to === BUYER);
    const kept = (await letters()).find(({ kind }) => kind === "RECEIPT")!;
    expect(kept).toMatchObject({ as_sent: true, letter: { subject: receipt.subject } });
    expect(kept.letter.text).toContain("1 bag of Kenya Nyeri: $22.00");
    expect(kept.letter.text).toContain("Your order page (#1001):\nhttps://coffee.test/…");
    expect(JSON.stringify(await allRows(shop.store, "outbox"))).not.toMatch(/review\/\w{20}/);
    const { letters: exported } = await shop.admin.customers.export({ email: BUYER });
    expect(exported.map(({ subject }) => subject)).toEqual([receipt.subject]);
    await shop.admin.customers.erase({ email: BUYER });
    expect(await letters()).toEqual([]);
    expect(JSON.stringify(await allRows(shop.store, "outbox"))).not.toContain(BUYER);
  });

  it("two instances at once send one letter once", async () => {
    const { shop, other, agentId, mailer, send, sent } = await mailShop();
    const beside = await openShop(other, shop.clock, { merchantEmail: OWNER });
    await paidOrder(shop, { agentId });
    await Promise.all([send(), beside.merchant.mail.sendDue(mailer)]);
    expect(sent).toHaveLength(2);
  });

  it("a sent letter is not sent again if the database could not record it", async () => {
    const { shop, agentId, mailer, send, sent } = await mailShop();
    await paidOrder(shop, { agentId });
    const run = vi.spyOn(shop.store, "run");
    const away: Mailer = {
      ...mailer,
      async send(...letter) {
        await mailer.send(...letter);
        run.mockRejectedValueOnce(new Error("the database is away"));
      },
    };
    await expect(send(away)).rejects.toThrow("away");
    for (let i = 0; i < 3; i++) {
      shop.clock.advance(10 * 60_000);
      await send();
    }
    expect(sent.map(({ to }) => to).sort()).toEqual([BUYER, OWNER]);
    expect(await shop.store.queries.dueLetters(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });
});

describe("a mail server", () => {
  it("that does not answer is retried with growing delays", async () => {
    const { shop, agentId, send } = await mailShop();
    await paidOrder(shop, { agentId });
    const due = async () => {
      const rows = await shop.store.queries.letters();
      return rows.flatMap((row) => (row.try_at === null ? [] : [row.try_at - shop.clock.now()]));
    };
    for (const delay of [60_000, 300_000]) {
      await send(failing(new Error("no answer")));
      expect(await due()).toEqual([delay, delay]);
      shop.clock.advance(delay);
    }
    expect(await send()).toBe(2);
  });

  it("that refuses an address for good makes an incident without the address", async () => {
    const { shop, agentId, send } = await mailShop();
    await paidOrder(shop, { agentId });
    await send(failing(new MailRefused("the mail server answered 550")));
    const incidents = await shop.admin.incidents.list();
    expect(incidents.map(({ kind }) => kind)).toEqual(["MAIL_NOT_SENT", "MAIL_NOT_SENT"]);
    expect(JSON.stringify(incidents)).not.toContain(BUYER);
    expect((await shop.store.queries.letters()).every(({ try_at }) => try_at === null)).toBe(true);
  });

  it("that is set up later gets no old news", async () => {
    const { shop, agentId, send } = await mailShop();
    await paidOrder(shop, { agentId });
    shop.clock.advance(TIMES.mail_news_ms + 1);
    expect(await send()).toBe(0);
  });
});

it("a stopping service starts no letter, and the next service sends the rest", async () => {
  const { shop, agentId, mailer, send, sent } = await mailShop();
  await paidOrder(shop, { agentId });
  const stopping = new AbortController();
  const last: Mailer = {
    ...mailer,
    send(...letter) {
      stopping.abort();
      return mailer.send(...letter);
    },
  };
  expect(await shop.merchant.mail.sendDue(last, stopping.signal)).toBe(1);
  expect(await send()).toBe(1);
  expect(sent).toHaveLength(2);
});

describe("letters a day", () => {
  const limits = (points: { letters?: number; free_letters: number }) => ({
    ...LIMIT_TABLE,
    ...(points.letters && { letters: { ...LIMIT_TABLE.letters, points: points.letters } }),
    free_letters: { ...LIMIT_TABLE.free_letters, points: points.free_letters },
  });

  test.each([
    ["live", 3],
    ["sandbox", 2],
  ] as const)("in mode %s a buyer gets %i and the rest later", async (mode, most) => {
    const rateLimits = limits({ letters: 3, free_letters: 2 });
    const { shop, agentId, send, sent } = await mailShop({ rateLimits });
    Object.assign(shop.provider, { mode });
    for (let order = 0; order < 4; order++) {
      await paidOrder(shop, { agentId });
      shop.clock.advance(1);
    }
    await send();
    const to = (recipient: string) => sent.filter((letter) => letter.to === recipient);
    expect(to(BUYER)).toHaveLength(most);
    expect(to(OWNER)).toHaveLength(4);
    shop.clock.advance(DAY_MS);
    await send();
    expect(to(BUYER)).toHaveLength(4);
  });

  it("are not used up by a letter that the mail server did not take", async () => {
    const rateLimits = limits({ free_letters: 1 });
    const { shop, agentId, send, told } = await mailShop({ rateLimits });
    await paidOrder(shop, { agentId });
    await send(failing(new Error("450 busy")));
    shop.clock.advance(DAY_MS / 24);
    expect(await told()).toHaveLength(1);
  });

  it("are one a day for confirmations of a coffee's waitlist, in every mode", async () => {
    const { shop, agentId, send, sent } = await mailShop({
      rateLimits: limits({ free_letters: 9 }),
    });
    Object.assign(shop.provider, { mode: "live" });
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
    for (const email of ["victim+a@gmail.com", "vic.tim@gmail.com"]) {
      const wish = { product_id: WAITLISTED, quantity: 1, buyer: { email } };
      const { body } = await shop.merchant.waitlist.join(wish, agentId, intent());
      shop.clock.advance(1000);
      await send();
      await shop.merchant.waitlist.leave(body.id, agentId, intent());
    }
    expect(sent).toHaveLength(1);
  });
});

test.each<[event: string, data: object, letters: string[]]>([
  ["order.confirmed", {}, ["RECEIPT", "NEW_ORDER"]],
  ["order.roasting", {}, []],
  ["shipment.updated", { status: "IN_TRANSIT" }, []],
  ["shipment.updated", { status: "SHIPPED" }, ["SHIPPED"]],
  ["shipment.updated", { status: "CANCELED" }, []],
  ["payment.refunded", {}, ["REFUNDED"]],
  ["payment.refund_failed", {}, ["REFUND_FAILED"]],
  ["cancel_request.received", {}, ["CANCEL_REQUEST", "CANCEL_RECEIVED"]],
  ["cancel_request.withdrawn", {}, ["CANCEL_WITHDRAWN"]],
])("%s %j causes the letters %j", (type, data, letters) => {
  const event = insert("events", {
    order_id: "ord_1",
    sequence: 1,
    id: "evt_1",
    type,
    occurred_at: 0,
    order_status: "CONFIRMED",
    data: JSON.stringify(data),
  });
  const kinds = lettersOf(event).map((write) =>
    write.table === "outbox" && write.op === "insert" ? write.row.kind : "?",
  );
  expect(kinds).toEqual(letters);
});

test.each([
  [1, 60],
  [2, 5 * 60],
  [3, 30 * 60],
  [4, 2 * 3600],
  [5, 12 * 3600],
  [6, null],
])("after try %i without an answer a letter waits %s seconds, or is an incident", (tries, wait) => {
  const row = newRow("outbox", {
    ...{ id: "RECEIPT_1", kind: "RECEIPT", order_id: "ord_1", subject: null, data: "{}" },
    ...{ created_at: 0, try_at: NOW, tries, sent_at: null, error: null },
  });
  const outcome = { kind: "failed", final: false, error: "no answer" } as const;
  const command = { now: NOW, id: row.id, incidentId: "inc_1", outcome };
  const { writes } = closeLetter.decide(command, stateOf({ outbox: [row] }));
  expect(written(writes, "outbox")).toMatchObject([
    { try_at: wait === null ? null : NOW + wait * 1000, error: "no answer" },
  ]);
  const incidents = wait === null ? [{ kind: "MAIL_NOT_SENT", subject: "ord_1" }] : [];
  expect(written(writes, "incidents")).toMatchObject(incidents);
});

test.each([
  ["waits", {}, 0],
  ["is being sent", { tries: 1 }, 1],
  ["waits for its next try", { tries: 1, error: "busy" }, 0],
  ["was sent", { tries: 1, sent_at: NOW, try_at: null }, 1],
  ["is about another shipment", { data: '{"shipment_id":"shp_2"}' }, 1],
])("a correction whose shipping letter %s has %o: letters %i", (_, change, letters) => {
  const row = newRow("outbox", {
    ...{ id: "SHIPPED_1", kind: "SHIPPED", order_id: "ord_1", subject: null, created_at: 0 },
    ...{ data: '{"shipment_id":"shp_1"}', try_at: NOW, tries: 0, sent_at: null, error: null },
    ...change,
  });
  const about = { order_id: "ord_1", shipment_id: "shp_1" } as const;
  expect(correctionLetter([row], about, { id: "evt_1", now: NOW })).toHaveLength(letters);
});
