/**
 * Every letter, word for word in letters.txt, and when it is sent: see the acts above each. `npx vitest run -u
 * test/mail` writes the file again.
 */
import { expect, it, test } from "vitest";
import { insert, update } from "../../src/core/command.ts";
import type { AttemptRow } from "../../src/core/records.ts";
import { dayOf, momentIn } from "../../src/core/time.ts";
import { orderLetter } from "../../src/mail/letters.ts";
import type { OrderForPeople } from "../../src/orders/order-verbs.ts";
import { paymentId } from "../../src/payments/sandbox/session.ts";
import { write } from "../db/rules.ts";
import { STOCKED, WAITLISTED } from "../support/catalog.ts";
import { confirmed, WITH_WAITLISTED, WITHOUT_WAITLISTED } from "../support/queue.ts";
import { dispute } from "../support/rows.ts";
import { intent, paidOrder, quoteFor, settleAs, startPaying } from "../support/shop.ts";
import { ADDRESS } from "../support/shopper.ts";
import { failRefund, mailShop, OWNER } from "./postbox.ts";

const BY = ["USPS", "UPS"];

const noPages = () => ({ quoteId: "", pages: [] as AttemptRow[] });

/** `read`: the number of each text, which is not shown again. */
async function opened(read = new Map<string, number>()) {
  const mailed = await mailShop();
  const { shop, agentId, send, sent } = mailed;
  const at = { ...mailed, orderId: "", ids: [] as string[], labels: 0, text: "", ...noPages() };
  const shipment_id = (which: string) => at.ids[Number(which || 1) - 1]!;
  const { orders, shipments, cancellations } = shop.admin;
  const show = () => orders.show({ order_id: at.orderId });
  const request_id = async () => (await show()).cancel_request!.id;
  const refunds = () => shop.store.queries.refundsOfOrders([at.orderId]);
  const lateRefund = async () => {
    const payment = paymentId({ id: at.pages[0]!.session_id! });
    return (await shop.store.queries.refundsOfPayments([payment]))[0]!;
  };
  const label = () => ({ carrier: BY[at.labels % 2]!, number: `9400-${++at.labels}` });
  const someIds = (which: string) => which.split("+").map(shipment_id);
  /** Acts of a script; a value names shipments, an amount or milliseconds. */
  const acts: Record<string, (value: string) => unknown> = {
    async buy(count) {
      const bags = Array.from({ length: Number(count || 1) }, () => ({ [STOCKED]: 1 }));
      at.orderId = await paidOrder(shop, { agentId, shipments: bags });
      at.ids = (await show()).shipments.map(({ id }) => id);
    },
    async bought(count) {
      await acts.buy!(count);
      await send();
      sent.length = 0;
    },
    async send() {
      await send();
      const letters = sent.splice(0).sort((a, b) => (a.to + a.subject < b.to + b.subject ? -1 : 1));
      if (letters.length === 0) at.text += "--- No letter\n\n";
      for (const { to, subject, text, html, replyTo } of letters) {
        expect(html, subject).toContain('class="button"');
        const body = text
          .replaceAll(/https:\/\/coffee\.test\/(review|waitlist)\S*/g, "<$1>")
          .replaceAll(/https:\/\/coffee\.test\/(desk\S*)/g, "<$1>")
          .replaceAll(/ord_\w+/g, "ord_…")
          .replaceAll(/pi_\w+/g, "pi_…");
        const answers = replyTo ? `, answers to ${replyTo}` : "";
        const number = read.get(body) ?? read.size + 1;
        at.text += `--- ${number}. To ${to}${answers}: ${subject}\n\n`;
        if (!read.has(body)) at.text += `${body.trim()}\n\n`;
        read.set(body, number);
      }
    },
    wait: (ms) => shop.clock.advance(Number(ms || 600_000)),
    roast: () => orders.roast({ order_id: at.orderId }),
    ship: (which) => shipments.ship({ shipment_id: shipment_id(which), tracking: label() }),
    correct: (which) => shipments.correct({ shipment_id: shipment_id(which), tracking: label() }),
    undo: (which) => shipments.undo({ shipment_id: shipment_id(which) }),
    address: () =>
      shipments.changeAddress({
        shipment_id: shipment_id(""),
        address: { ...ADDRESS, line1: "7 Elm Street" },
      }),
    refund: (amount) =>
      orders.refund({ order_id: at.orderId, amount_minor: Number(amount) || null }),
    refundReturned: (which) => shipments.refund({ shipment_id: shipment_id(which) }),
    async bounce(amount) {
      const made = (await refunds()).findLast(
        (row) => row.status === "DONE" && (!amount || row.amount_minor === Number(amount)),
      );
      await failRefund(shop, made!);
    },
    async lost() {
      const { payment_ref, amount_minor } = (await shop.store.queries.order(at.orderId))!;
      const closed = { status: "LOST", closed_at: shop.clock.now() } as const;
      const row = dispute({ ...closed, order_id: at.orderId, payment_ref, amount_minor });
      await shop.store.run(write, [insert("disputes", row)]);
    },
    ask: (which) =>
      shop.merchant.cancellations.request(
        at.orderId,
        {
          ...{ reason_code: "OTHER", message: "Two <b>bags</b>\nare enough." },
          ...(which && { shipment_ids: someIds(which) }),
        },
        agentId,
        intent(),
      ),
    withdraw: () => shop.merchant.cancellations.withdraw(at.orderId, agentId, intent()),
    accept: async (how) =>
      cancellations.accept({ request_id: await request_id(), refund: how === "refunded" }),
    decline: async () =>
      cancellations.decline({ request_id: await request_id(), reason: "It is in the roaster." }),
    cancel: () => orders.cancel({ order_id: at.orderId, reason: "The roaster broke down." }),
    part: (which) => shipments.cancel({ shipment_ids: someIds(which), reason: "No such street." }),
    partRefunded: (which) =>
      shipments.cancel({ shipment_ids: someIds(which), reason: "No such street.", refund: true }),
    erase: () => shop.admin.customers.erase({ email: "buyer@example.com" }),
    message: () =>
      shop.merchant.messages.fromBuyer(
        { email: "asks@example.com", message: "Do you grind?\nFor espresso.", orderId: at.orderId },
        "form",
      ),
    feedback: (about) =>
      shop.merchant.messages.feedback(
        { message: "A slow page.", ...(about === "order" && { order_id: at.orderId }) },
        agentId,
        intent(),
      ),
    lead: () =>
      shop.merchant.messages.lead(
        {
          ...{ email: "office@example.com", purpose: "Coffee for 80 people." },
          ...{ quantity: "60 bags a month", organization: "Example Industries" },
        },
        agentId,
        intent(),
      ),
    stock: (on_hand) => shop.admin.stock.set({ product_id: WAITLISTED, on_hand: Number(on_hand) }),
    join: (quantity) => {
      const buyer = { email: "waiting@example.com" };
      const wish = { product_id: WAITLISTED, quantity: Number(quantity), buyer };
      return shop.merchant.waitlist.joinAsBuyer(wish, "form");
    },
    confirm: async () => confirmed(shop, (await shop.store.queries.allWaitlist())[0]!.id),
    off: () => shop.admin.catalog.import({ file: WITHOUT_WAITLISTED }),
    on: () => shop.admin.catalog.import({ file: WITH_WAITLISTED }),
    sweep: () => shop.merchant.housekeeping.run(),
    /** A quote, its payment pages, and what the provider then says of the newest or the first one. */
    async quote() {
      at.quoteId = (await quoteFor(shop, { agentId })).id;
    },
    page: async () => at.pages.push(await startPaying(shop, at.quoteId)),
    says: (word) => settleAs(shop, at.pages.at(-1)!, word as "paid"),
    saysOfFirst: (word) => settleAs(shop, at.pages[0]!, word as "paid"),
    soldOut: () => shop.admin.stock.set({ product_id: STOCKED, on_hand: 0 }),
    bounceLate: async () => failRefund(shop, await lateRefund()),
    /** As if the order had come after the refund. */
    detach: async () =>
      shop.store.run(write, [
        update("refunds", { id: (await lateRefund()).id }, { order_id: null }),
      ]),
    async refundByHand() {
      await shop.control.refundOutside(at.pages[0]!.session_id!);
      await shop.merchant.settlements.settleSession(at.pages[0]!.session_id!);
    },
    /** Makes the letters of one kind due again. */
    async again(kind) {
      const letters = (await shop.merchant.mail.list()).filter((one) => one.kind === kind);
      expect(letters.length).toBeGreaterThan(0);
      const due = { sent_at: null, try_at: shop.clock.now() };
      await shop.store.run(
        write,
        letters.map(({ id }) => update("outbox", { id }, due)),
      );
    },
  };
  async function play(script: string) {
    at.text += `=== ${script}\n`;
    for (const word of script.split(" ")) {
      const [act = "", value = ""] = word.split(":");
      if (act !== "wait" && act !== "send") shop.clock.advance(1);
      const move = () => shipments.move({ shipment_id: shipment_id(value), to: act as "FAILED" });
      await (acts[act] ?? move)(value);
    }
  }
  return { at, play };
}

