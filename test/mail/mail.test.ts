/**
 * Letters are stored with their events, sent once, retried, and never delay a sale.
 */
import { describe, expect, it, vi } from "vitest";
import { insert, update } from "../../src/core/command.ts";
import { type Letter, type Mailer, MailRefused } from "../../src/core/letter.ts";
import { lettersOf } from "../../src/core/outbox.ts";
import { DAY_MS, TIMES } from "../../src/core/policy.ts";
import { LIMIT_TABLE } from "../../src/core/rate-limits.ts";
import { dayOf, momentIn } from "../../src/core/time.ts";
import { orderLetter } from "../../src/mail/letters.ts";
import type { NamedOrder } from "../../src/orders/order-answer.ts";
import { write } from "../db/rules.ts";
import { STOCKED, WAITLISTED } from "../support/catalog.ts";
import { pageOf, TWO_SHIPMENTS } from "../support/ordered.ts";
import { paidOrder, quoteFor, settleAs, startPaying } from "../support/paid-order.ts";
import { WITH_WAITLISTED, WITHOUT_WAITLISTED, waiting } from "../support/queue.ts";
import { dispute } from "../support/rows.ts";
import { intent, newAgent, openShop, type Shop } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { describeEveryStore } from "../support/stores.ts";

/** A mail server that records letters; `fail` refuses them. */
function postbox(fail: { error?: Error } = {}) {
  const sent: Letter[] = [];
  const mailer: Mailer = {
    async send(letter) {
      if (fail.error) throw fail.error;
      sent.push(letter);
    },
    close: () => {},
  };
  return { mailer, sent, fail };
}

const OWNER = "owner@example.com";

async function shopWithMail(open: () => Promise<{ store: Shop["store"]; other: Shop["store"] }>) {
  const opened = await open();
  const shop = await openShop(opened.store, undefined, { merchantEmail: OWNER });
  return { ...opened, shop };
}

/** A shop with one shipped order whose letter has not left. */
async function shippedShop(open: Parameters<typeof shopWithMail>[0]) {
  const { shop } = await shopWithMail(open);
  const { mailer, sent } = postbox();
  /** Sends and returns the letters that are due after the time to undo. */
  const told = async () => {
    shop.clock.advance(TIMES.undo_ms);
    await shop.merchant.mail.sendDue(mailer);
    return sent.splice(0);
  };
  const orderId = await paidOrder(shop, { agentId: await newAgent(shop) });
  await told();
  await shop.admin.orders.roast({ order_id: orderId });
  const first = (await shop.store.queries.shipmentsOfOrders([orderId]))[0]!.id;
  await shop.admin.shipments.ship({
    shipment_id: first,
    tracking: { carrier: "USPS", number: "9400-1" },
  });
  return { shop, orderId, first, mailer, sent, told };
}

const about = (...words: string[]) =>
  words.map((one) => ({ subject: expect.stringContaining(one) }));

