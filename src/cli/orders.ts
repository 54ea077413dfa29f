import { ORDER_COLUMNS } from "../merchant/list-columns.ts";
import type { Admin } from "../merchant/merchant.ts";
import { amountTyped } from "../orders/merchant-refund.ts";
import { SHIPMENT_STEPS, type ShipmentStep } from "../orders/order-steps.ts";
import { type Commands, list, type Options, onOrder, verb } from "./command.ts";
import { orderText } from "./text.ts";

const TRACKING = {
  required: { "--number <text>": "the tracking number" },
  options: {
    "--carrier <name>": "unless the number tells: USPS, UPS, FedEx, DHL",
    "--url <https>": "where the shipment can be followed",
  },
};

const trackingOf = ({ carrier, number, url }: Options) => ({
  number: number!,
  ...(carrier !== undefined && { carrier }),
  ...(url !== undefined && { url }),
});

const REFUND = { "--refund": "refund what was paid for it, in the same act" };

const NOW = { "--now": "send it at once; it can't be undone then" };

const REASON = { "--reason <text>": "why; agent and buyer read it" };

const MOVES: Record<Exclude<ShipmentStep, "SHIPPED">, string> = {
  IN_TRANSIT: "The carrier has it on the way; also after a failed try.",
  OUT_FOR_DELIVERY: "It is on the van.",
  DELIVERED: "It has arrived.",
  FAILED: "A delivery failed; it may be in transit again, or returned.",
  RETURNED: "It has come back; it is sent again, refunded, or neither.",
};

const moves = (Object.entries(MOVES) as [keyof typeof MOVES, string][]).map(([to, does]) => [
  `shipments ${SHIPMENT_STEPS[to].act} <id>`,
  onOrder({ does, act: (admin, [id]) => admin.shipments.move({ shipment_id: id, to }) }),
]);

/** Orders and their shipments: seen, roasted, shipped, canceled, refunded. */
export const ORDERS: Commands = {
  "orders list": list({
    does: "All orders, newest first.",
    rows: (admin: Admin) => admin.orders.list,
    columns: [...ORDER_COLUMNS, ["Shipments", (o) => o.shipments.length], "id"],
    none: "No orders yet.",
  }),
  "orders show <order>": verb({
    does: "One order with its shipments, notes, payment and refunds.",
    act: (admin, [id]) => admin.orders.show({ order_id: id }),
    text: orderText,
  }),
  "orders roast <order>": onOrder({
    does: "Start roasting an order: its shipments become ROASTING.",
    act: (admin, [id]) => admin.orders.roast({ order_id: id }),
  }),
  "orders cancel <order>": onOrder({
    does: "Cancel an order of which nothing has shipped.",
    required: REASON,
    options: REFUND,
    act: (admin, [id], { reason, refund }) =>
      admin.orders.cancel({ order_id: id, reason: reason!, refund: refund !== undefined }),
  }),
  "orders note <order>": onOrder({
    does: "Write down something about an order; no agent and no buyer reads it.",
    required: { "--text <text>": "the note" },
    act: (admin, [id], { text }) => admin.orders.note({ order_id: id, text: text! }),
  }),
  "orders refund <order>": onOrder({
    does: "Refund an order, in full or in part. The service sends it after ten minutes.",
    options: { "--amount <dollars>": "such as 12.50; without it, all that is left", ...NOW },
    act: (admin, [id], { amount, now }) =>
      admin.orders.refund({
        order_id: id,
        amount_minor: amountTyped(amount),
        now: now !== undefined,
      }),
  }),
  "refunds undo <refund>": onOrder({
    does: "Undo a refund that was not sent yet, within ten minutes.",
    act: (admin, [id]) => admin.refunds.undo({ refund_id: id }),
  }),
  "shipments ship <id>": onOrder({
    does: "Hand a roasted shipment to the carrier, or once more one that came back.",
    ...TRACKING,
    act: (admin, [id], options) =>
      admin.shipments.ship({ shipment_id: id, tracking: trackingOf(options) }),
  }),
  "shipments refund <id>": onOrder({
    does: "Refund what was paid for a returned shipment. The service sends it after ten minutes.",
    options: NOW,
    act: (admin, [id], { now }) =>
      admin.shipments.refund({ shipment_id: id, now: now !== undefined }),
  }),
  "shipments undo <id>": onOrder({
    does: "Take a shipment's last step back, within ten minutes; roasting for the whole order.",
    act: (admin, [id]) => admin.shipments.undo({ shipment_id: id }),
  }),
  "shipments correct <id>": onOrder({
    does: "Correct carrier and tracking number of a shipment that has left.",
    ...TRACKING,
    act: (admin, [id], options) =>
      admin.shipments.correct({ shipment_id: id, tracking: trackingOf(options) }),
  }),
  "shipments address <id>": onOrder({
    does: "Send a shipment that has not left, or came back, to another address. The price stays.",
    required: {
      "--name <name>": "who receives it",
      "--line1 <text>": "street and number",
      "--city <city>": "city",
      "--region <code>": "state, such as TX",
      "--zip <code>": "ZIP code of that state",
    },
    options: { "--line2 <text>": "apartment, suite, unit" },
    act: (admin, [id], { name, line1, line2, city, region, zip }) =>
      admin.shipments.changeAddress({
        shipment_id: id,
        address: {
          name: name!,
          line1: line1!,
          ...(line2 !== undefined && { line2 }),
          city: city!,
          region: region!,
          postal_code: zip!,
          country: "US",
        },
      }),
  }),
  "shipments cancel <id...>": onOrder({
    does: "Cancel shipments of one order that have not left; the rest goes on.",
    required: REASON,
    options: REFUND,
    act: (admin, ids, { reason, refund }) =>
      admin.shipments.cancel({ shipment_ids: ids, reason: reason!, refund: refund !== undefined }),
  }),
  ...Object.fromEntries(moves),
  "cancellations list": list({
    does: "All cancel requests, newest first.",
    rows: (admin: Admin) => admin.cancellations.list,
    columns: [
      "id",
      "status",
      "order_id",
      "created_at",
      "asked_by",
      ["Shipments", (r) => r.shipment_ids.length || "all"],
      "reason_code",
      "message",
    ],
    none: "No cancel requests.",
  }),
  "cancellations accept <id>": onOrder({
    does: "Cancel what is asked for, while none of it has shipped. Its money is another step.",
    act: (admin, [id]) => admin.cancellations.accept({ request_id: id }),
  }),
  "cancellations accept-refund <id>": onOrder({
    does: "Cancel what is asked for and refund what was paid for it, as one act.",
    act: (admin, [id]) => admin.cancellations.acceptAndRefund({ request_id: id }),
  }),
  "cancellations decline <id>": onOrder({
    does: "The order goes on.",
    required: REASON,
    act: (admin, [id], { reason }) =>
      admin.cancellations.decline({ request_id: id, reason: reason! }),
  }),
};