/** Each story's acts; letters leave at each "send". */
const STORIES = {
  "A purchase": ["buy send", "buy cancel send", "buy cancel erase send"],
  Cancellations: [
    "bought cancel send",
    "bought refund:500 cancel send",
    "bought ask send accept:refunded send",
    "bought:2 ask:2 send decline send",
    "bought:2 ask:1 withdraw ask:2 send withdraw send",
    "bought:2 ask:2 accept:refunded send",
    // The rest is requested, declined, and canceled before that letter left.
    "bought:2 ask:1 decline cancel send",
    // Half of it was requested, which this cancellation decides without another letter.
    "bought:3 ask:1 send partRefunded:1+2 send",
    "bought:2 roast ship:1 DELIVERED:1 part:2 send",
    "bought ask send withdraw send",
    "bought ask withdraw send",
    "bought ask withdraw ask send",
  ],
  Shipments: [
    "bought roast ship IN_TRANSIT DELIVERED wait send",
    // A letter waits until its step can't be undone.
    "bought roast ship wait:599999 send wait:1 send",
    "bought roast ship undo wait send",
    "bought roast ship undo ship wait send",
    "bought roast ship wait send DELIVERED undo DELIVERED wait send",
    "bought roast ship wait send FAILED wait send IN_TRANSIT FAILED IN_TRANSIT wait send",
    "bought roast ship wait send RETURNED wait send ship wait send",
    "bought roast ship refund:0 wait send RETURNED wait send",
    "buy:2 roast ship wait send RETURNED refundReturned wait send",
    "bought roast ship correct wait send correct correct wait send",
    "bought address send",
  ],
  Refunds: [
    "bought refund:500 refund:700 bounce:500 send",
    "bought refund:500 send wait bounce send wait refund:500 wait bounce refund:500 send wait bounce lost send",
  ],
  "Payments without an order": [
    "quote page says:failed send page says:failed page says:paid send",
    "quote page says:expired soldOut saysOfFirst:paid send bounceLate send again:NOT_ORDERED send",
    "quote page says:expired soldOut saysOfFirst:paid send bounceLate send refundByHand again:REFUND_FAILED send",
    "quote page says:expired page says:paid saysOfFirst:paid detach send bounceLate send",
  ],
  "The waitlist": [
    "stock:0 join:2 send confirm stock:2 send",
    "stock:0 join:2 confirm send",
    "stock:0 join:2 send confirm stock:2 wait:172800000 sweep send",
    "stock:0 join:2 send confirm stock:2 off send",
    "stock:0 join:2 send confirm stock:2 off on send",
  ],
  Messages: ["bought message feedback lead send", "bought feedback:order send"],
};