describeEveryStore("letters", (open) => {
  it("an order sends the buyer a receipt and the merchant a note, once, however often it is due", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    await paidOrder(shop, { agentId: await newAgent(shop) });
    expect(await shop.merchant.mail.sendDue(mailer)).toBe(2);
    shop.clock.advance(TIMES.mail_news_ms);
    expect(await shop.merchant.mail.sendDue(mailer)).toBe(0);
    expect(sent.map(({ to }) => to).sort()).toEqual(["buyer@example.com", OWNER]);
    const receipt = sent.find(({ to }) => to === "buyer@example.com")!;
    expect(receipt.subject).toMatch(/ paid \(#1001\)$/);
    expect(sent.find(({ to }) => to === OWNER)?.subject).toMatch(
      /^New order for Test Buyer, .* \(#1001\)$/,
    );
    expect(receipt.text).toContain("Your order page (#1001):\nhttps://coffee.test/review/");
    expect(receipt.text).toContain("play money");
    expect(receipt.text).toMatch(/1 bag of Kenya Nyeri: \$22\.00/);
  });

  it("a receipt sent after a cancellation promises no roasting and no delivery", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const orderId = await paidOrder(shop, { agentId: await newAgent(shop) });
    await shop.admin.orders.cancel({ order_id: orderId, reason: "sold out" });
    await shop.merchant.mail.sendDue(mailer);
    // The cancellation letter was written at the same time.
    const receipt = sent.find(({ subject }) => / paid \(#1001\)$/.test(subject))!;
    expect(receipt.text).toContain("since been canceled");
    expect(receipt.text).not.toMatch(/roast your coffee|should arrive/);
  });

  it("a cancellation letter has the shop's note and says whether money is refunded", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const agentId = await newAgent(shop);
    /** The buyer's cancellation letters after an act of the merchant. */
    const told = async (act: (orderId: string) => Promise<unknown>) => {
      const orderId = await paidOrder(shop, { agentId });
      await shop.merchant.mail.sendDue(mailer);
      sent.length = 0;
      await act(orderId);
      await shop.merchant.mail.sendDue(mailer);
      return sent.filter(({ to }) => to !== OWNER);
    };
    const unasked = await told((id) =>
      shop.admin.orders.cancel({ order_id: id, reason: "The roaster broke down." }),
    );
    expect(unasked).toMatchObject(about("Your order was canceled (#1001)"));
    expect(unasked[0]?.text).toContain("We had to cancel your order.");
    expect(unasked[0]?.text).toContain("> The roaster broke down.");
    expect(unasked[0]?.text).toContain("Nothing has been refunded yet.");
    const asked = await told(async (id) => {
      const wish = { reason_code: "CHANGED_MIND" } as const;
      const { body } = await shop.merchant.cancellations.request(id, wish, agentId, intent());
      await shop.admin.cancellations.accept({ refund: true, request_id: body.id });
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.text).toContain("canceled your order, as you asked.");
    expect(asked[0]?.text).toContain(
      "Your full payment is refunded to your original payment method.",
    );
    expect(asked[0]?.text).not.toContain("A note from the shop");
    const inPart = await told(async (id) => {
      await shop.admin.orders.refund({ order_id: id, amount_minor: 500, now: true });
      await shop.admin.orders.cancel({ order_id: id, reason: "The roaster broke down again." });
    });
    expect(inPart[0]?.text).toMatch(
      /\n\$5\.00 of your \$\d+\.00 is refunded to your original payment method\./,
    );
  });

  it("a refund that failed before its letter left is not announced as made", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const orderId = await paidOrder(shop, { agentId: await newAgent(shop) });
    await shop.merchant.mail.sendDue(mailer);
    sent.length = 0;
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 500, now: true });
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 700, now: true });
    shop.clock.advance(1);
    const refunds = await shop.store.queries.refundsOfOrders([orderId]);
    const first = refunds.find((row) => row.amount_minor === 500);
    const [sessionId, state] = [...shop.provider.states].at(-1)!;
    const word = { refundId: first!.id, amountMinor: 500, problem: "lost_or_stolen_card" };
    const failed = { ...word, id: first!.provider_ref!, status: "failed" as const, createdAt: 0 };
    shop.provider.states.set(sessionId, { ...state, refunds: [failed] });
    await shop.merchant.settlements.settleSession(sessionId);
    await shop.merchant.mail.sendDue(mailer);
    const told = about("$7.00 refunded", "$5.00 could not be refunded yet");
    expect(sent.filter(({ to }) => to !== OWNER)).toMatchObject(told);
  });

  it("a refund that fails after its letter left gets another letter, unless it was repeated", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const orderId = await paidOrder(shop, { agentId: await newAgent(shop) });
    const fail = async () => {
      const refunds = await shop.store.queries.refundsOfOrders([orderId]);
      const last = refunds.findLast(({ status }) => status === "DONE")!;
      const [sessionId, state] = [...shop.provider.states].at(-1)!;
      const word = { refundId: last.id, amountMinor: 500, problem: "lost_or_stolen_card" };
      const failed = { ...word, id: last.provider_ref!, status: "failed" as const, createdAt: 0 };
      shop.provider.states.set(sessionId, { ...state, refunds: [failed] });
      await shop.merchant.settlements.settleSession(sessionId);
    };
    const toBuyer = async () => {
      sent.length = 0;
      await shop.merchant.mail.sendDue(mailer);
      return sent.filter(({ to }) => to !== OWNER);
    };
    await toBuyer();
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 500, now: true });
    expect(await toBuyer()).toMatchObject(about("$5.00 refunded"));
    shop.clock.advance(60_000);
    await fail();
    const [letter, ...more] = await toBuyer();
    expect(letter?.subject).toContain("$5.00 could not be refunded yet");
    expect(letter?.text).toContain("We still have the money and will sort it out with you.");
    expect(more).toEqual([]);
    shop.clock.advance(60_000);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 500, now: true });
    shop.clock.advance(60_000);
    await fail();
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: 500, now: true });
    expect((await toBuyer()).map(({ subject }) => subject)).toEqual([
      expect.stringContaining("$5.00 refunded"),
    ]);
    // The shop no longer has money that the buyer's bank took back.
    shop.clock.advance(60_000);
    await fail();
    const order = (await shop.store.queries.order(orderId))!;
    const { payment_ref, amount_minor } = order;
    const lost = { status: "LOST", closed_at: shop.clock.now() } as const;
    const row = dispute({ ...lost, order_id: orderId, payment_ref, amount_minor });
    await shop.store.run(write, [insert("disputes", row)]);
    expect(await toBuyer()).toEqual([]);
  });

  it("a bank debit that makes no order gets a letter", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const quote = await quoteFor(shop, { agentId: await newAgent(shop) });
    const pay = async () => {
      const started = await startPaying(shop, quote.id);
      return "attempt" in started ? started.attempt : expect.unreachable();
    };
    const told = async () => {
      await shop.merchant.mail.sendDue(mailer);
      return sent.splice(0).filter(({ to }) => to !== OWNER);
    };
    const first = await pay();
    await settleAs(shop, first, "failed");
    const [refused, ...more] = await told();
    expect([refused?.to, more]).toEqual(["buyer@example.com", []]);
    expect(refused?.subject).toContain("Your payment didn’t go through");
    expect(refused?.text).toContain("declined the debit of $32.00");
    expect(refused?.text).toContain(`https://coffee.test/review/${quote.id}.`);
    expect(refused?.text).toContain("play money");
    // Declined again, and paid before that letter left.
    await settleAs(shop, await pay(), "failed");
    await settleAs(shop, await pay(), "paid");
    expect(await told()).toMatchObject(about("Thank you"));
  });

  it("a late payment gets a letter about its refund", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const quote = await quoteFor(shop, { agentId: null });
    const started = await startPaying(shop, quote.id);
    if (!("attempt" in started)) return expect.unreachable();
    await settleAs(shop, started.attempt, "expired");
    await shop.admin.stock.set({ product_id: STOCKED, on_hand: 0 });
    const { refund } = await settleAs(shop, started.attempt, "paid");
    const waiting = (await shop.merchant.mail.list()).find(({ kind }) => kind === "NOT_ORDERED")!;
    const again = update("outbox", { id: waiting.id }, { sent_at: null, try_at: shop.clock.now() });
    const told = async () => {
      await shop.store.run(write, [again]);
      await shop.merchant.mail.sendDue(mailer);
      return sent.splice(0).filter(({ to }) => to !== OWNER);
    };
    const [late, ...more] = await told();
    expect([late?.subject, more]).toEqual([expect.stringContaining("We’re refunding"), []]);
    expect(late?.text).toContain("$32.00");
    await shop.store.run(write, [update("refunds", { id: refund!.id }, { status: "FAILED" })]);
    expect(await told()).toEqual([]);
  });

  it("a failed refund of a payment without an order gets a letter and is on the quote's page", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const agentId = await newAgent(shop);
    const quote = await quoteFor(shop, { agentId });
    const started = await startPaying(shop, quote.id);
    if (!("attempt" in started)) return expect.unreachable();
    await settleAs(shop, started.attempt, "expired");
    await shop.admin.stock.set({ product_id: STOCKED, on_hand: 0 });
    const { refund } = await settleAs(shop, started.attempt, "paid");
    const told = async () => {
      await shop.merchant.mail.sendDue(mailer);
      return sent.splice(0).filter(({ to }) => to !== OWNER);
    };
    await told();
    shop.provider.refusing = true;
    shop.clock.advance(1000);
    await shop.merchant.settlements.makeRefund(refund!);
    const [failed, ...more] = await told();
    expect([failed?.to, more]).toEqual(["buyer@example.com", []]);
    expect(failed?.subject).toContain("$32.00 could not be refunded yet");
    expect(failed?.text).toContain("We still have the money and will sort it out with you.");
    const page = failed?.text.match(/\/review\/(\S+)/)?.[1] ?? "";
    expect(await shop.merchant.reviews.open(page)).toMatchObject({ standing: { owedMinor: 3200 } });
    const read = async () =>
      JSON.stringify((await shop.merchant.quotes.get(quote.id, agentId)).messages);
    expect(await read()).toContain("$32.00 could not be refunded yet");
    const asked = { quote_id: quote.id, quote_hash: quote.quote_hash };
    const link = shop.merchant.quotes.checkout(asked, { agentId, finderKey: null }, intent());
    await expect(link).rejects.toThrow("$32.00 could not be refunded yet");
    // Refunded by hand at the provider: nothing is owed, and no letter follows.
    const [sessionId, state] = [...shop.provider.states].at(-1)!;
    const outside = { id: "re_hand", refundId: null, amountMinor: 3200, problem: null };
    const made = { ...outside, status: "succeeded" as const, createdAt: shop.clock.now() + 1 };
    shop.provider.states.set(sessionId, { ...state, refunds: [made] });
    shop.clock.advance(1000);
    await shop.merchant.settlements.settleSession(sessionId);
    expect(await shop.merchant.reviews.open(page)).toMatchObject({ standing: { owedMinor: 0 } });
    expect(await read()).not.toContain("could not be refunded");
    const again = { sent_at: null, try_at: shop.clock.now() };
    const letters = (await shop.merchant.mail.list()).filter(
      ({ kind }) => kind === "REFUND_FAILED",
    );
    await shop.store.run(
      write,
      letters.map(({ id }) => update("outbox", { id }, again)),
    );
    expect([letters.length, await told()]).toEqual([1, []]);
  });

  it("a failed refund of a late payment gets a letter even if its quote was ordered later", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const quote = await quoteFor(shop, { agentId: null });
    const pay = async () => {
      const started = await startPaying(shop, quote.id);
      return "attempt" in started ? started.attempt : expect.unreachable();
    };
    const late = await pay();
    await settleAs(shop, late, "expired");
    const other = await pay();
    const twice = await settleAs(shop, other, "paid");
    expect(twice.orderId).not.toBeNull();
    const { refund } = await settleAs(shop, late, "paid");
    // A refund without an order, because the order came after the late payment.
    await shop.store.run(write, [update("refunds", { id: refund!.id }, { order_id: null })]);
    const [sessionId, state] = [...shop.provider.states].find(([id]) => id.includes(late.id))!;
    await shop.merchant.mail.sendDue(mailer);
    sent.length = 0;
    const failed = { id: "re_1", refundId: refund!.id, amountMinor: 3200, problem: "declined" };
    const word = { ...failed, status: "failed" as const, createdAt: shop.clock.now() };
    shop.provider.states.set(sessionId, { ...state, refunds: [word] });
    shop.clock.advance(1000);
    await shop.merchant.settlements.settleSession(sessionId);
    await shop.merchant.mail.sendDue(mailer);
    const toBuyer = sent.filter(({ to }) => to !== OWNER);
    expect(toBuyer).toMatchObject(about("$32.00 could not be refunded yet"));
  });

  it("feedback reaches the merchant with its order", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const agentId = await newAgent(shop);
    const order_id = await paidOrder(shop, { agentId });
    await shop.merchant.mail.sendDue(mailer);
    sent.length = 0;
    const message = "Nothing has come.\nPlease look into it.";
    await shop.merchant.messages.feedback({ message, order_id }, agentId, intent());
    await shop.merchant.mail.sendDue(mailer);
    expect(sent).toMatchObject([
      { to: OWNER, subject: expect.stringMatching(/^Feedback \(#1001\)$/) },
    ]);
    expect(sent[0]?.text).toContain("> Nothing has come. Please look into it.");
    expect(sent[0]?.text).toMatch(/\/desk\/messages/);
  });

  it("a bulk lead reaches the merchant with its sender", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const agentId = await newAgent(shop);
    const lead = {
      email: "office@example.com",
      purpose: "Coffee for 80 people.",
      quantity: "60 bags a month",
      organization: "Example Industries",
    };
    await shop.merchant.messages.lead(lead, agentId, intent());
    await shop.merchant.mail.sendDue(mailer);
    expect(sent).toMatchObject([{ to: OWNER, subject: expect.stringMatching(/^A bulk lead$/) }]);
    expect(sent[0]?.text).toContain(
      "> Coffee for 80 people.\n\n> 60 bags a month\n\n> Example Industries\n",
    );
  });

  it.each([
    ["live", 3],
    ["sandbox", 2],
  ] as const)(
    "in mode %s a recipient gets %i letters a day and the rest later",
    async (mode, most) => {
      const letters = { ...LIMIT_TABLE.letters, points: 3 };
      const free_letters = { ...LIMIT_TABLE.free_letters, points: 2 };
      const { store } = await open();
      const rateLimits = { ...LIMIT_TABLE, letters, free_letters };
      const shop = await openShop(store, undefined, { merchantEmail: OWNER, rateLimits });
      Object.assign(shop.provider, { mode });
      const { mailer, sent } = postbox();
      const agentId = await newAgent(shop);
      for (let order = 0; order < 4; order++) await paidOrder(shop, { agentId });
      await shop.merchant.mail.sendDue(mailer);
      const to = (recipient: string) => sent.filter((letter) => letter.to === recipient);
      expect(to("buyer@example.com")).toHaveLength(most);
      expect(to(OWNER)).toHaveLength(4);
      shop.clock.advance(DAY_MS);
      await shop.merchant.mail.sendDue(mailer);
      expect(to("buyer@example.com")).toHaveLength(4);
    },
  );

  it("a letter that the mail server did not take uses up no daily letter", async () => {
    const { store } = await open();
    const free_letters = { ...LIMIT_TABLE.free_letters, points: 1 };
    const shop = await openShop(store, undefined, { rateLimits: { ...LIMIT_TABLE, free_letters } });
    const { mailer, sent } = postbox();
    const down: Mailer = { ...mailer, send: async () => Promise.reject(new Error("450 busy")) };
    await paidOrder(shop, { agentId: await newAgent(shop) });
    await shop.merchant.mail.sendDue(down);
    expect(sent).toEqual([]);
    shop.clock.advance(DAY_MS / 24);
    await shop.merchant.mail.sendDue(mailer);
    expect(sent).toHaveLength(1);
  });

  it("waitlist confirmations, which anybody can cause, have the lower limit in every mode", async () => {
    const { store } = await open();
    const free_letters = { ...LIMIT_TABLE.free_letters, points: 1 };
    const shop = await openShop(store, undefined, { rateLimits: { ...LIMIT_TABLE, free_letters } });
    Object.assign(shop.provider, { mode: "live" });
    const { mailer, sent } = postbox();
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
    const agentId = await newAgent(shop);
    for (const email of ["victim+a@gmail.com", "vic.tim@gmail.com"]) {
      const wish = { product_id: WAITLISTED, quantity: 1, buyer: { email } };
      const { body } = await shop.merchant.waitlist.join(wish, agentId, intent());
      shop.clock.advance(1000);
      await shop.merchant.mail.sendDue(mailer);
      await shop.merchant.waitlist.leave(body.id, agentId, intent());
    }
    expect(sent).toHaveLength(1);
  });

  it("two instances at once send one letter once", async () => {
    const { shop, other } = await shopWithMail(open);
    const beside = await openShop(other, shop.clock, { merchantEmail: OWNER });
    const { mailer, sent } = postbox();
    await paidOrder(shop, { agentId: await newAgent(shop) });
    await Promise.all([shop.merchant.mail.sendDue(mailer), beside.merchant.mail.sendDue(mailer)]);
    expect(sent).toHaveLength(2);
  });

  it("a stopping service starts no letter, and the next service sends the rest", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    await paidOrder(shop, { agentId: await newAgent(shop) });
    const stopping = new AbortController();
    const last = {
      ...mailer,
      send: (...letter: Parameters<typeof mailer.send>) => {
        stopping.abort();
        return mailer.send(...letter);
      },
    };
    expect(await shop.merchant.mail.sendDue(last, stopping.signal)).toBe(1);
    expect(await shop.merchant.mail.sendDue(mailer)).toBe(1);
    expect(sent).toHaveLength(2);
  });

  it("a sent letter is not sent again if the database could not record it", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    await paidOrder(shop, { agentId: await newAgent(shop) });
    const { store } = shop;
    const run = vi.spyOn(store, "run");
    const away = {
      ...mailer,
      send: async (...letter: Parameters<typeof mailer.send>) => {
        await mailer.send(...letter);
        run.mockRejectedValueOnce(new Error("the database is away"));
      },
    };
    await expect(shop.merchant.mail.sendDue(away)).rejects.toThrow("away");
    for (let i = 0; i < 3; i++) {
      shop.clock.advance(10 * 60_000);
      await shop.merchant.mail.sendDue(mailer);
    }
    expect(sent.map(({ to }) => to).sort()).toEqual(["buyer@example.com", OWNER]);
    expect(await shop.store.queries.dueLetters(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  it("a failed delivery and a return get letters, unless the status has changed", async () => {
    const { shop, first, told } = await shippedShop(open);
    expect(await told()).toMatchObject(about("Your coffee to Test Buyer is on its way (#1001)"));
    await shop.admin.shipments.move({ shipment_id: first, to: "FAILED" });
    const [failed, ...more] = await told();
    expect([failed?.subject, more]).toEqual([
      expect.stringContaining("delivery to Test Buyer failed"),
      [],
    ]);
    expect(failed?.text).toContain("USPS, tracking number 9400-1");
    await shop.admin.shipments.move({ shipment_id: first, to: "IN_TRANSIT" });
    await shop.admin.shipments.move({ shipment_id: first, to: "FAILED" });
    await shop.admin.shipments.move({ shipment_id: first, to: "IN_TRANSIT" });
    expect(await told()).toEqual([]);
    await shop.admin.shipments.move({ shipment_id: first, to: "RETURNED" });
    expect(await told()).toMatchObject(about("came back"));
  });

  it("a return of a refunded order gets a letter without anything to decide", async () => {
    const { shop, orderId, first, told } = await shippedShop(open);
    await shop.admin.orders.refund({ order_id: orderId, amount_minor: null, now: true });
    await told();
    await shop.admin.shipments.move({ shipment_id: first, to: "RETURNED" });
    const [back] = await told();
    expect(back?.text).toContain("came back to us");
    expect(back?.text).not.toContain("what happens next");
  });

  it("a shipment that is sent again gets a letter with its new number", async () => {
    const { shop, first, told } = await shippedShop(open);
    await shop.admin.shipments.move({ shipment_id: first, to: "RETURNED" });
    await told();
    await shop.admin.shipments.ship({
      shipment_id: first,
      tracking: { carrier: "UPS", number: "1Z 9" },
    });
    const [again, ...more] = await told();
    expect([again?.text, more]).toEqual([expect.stringContaining("sent the shipment to"), []]);
    expect(again?.text).toMatch(/ again\.\n(.*\n)+UPS, tracking number 1Z 9/);
  });

  it("shipped and delivered get letters, the steps between do not", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const orderId = await paidOrder(shop, { agentId: await newAgent(shop) });
    await shop.merchant.mail.sendDue(mailer);
    sent.length = 0;
    await shop.admin.orders.roast({ order_id: orderId });
    const [shipment] = await shop.store.queries.shipmentsOfOrders([orderId]);
    await shop.admin.shipments.ship({
      shipment_id: shipment!.id,
      tracking: { carrier: "USPS", number: "9400-1" },
    });
    await shop.admin.shipments.move({ shipment_id: shipment!.id, to: "DELIVERED" });
    shop.clock.advance(TIMES.undo_ms);
    await shop.merchant.mail.sendDue(mailer);
    expect(sent.map(({ subject }) => subject)).toEqual([
      expect.stringContaining("on its way"),
      expect.stringContaining("arrived"),
    ]);
    expect(sent[0]?.text).toContain("USPS, tracking number 9400-1");
  });

  it("a letter about a step waits until the step can't be undone", async () => {
    const { shop, first, mailer, sent } = await shippedShop(open);
    shop.clock.advance(TIMES.undo_ms - 1);
    expect(await shop.merchant.mail.sendDue(mailer)).toBe(0);
    shop.clock.advance(1);
    await expect(shop.admin.shipments.undo({ shipment_id: first })).rejects.toThrow(
      "no step of the last 10 minutes",
    );
    expect(await shop.merchant.mail.sendDue(mailer)).toBe(1);
    expect(sent).toMatchObject(about("on its way"));
  });

  it("an undone step gets no letter, and the next step gets one", async () => {
    const { shop, first, told } = await shippedShop(open);
    await shop.admin.shipments.undo({ shipment_id: first });
    expect(await told()).toEqual([]);
    await shop.admin.shipments.ship({
      shipment_id: first,
      tracking: { carrier: "UPS", number: "1Z" },
    });
    await shop.admin.shipments.undo({ shipment_id: first });
    await shop.admin.shipments.ship({
      shipment_id: first,
      tracking: { carrier: "UPS", number: "1Z 2" },
    });
    const [shipped, ...more] = await told();
    expect([shipped?.text, more]).toEqual([
      expect.stringContaining("UPS, tracking number 1Z 2"),
      [],
    ]);
    await shop.admin.shipments.move({ shipment_id: first, to: "DELIVERED" });
    await shop.admin.shipments.undo({ shipment_id: first });
    await shop.admin.shipments.move({ shipment_id: first, to: "DELIVERED" });
    expect(await told()).toMatchObject(about("arrived"));
  });

  it("a corrected tracking number gets a letter, unless the first letter has not left", async () => {
    const { shop, first, told } = await shippedShop(open);
    await shop.admin.shipments.correct({
      shipment_id: first,
      tracking: { carrier: "UPS", number: "1Z 1" },
    });
    const [letter, ...more] = await told();
    expect(letter?.text).toContain("UPS, tracking number 1Z 1");
    expect(more).toEqual([]);
    await shop.admin.shipments.correct({
      shipment_id: first,
      tracking: { carrier: "UPS", number: "1Z 3" },
    });
    await shop.admin.shipments.correct({
      shipment_id: first,
      tracking: { carrier: "UPS", number: "1Z 2" },
    });
    expect(await told()).toMatchObject([
      { text: expect.stringContaining("UPS, tracking number 1Z 2") },
    ]);
  });

  it("a changed address gets a letter", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const orderId = await paidOrder(shop, { agentId: await newAgent(shop) });
    await shop.merchant.mail.sendDue(mailer);
    const [shipment] = await shop.store.queries.shipmentsOfOrders([orderId]);
    await shop.admin.shipments.changeAddress({
      shipment_id: shipment!.id,
      address: { ...ADDRESS, line1: "7 Elm Street" },
    });
    await shop.merchant.mail.sendDue(mailer);
    expect(sent.at(-1)).toMatchObject({
      to: "buyer@example.com",
      subject: expect.stringContaining("New address"),
      text: expect.stringContaining("7 Elm Street"),
    });
  });

  it("a waitlist offer for a bean that was taken off sale is not sent", async () => {
    const { shop } = await waiting(open, 2);
    const { mailer, sent } = postbox();
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    await shop.admin.catalog.import({ file: WITHOUT_WAITLISTED });
    await shop.merchant.mail.sendDue(mailer);
    expect(sent).toEqual([]);
  });

  it("a renewed waitlist offer gets one letter", async () => {
    const { shop } = await waiting(open, 2);
    const { mailer, sent } = postbox();
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    await shop.admin.catalog.import({ file: WITHOUT_WAITLISTED });
    shop.clock.advance(1000);
    await shop.admin.catalog.import({ file: WITH_WAITLISTED });
    await shop.merchant.mail.sendDue(mailer);
    expect(sent).toHaveLength(1);
  });

  it("a waitlist offer reaches its buyer unless it has ended", async () => {
    const { shop, queue } = await waiting(open, 2, 3);
    const { mailer, sent } = postbox();
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    await shop.merchant.mail.sendDue(mailer);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.subject).toContain("Your 2 bags");
    expect(sent[0]?.text).toContain(`/waitlist/${queue[0]!.id}.`);
    expect(sent[0]?.text).toContain("The offer ends then.");
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 5 });
    shop.clock.advance(TIMES.waitlist_offer_ms);
    await shop.merchant.housekeeping.run();
    await shop.merchant.mail.sendDue(mailer);
    expect(sent).toHaveLength(1);
  });

  it("a server that does not answer is retried with growing delays, and then the merchant is told", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent, fail } = postbox({ error: new Error("no answer") });
    await paidOrder(shop, { agentId: await newAgent(shop) });
    const due = async () => {
      const rows = await shop.store.queries.letters();
      return rows.flatMap((row) => (row.try_at === null ? [] : [row.try_at - shop.clock.now()]));
    };
    await shop.merchant.mail.sendDue(mailer);
    expect(await due()).toEqual([60_000, 60_000]);
    shop.clock.advance(60_000);
    await shop.merchant.mail.sendDue(mailer);
    expect(await due()).toEqual([300_000, 300_000]);
    delete fail.error;
    shop.clock.advance(300_000);
    expect(await shop.merchant.mail.sendDue(mailer)).toBe(2);
    expect(sent).toHaveLength(2);
  });

  it("a permanently refused address becomes an incident without a letter", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer } = postbox({ error: new MailRefused("the mail server answered 550") });
    await paidOrder(shop, { agentId: await newAgent(shop) });
    await shop.merchant.mail.sendDue(mailer);
    const incidents = await shop.admin.incidents.list();
    expect(incidents.map(({ kind }) => kind)).toEqual(["MAIL_NOT_SENT", "MAIL_NOT_SENT"]);
    expect(JSON.stringify(incidents)).not.toContain("buyer@example.com");
    expect((await shop.store.queries.letters()).every(({ try_at }) => try_at === null)).toBe(true);
  });

  it("old news is not sent when mail is set up later", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    await paidOrder(shop, { agentId: await newAgent(shop) });
    shop.clock.advance(TIMES.mail_news_ms + 1);
    expect(await shop.merchant.mail.sendDue(mailer)).toBe(0);
    expect(sent).toEqual([]);
  });

  it("without a mail server the desk lists the letters", async () => {
    const { shop } = await shopWithMail(open);
    await paidOrder(shop, { agentId: await newAgent(shop) });
    const letters = await shop.merchant.mail.list();
    expect(letters.map(({ letter }) => letter?.to).sort()).toEqual(["buyer@example.com", OWNER]);
    expect(letters.every(({ sent_at }) => sent_at === null)).toBe(true);
  });

  it("the buyer gets the decision about a part: canceled with its refund, or declined", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const orderId = await paidOrder(shop, { agentId: null, shipments: TWO_SHIPMENTS });
    const { shipments, order_url } = await shop.admin.orders.show({ order_id: orderId });
    const found = await pageOf(shop, orderId);
    const told = async () => {
      await shop.merchant.mail.sendDue(mailer);
      return sent.splice(0).filter(({ to }) => to !== OWNER);
    };
    await told();
    const ask = async (form: string) => {
      const wish = { reason_code: "OTHER", shipment_ids: [shipments[1]!.id] };
      await shop.merchant.cancellations.requestAsBuyer(found, wish, form);
      return (await shop.admin.orders.show({ order_id: orderId })).cancel_request!.id;
    };
    await shop.admin.cancellations.decline({
      request_id: await ask("first"),
      reason: "It is in the roaster.",
    });
    const [declined, ...more] = await told();
    expect([declined?.subject, more]).toEqual([expect.stringContaining("Your order goes on"), []]);
    expect(declined?.text).toContain("> It is in the roaster.");
    expect(declined?.text).toContain(order_url);
    await shop.admin.cancellations.accept({ refund: true, request_id: await ask("second") });
    const [canceled] = await told();
    expect(canceled?.subject).toContain("Part of your order was canceled");
    expect(canceled?.text).toMatch(/^To .*: 2 bags of /m);
    expect(canceled?.text).toContain("of your $");
    expect(canceled?.text).toContain("The rest of your order goes on.");
    // The rest is requested, declined, and canceled before that letter left.
    const wish = { reason_code: "OTHER", shipment_ids: [shipments[0]!.id] };
    await shop.merchant.cancellations.requestAsBuyer(found, wish, "third");
    const { cancel_request } = await shop.admin.orders.show({ order_id: orderId });
    await shop.admin.cancellations.decline({ request_id: cancel_request!.id, reason: "No." });
    await shop.admin.orders.cancel({ order_id: orderId, reason: "Yes, after all." });
    const subjects = (await told()).map(({ subject }) => subject);
    expect(subjects).toEqual([expect.stringContaining("Your order was canceled")]);
  });

  it("the buyer gets one letter about a cancellation by the shop, with its reason and refund", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const agentId = await newAgent(shop);
    const bag = { [STOCKED]: 1 };
    const orderId = await paidOrder(shop, { agentId, shipments: [bag, bag, bag] });
    const ids = (await shop.admin.orders.show({ order_id: orderId })).shipments.map(({ id }) => id);
    // Half of it was requested, which this cancellation decides without another letter.
    const wish = { reason_code: "OTHER" as const, shipment_ids: ids.slice(0, 1) };
    await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    await shop.merchant.mail.sendDue(mailer);
    sent.length = 0;
    await shop.admin.shipments.cancel({
      shipment_ids: ids.slice(0, 2),
      reason: "No such street.",
      refund: true,
    });
    await shop.merchant.mail.sendDue(mailer);
    const [canceled, ...more] = sent;
    expect(more).toEqual([]);
    expect(canceled?.subject).toContain("Part of your order was canceled");
    expect(canceled?.text).toContain("We had to cancel this part of your order:");
    expect(canceled!.text.match(/^To .*: 1 bag of /gm)).toHaveLength(2);
    expect(canceled?.text).toContain("> No such street.");
    expect(canceled?.text).toMatch(/\$\d+\.\d\d of your \$\d+\.\d\d is refunded/);
  });

  it("a letter about a canceled part does not say that the rest goes on if it has arrived", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const orderId = await paidOrder(shop, { agentId: null, shipments: TWO_SHIPMENTS });
    const [first, second] = (await shop.admin.orders.show({ order_id: orderId })).shipments;
    await shop.admin.orders.roast({ order_id: orderId });
    await shop.admin.shipments.ship({
      shipment_id: first!.id,
      tracking: { carrier: "USPS", number: "1" },
    });
    await shop.admin.shipments.move({ shipment_id: first!.id, to: "DELIVERED" });
    await shop.admin.shipments.cancel({
      shipment_ids: [second!.id],
      reason: "No such street.",
      refund: false,
    });
    await shop.merchant.mail.sendDue(mailer);
    const letter = sent.find(({ subject }) => subject.includes("Part of your order"));
    expect(letter?.text).toContain("> No such street.");
    expect(letter?.text).not.toContain("goes on");
  });

  it("the merchant is told of a withdrawn cancel request", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const agentId = await newAgent(shop);
    const orderId = await paidOrder(shop, { agentId });
    await shop.merchant.mail.sendDue(mailer);
    sent.length = 0;
    const { cancellations } = shop.merchant;
    const wish = { reason_code: "OTHER", message: "Two bags\nare enough." } as const;
    const ask = () => cancellations.request(orderId, wish, agentId, intent());
    const withdraw = () => cancellations.withdraw(orderId, agentId, intent());
    const told = async (reader = OWNER) => {
      await shop.merchant.mail.sendDue(mailer);
      return sent.splice(0).filter(({ to }) => to === reader);
    };
    await ask();
    expect(await told()).toMatchObject([
      {
        ...{ to: OWNER, subject: expect.stringContaining("to decide") },
        text: expect.stringContaining(
          "wants to cancel. The order goes on until you decide.\n\n> Two bags are enough.",
        ),
      },
    ]);
    await withdraw();
    const takenBack = [{ to: OWNER, subject: expect.stringContaining("withdrawn") }];
    expect(await told()).toMatchObject(takenBack);
    // A request that is withdrawn or decided before its letter leaves gets none.
    await ask();
    await withdraw();
    expect(await told()).toEqual([]);
    await ask();
    await withdraw();
    const { body } = await ask();
    expect(await told()).toMatchObject([{ subject: expect.stringContaining("to decide") }]);
    await shop.admin.cancellations.decline({ request_id: body.id, reason: "It is roasted." });
    const again = await ask();
    await shop.admin.cancellations.accept({ request_id: again.body.id });
    expect(await told("buyer@example.com")).toMatchObject([
      { subject: expect.stringContaining("canceled") },
    ]);
  });

  it("a buyer gets a letter about their open cancel request", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const agentId = await newAgent(shop);
    const orderId = await paidOrder(shop, { agentId });
    await shop.merchant.mail.sendDue(mailer);
    sent.length = 0;
    const wish = { reason_code: "OTHER", message: "<b>Too much</b>" } as const;
    await shop.merchant.cancellations.request(orderId, wish, agentId, intent());
    await shop.merchant.mail.sendDue(mailer);
    const letter = sent.find(({ to }) => to === "buyer@example.com");
    expect(letter?.subject).toBe("We got your request to cancel (#1001)");
    expect(letter?.text).toContain("> <b>Too much</b>");
    expect(letter?.html).toContain("&lt;b&gt;Too much&lt;/b&gt;");
  });

  it("a buyer who joined the waitlist gets a letter with the page of their place", async () => {
    const { shop } = await shopWithMail(open);
    const { mailer, sent } = postbox();
    const wish = {
      product_id: WAITLISTED,
      quantity: 3,
      buyer: { email: "waiting@example.com" },
    };
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 0 });
    const place = await shop.merchant.waitlist.joinAsBuyer(wish, "form");
    await shop.merchant.mail.sendDue(mailer);
    expect(sent).toMatchObject([
      { to: "waiting@example.com", subject: expect.stringMatching(/^You’re on the waitlist for /) },
    ]);
    expect(sent[0]?.text).toContain(place);
    expect(sent[0]?.html).toContain(`href="${place}"`);
  });
});

