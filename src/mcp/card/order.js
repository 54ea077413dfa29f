import {
  addressBlock,
  day,
  el,
  itemRow,
  money,
  noteCards,
  playMoney,
  pricingSums,
  sum,
} from "./words.js";

/** Steps of a shipment; statuses outside them have a sentence of their own. */
const STEPS = ["Paid", "Roasting", "Shipped", "Delivered"];
const REACHED = new Map([
  ["PENDING", 0],
  ["ROASTING", 1],
  ["SHIPPED", 2],
  ["IN_TRANSIT", 2],
  ["OUT_FOR_DELIVERY", 2],
  ["DELIVERED", 3],
]);
const EXCEPTIONS = new Map([
  ["FAILED", "The carrier couldn't deliver it. They'll try again or return it to the shop."],
  ["RETURNED", "It came back to the shop."],
  ["CANCELED", "Canceled."],
]);

/** No arrival is expected any more. */
const ENDED = new Set(["DELIVERED", "RETURNED", "CANCELED"]);

/**
 * @typedef {object} OrderActions
 * @property {(url: string) => Promise<void>} open
 * @property {HTMLElement | null} cancel
 * @property {HTMLElement | null} again
 */

/**
 * A paid order: its shipments with their steps, the money, and asking to cancel.
 * @param {any} order
 * @param {OrderActions} actions
 */
export function orderCard(order, { open, cancel, again }) {
  const { number, items, shipments, pricing, payment, estimated_delivery, cancel_request } = order;
  const beans = new Map(items.map((item) => [item.product_id, item]));
  const waits = shipments.some(({ status }) => !ENDED.has(status));
  return el(
    "article",
    playMoney(payment.mode),
    el("h1", number ? `Order ${number}` : "Your order"),
    ...shipments.map((shipment) => shipmentPart(shipment, beans, open)),
    el(
      "section.sums",
      ...pricingSums(pricing, "Paid"),
      payment.refunded_minor > 0 && sum("Refunded", money(-payment.refunded_minor)),
    ),
    waits && estimated_delivery && expected(estimated_delivery, shipments),
    cancel_request && decision(cancel_request, shipments.length),
    cancel,
    again,
  );
}

/**
 * @param {{ earliest: string, latest: string, days_late?: number }} delivery dates without a time of day
 * @param {{ status: string }[]} shipments
 */
function expected({ earliest, latest, days_late: late }, shipments) {
  const how = /** @type {const} */ ({ month: "long", day: "numeric", timeZone: "UTC" });
  if (late) {
    const live = shipments.filter(({ status }) => status !== "CANCELED");
    const here = cancelable({ shipments }).length;
    const part = here > 0 && here < live.length ? "part of it " : "";
    const where = here > 0 ? `${part}has not left the shop yet` : "may not have arrived yet";
    const by = `${late} ${late === 1 ? "day" : "days"}`;
    return el("p.message", `Expected by ${day(latest, how)}: ${by} late, and ${where}.`);
  }
  return el("p.soft", `Expected between ${day(earliest, how)} and ${day(latest, how)}.`);
}

/**
 * @param {any} shipment
 * @param {Map<string, any>} beans the order's items: they lack the beans of canceled shipments
 * @param {OrderActions["open"]} open
 */
function shipmentPart({ status, address, items, gift_notes, tracking }, beans, open) {
  return el(
    "section.shipment",
    steps(status),
    tracking && trackingLine(tracking, open),
    addressBlock(address),
    el("ul", ...items.map((item) => itemRow({ ...beans.get(item.product_id), ...item }))),
    ...noteCards(gift_notes),
  );
}

/** @param {string} status */
function steps(status) {
  const exception = EXCEPTIONS.get(status);
  if (exception) return el("p.message", exception);
  const reached = REACHED.get(status) ?? 0;
  const list = STEPS.map((step, i) => {
    const item = el(i <= reached ? "li.done" : "li", step);
    if (i === reached) item.setAttribute("aria-current", "step");
    return item;
  });
  return el("ol.steps", ...list);
}

/**
 * @param {{ carrier: string, number: string, url: string | null }} tracking
 * @param {OrderActions["open"]} open
 */
function trackingLine({ carrier, number, url }, open) {
  const said = `${carrier} ${number}`;
  if (!url || !/^https:\/\//.test(url)) return el("p.tracking", said);
  const link = /** @type {HTMLButtonElement} */ (el("button.link", `Track ${said}`));
  link.type = "button";
  link.addEventListener("click", () => void open(url));
  return el("p.tracking", link);
}

/**
 * @param {{ status: string, decision: string | null, shipment_ids?: string[] }} request
 * @param {number} shipments how many the order has
 */
function decision({ status, decision: said, shipment_ids: asked = [] }, shipments) {
  const part = `${asked.length} of the ${shipments} shipments`;
  const what = asked.length > 0 && asked.length < shipments ? part : "this order";
  const words = DECISIONS[status]?.(what) ?? `You asked to cancel ${what}.`;
  return el("p.message", words, said && el("span.quoted", `“${said}”`));
}

/** @type {Record<string, (what: string) => string>} */
const DECISIONS = {
  REQUESTED: (what) => `You asked to cancel ${what}. The shop will review it.`,
  ACCEPTED: (what) => `The shop has canceled ${what}.`,
  DECLINED: (what) => `The shop did not cancel ${what}.`,
  WITHDRAWN: () => "You took back your cancellation request.",
};

/** Shipments that have not left the shop. */
export const cancelable = (order) =>
  order.shipments.filter(({ status }) => ["PENDING", "ROASTING"].includes(status));

/** The order's next steps include this tool. */
const offers = (order, tool) => order.next?.some(({ action }) => action === tool) ?? false;

export const canAskToCancel = (order) => offers(order, "request_cancellation");

export const canTakeBack = (order) => offers(order, "withdraw_cancellation");