it("every letter reads as in letters.txt", async () => {
  let all = "";
  const read = new Map<string, number>();
  for (const [title, scripts] of Object.entries(STORIES)) {
    all += `# ${title}\n\n`;
    for (const script of scripts) {
      const { at, play } = await opened(read);
      await play(script);
      all += at.text;
    }
  }
  await expect(all).toMatchFileSnapshot("letters.txt");
});

const REFUND = {
  ...{ created_at: "2026-03-01T10:00:00.000Z", reason: "MERCHANT" },
  ...{ amount_minor: 3200, status: "DONE" },
};
const NOTHING = "Nothing was refunded.";

it.each<[string, payment: object, says: string]>([
  ["its own refund", { refunds: [REFUND] }, "Your full payment is refunded"],
  ["no refund of a second payment", { refunds: [{ ...REFUND, reason: "PAID_TWICE" }] }, NOTHING],
  ["no failed refund", { refunds: [{ ...REFUND, status: "FAILED" }] }, NOTHING],
  ["a lost dispute", { dispute: { status: "LOST", amount_minor: 3200 } }, "returned $32.00"],
  ["no open dispute", { dispute: { status: "OPEN" } }, NOTHING],
])("a cancellation letter counts %s", (_name, payment, says) => {
  const sender = { shop: "S", supportEmail: undefined, merchantEmail: undefined };
  const at = { ...sender, timeZone: "UTC", deskUrl: "https://coffee.test/desk" };
  const paid = { mode: "live", amount_minor: 3200, refunds: [], ...payment };
  const letter = orderLetter("CANCELED", at, { payment: paid } as unknown as OrderForPeople, {});
  expect(letter?.text).toContain(says);
});

test("a letter shows times in the shop's time zone, and days of the calendar", () => {
  expect(momentIn("America/Chicago", "2026-03-04T10:00:00.000Z")).toBe("Mar 4, 2026, 4:00 AM CST");
  expect(dayOf("2026-03-09")).toBe("Monday, March 9");
});

test("a stranger's words are text in the HTML, and its links are buttons", async () => {
  const { at, play } = await opened();
  await play("bought ask");
  await at.send();
  const { html, text } = at.sent.find(({ to }) => to !== OWNER)!;
  expect(html).toContain("&lt;b&gt;bags&lt;/b&gt;");
  expect(html).toContain(`href="${/https:\S+review\S+/.exec(text)![0]}"`);
});
