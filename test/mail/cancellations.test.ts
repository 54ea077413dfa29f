/** Letters about cancellations: to the buyer, and to the merchant who decides. */
import { expect, it } from "vitest";
import { orderLetter } from "../../src/mail/letters.ts";
import type { NamedOrder } from "../../src/orders/order-answer.ts";
import { STOCKED } from "../support/catalog.ts";
import { pageOf, TWO_SHIPMENTS } from "../support/ordered.ts";
import { intent, paidOrder } from "../support/shop.ts";
import { about, BUYER, mailedOrder, mailShop, OWNER } from "./postbox.ts";

/** A paid order whose agent can request a cancellation. */
async function cancelable(wanted: Parameters<typeof mailedOrder>[0] = {}) {
  const mailed = await mailedOrder(wanted);
  const { shop, orderId, agentId } = mailed;
  const ask = async (wish: { message?: string; shipment_ids?: string[] } = {}) =>
    (
      await shop.merchant.cancellations.request(
        orderId,
        { reason_code: "OTHER", ...wish },
        agentId,
        intent(),
      )
    ).body.id;
  const withdraw = () => shop.merchant.cancellations.withdraw(orderId, agentId, intent());
  const cancel = (reason: string) => shop.admin.orders.cancel({ order_id: orderId, reason });
  return { ...mailed, ask, withdraw, cancel };
}

