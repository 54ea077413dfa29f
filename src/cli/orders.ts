import { display } from "../core/money.ts";
import { ORDER_COLUMNS } from "../merchant/list-columns.ts";
import type { Admin } from "../merchant/merchant.ts";
import { amountTyped } from "../orders/merchant-refund.ts";
import { SHIPMENT_STEPS, type ShipmentStep } from "../orders/order-steps.ts";
import { type Commands, list, type Options, onOrder, verb } from "./command.ts";
import { orderText, table } from "./text.ts";

const TRACKING = {
  required: { "--number <text>": "the tracking number" },
  options: {
    "--carrier <name>": "not needed if the number tells: USPS, UPS, FedEx, DHL",
    "--url <https>": "tracking link",
  },
};

const trackingOf = ({ carrier, number, url }: Options) => ({
  number: number!,
  ...(carrier !== undefined && { carrier }),
  ...(url !== undefined && { url }),
});

const REFUND = { "--refund": "refund what was paid for it, at once" };

const NOW = { "--now": "send it at once; it can't be undone then" };

const REASON = { "--reason <text>": "the reason; agent and buyer read it" };

const MOVES: Record<Exclude<ShipmentStep, "SHIPPED">, string> = {
  IN_TRANSIT: "Mark as in transit; also after a failed try.",
  OUT_FOR_DELIVERY: "Mark as out for delivery.",
  DELIVERED: "Mark as delivered.",
  FAILED: "Mark a delivery as failed; it can be in transit again, or returned.",
  RETURNED: "Mark as returned; it can be sent again or refunded.",
};

const moves = (Object.entries(MOVES) as [keyof typeof MOVES, string][]).map(([to, does]) => [
  `shipments ${SHIPMENT_STEPS[to].act} <id>`,
  onOrder({ does, act: (admin, [id]) => admin.shipments.move({ shipment_id: id, to }) }),
]);

/** Orders, shipments, refunds and cancellations. */
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
    does: "Cancel an order before anything has shipped.",
    required: REASON,
    options: REFUND,
    act: (admin, [id], { reason, refund }) =>
      admin.orders.cancel({ order_id: id, reason: reason!, refund: refund !== undefined }),
  }),
  "orders note <order>": onOrder({
    does: "Add an internal note to an order; no agent and no buyer reads it.",
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
  "refunds list": verb({
    does: "Refunds that the provider has not taken yet, with the end of their undo time.",
    act: (admin) => admin.refunds.waiting(),
    text: (found) =>
      table(
        found,
        [
          "id",
          ["Order", ({ number, order_id }) => number ?? order_id],
          ["Amount", ({ amount_minor }) => display(amount_minor)],
          "undo_until",
          "problem",
        ],
        "No refund is waiting.",
      ),
  }),
  "refunds undo <refund>": onOrder({
    does: "Undo a refund that was not sent yet, within ten minutes.",
    act: (admin, [id]) => admin.refunds.undo({ refund_id: id }),
  }),
  "shipments ship <id>": onOrder({
    does: "Mark a roasted or returned shipment as shipped.",
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
    does: "Undo a shipment's last step within ten minutes; roasting for the whole order.",
    act: (admin, [id]) => admin.shipments.undo({ shipment_id: id }),
  }),
  "shipments correct <id>": onOrder({
    does: "Correct the carrier and tracking number of a shipped shipment.",
    ...TRACKING,
    act: (admin, [id], options) =>
      admin.shipments.correct({ shipment_id: id, tracking: trackingOf(options) }),
  }),
  "shipments address <id>": onOrder({
    does: "Change the address of an unshipped or returned shipment. The price stays.",
    required: {
      "--name <name>": "recipient",
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
    does: "Cancel unshipped shipments of one order; the rest stays.",
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
    does: "Accept a request and cancel its shipments, without a refund.",
    act: (admin, [id]) => admin.cancellations.accept({ request_id: id }),
  }),
  "cancellations accept-refund <id>": onOrder({
    does: "Accept a request, cancel its shipments and refund them at once.",
    act: (admin, [id]) => admin.cancellations.accept({ request_id: id, refund: true }),
  }),
  "cancellations decline <id>": onOrder({
    does: "Decline a request; the order goes on.",
    required: REASON,
    act: (admin, [id], { reason }) =>
      admin.cancellations.decline({ request_id: id, reason: reason! }),
  }),
};