it("a letter shows times in the shop's time zone, and days of the calendar", () => {
  expect(momentIn("America/Chicago", "2026-03-04T10:00:00.000Z")).toBe("Mar 4, 2026, 4:00 AM CST");
  expect(dayOf("2026-03-09")).toBe("Monday, March 9");
});

it("a cancellation letter counts its own refunds only, and what the bank returned", () => {
  const sender = { shop: "S", supportEmail: undefined, merchantEmail: undefined };
  const told = (payment: object) =>
    orderLetter(
      "CANCELED",
      { ...sender, timeZone: "UTC", deskUrl: "https://coffee.test/desk" },
      {
        payment: { mode: "live", amount_minor: 3200, refunds: [], ...payment },
      } as unknown as NamedOrder,
      {},
    )?.text;
  const given = { created_at: "2026-03-01T10:00:00.000Z", reason: "MERCHANT" };
  const refund = { ...given, amount_minor: 3200, status: "DONE" };
  const nothing = "Nothing has been refunded yet.";
  expect(told({ refunds: [refund] })).toContain(
    "Your full payment is refunded to your original payment method.",
  );
  expect(told({ refunds: [{ ...refund, reason: "PAID_TWICE" }] })).toContain(nothing);
  expect(told({ refunds: [{ ...refund, status: "FAILED" }] })).toContain(nothing);
  expect(told({ dispute: { status: "LOST", amount_minor: 3200 } })).toContain(
    "Your bank returned $32.00",
  );
  expect(told({ dispute: { status: "OPEN" } })).toContain(nothing);
});