it("a receipt sent after a cancellation promises no roasting and no delivery", async () => {
  const { shop, agentId, told } = await mailShop();
  const orderId = await paidOrder(shop, { agentId });
  await shop.admin.orders.cancel({ order_id: orderId, reason: "sold out" });
  // The cancellation letter was written at the same time.
  const receipt = (await told()).find(({ subject }) => / paid \(#1001\)$/.test(subject))!;
  expect(receipt.text).toContain("since been canceled");
  expect(receipt.text).not.toMatch(/roast your coffee|should arrive/);
});

it("the letter has the shop's note and says whether money is refunded", async () => {
  const unasked = await cancelable();
  await unasked.cancel("The roaster broke down.");
  const byShop = await unasked.told();
  expect(byShop).toMatchObject(about("Your order was canceled (#1001)"));
  expect(byShop[0]?.text).toContain("We had to cancel your order.");
  expect(byShop[0]?.text).toContain("> The roaster broke down.");
  expect(byShop[0]?.text).toContain("Nothing has been refunded yet.");
  const asked = await cancelable();
  const request_id = await asked.ask();
  await asked.shop.admin.cancellations.accept({ refund: true, request_id });
  const [byBuyer, ...more] = await asked.told();
  expect(more).toEqual([]);
  expect(byBuyer?.text).toContain("canceled your order, as you asked.");
  expect(byBuyer?.text).toContain("Your full payment is refunded to your original payment method.");
  expect(byBuyer?.text).not.toContain("A note from the shop");
  const refunded = await cancelable();
  const some = { order_id: refunded.orderId, amount_minor: 500 };
  await refunded.shop.admin.orders.refund(some);
  await refunded.cancel("The roaster broke down again.");
  expect((await refunded.told())[0]?.text).toMatch(
    /\n\$5\.00 of your \$\d+\.00 is refunded to your original payment method\./,
  );
});

it("the buyer gets the decision about a part: canceled with its refund, or declined", async () => {
  const { shop, orderId, ids, told } = await mailedOrder({
    agentId: null,
    shipments: TWO_SHIPMENTS,
  });
  const found = await pageOf(shop, orderId);
  const show = () => shop.admin.orders.show({ order_id: orderId });
  const ask = async (form: string, shipment: string) => {
    const wish = { reason_code: "OTHER", shipment_ids: [shipment] };
    await shop.merchant.cancellations.requestAsBuyer(found, wish, form);
    return (await show()).cancel_request!.id;
  };
  const decline = (request_id: string, reason: string) =>
    shop.admin.cancellations.decline({ request_id, reason });
  await decline(await ask("first", ids[1]!), "It is in the roaster.");
  const [declined, ...more] = await told();
  expect([declined?.subject, more]).toEqual([expect.stringContaining("Your order goes on"), []]);
  expect(declined?.text).toContain("> It is in the roaster.");
  expect(declined?.text).toContain((await show()).order_url);
  const request_id = await ask("second", ids[1]!);
  await shop.admin.cancellations.accept({ refund: true, request_id });
  const [canceled] = await told();
  expect(canceled?.subject).toContain("Part of your order was canceled");
  expect(canceled?.text).toMatch(/^To .*: 2 bags of /m);
  expect(canceled?.text).toContain("of your $");
  expect(canceled?.text).toContain("The rest of your order goes on.");
  // The rest is requested, declined, and canceled before that letter left.
  await decline(await ask("third", ids[0]!), "No.");
  await shop.admin.orders.cancel({ order_id: orderId, reason: "Yes, after all." });
  expect(await told()).toMatchObject(about("Your order was canceled"));
});

it("the buyer gets one letter about a cancellation by the shop, with its reason and refund", async () => {
  const bag = { [STOCKED]: 1 };
  const { shop, ids, ask, told } = await cancelable({ shipments: [bag, bag, bag] });
  // Half of it was requested, which this cancellation decides without another letter.
  await ask({ shipment_ids: ids.slice(0, 1) });
  await told();
  const reason = "No such street.";
  await shop.admin.shipments.cancel({ shipment_ids: ids.slice(0, 2), reason, refund: true });
  const [canceled, ...more] = await told();
  expect(more).toEqual([]);
  expect(canceled?.subject).toContain("Part of your order was canceled");
  expect(canceled?.text).toContain("We had to cancel this part of your order:");
  expect(canceled!.text.match(/^To .*: 1 bag of /gm)).toHaveLength(2);
  expect(canceled?.text).toContain("> No such street.");
  expect(canceled?.text).toMatch(/\$\d+\.\d\d of your \$\d+\.\d\d is refunded/);
});

it("a letter about a canceled part does not say that the rest goes on if it has arrived", async () => {
  const { shop, orderId, ids, told } = await mailedOrder({ shipments: TWO_SHIPMENTS });
  const [shipment_id, other] = ids as [string, string];
  await shop.admin.orders.roast({ order_id: orderId });
  await shop.admin.shipments.ship({ shipment_id, tracking: { carrier: "USPS", number: "1" } });
  await shop.admin.shipments.move({ shipment_id, to: "DELIVERED" });
  await shop.admin.shipments.cancel({ shipment_ids: [other], reason: "No such street." });
  const letter = (await told()).find(({ subject }) => subject.includes("Part of your order"));
  expect(letter?.text).toContain("> No such street.");
  expect(letter?.text).not.toContain("goes on");
});

it("the merchant is told of a request and of its withdrawal, unless it ended before the letter left", async () => {
  const { shop, ask, withdraw, told } = await cancelable();
  const request = () => ask({ message: "Two bags\nare enough." });
  await request();
  const letters = await told(OWNER);
  expect(letters).toMatchObject(about("to decide"));
  expect(letters[0]?.text).toContain(
    "wants to cancel. The order goes on until you decide.\n\n> Two bags are enough.",
  );
  await withdraw();
  expect(await told(OWNER)).toMatchObject(about("withdrawn"));
  await request();
  await withdraw();
  expect(await told(OWNER)).toEqual([]);
  await request();
  await withdraw();
  const request_id = await request();
  expect(await told(OWNER)).toMatchObject(about("to decide"));
  await shop.admin.cancellations.decline({ request_id, reason: "It is roasted." });
  await shop.admin.cancellations.accept({ request_id: await request() });
  expect(await told(BUYER)).toMatchObject(about("canceled"));
});

it("a buyer gets a letter about their open request", async () => {
  const { ask, told } = await cancelable();
  await ask({ message: "<b>Too much</b>" });
  const [letter] = await told(BUYER);
  expect(letter?.subject).toBe("We got your request to cancel (#1001)");
  expect(letter?.text).toContain("> <b>Too much</b>");
  expect(letter?.html).toContain("&lt;b&gt;Too much&lt;/b&gt;");
});

const REFUND = {
  created_at: "2026-03-01T10:00:00.000Z",
  reason: "MERCHANT",
  amount_minor: 3200,
  status: "DONE",
};
const NOTHING = "Nothing has been refunded yet.";

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
  const letter = orderLetter("CANCELED", at, { payment: paid } as unknown as NamedOrder, {});
  expect(letter?.text).toContain(says);
});