describe("a decision", () => {
  it("causes a letter only if somebody should be told", () => {
    const event = (type: string, data = {}) =>
      insert("events", {
        order_id: "ord_1",
        sequence: 1,
        id: "evt_1",
        type,
        occurred_at: 0,
        order_status: "CONFIRMED",
        data: JSON.stringify(data),
      });
    const kinds = (type: string, data = {}) =>
      lettersOf(event(type, data)).map((write) =>
        write.table === "outbox" && write.op === "insert" ? write.row.kind : "?",
      );
    expect(kinds("order.confirmed")).toEqual(["RECEIPT", "NEW_ORDER"]);
    expect(kinds("order.roasting")).toEqual([]);
    expect(kinds("shipment.updated", { status: "IN_TRANSIT" })).toEqual([]);
    expect(kinds("shipment.updated", { status: "SHIPPED" })).toEqual(["SHIPPED"]);
    expect(kinds("shipment.updated", { status: "CANCELED" })).toEqual([]);
    expect(kinds("payment.refunded")).toEqual(["REFUNDED"]);
    expect(kinds("payment.refund_failed")).toEqual(["REFUND_FAILED"]);
    expect(kinds("cancel_request.received")).toEqual(["CANCEL_REQUEST", "CANCEL_RECEIVED"]);
    expect(kinds("cancel_request.withdrawn")).toEqual(["CANCEL_WITHDRAWN"]);
  });
});
