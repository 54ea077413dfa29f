import { actorName } from "../core/admin-verb.ts";
import { bagCount, bags } from "../core/bags.ts";
import type { ShipmentId } from "../core/ids.ts";
import { typedDollars } from "../core/money.ts";
import type { Admin } from "../merchant/merchant.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import type { OrderEvent } from "../orders/order-answer.ts";
import { toRoast } from "../orders/roast-sheet.ts";
import { humanStatus, statusText, statusWords } from "../orders/status-words.ts";
import type { Dispute } from "../payments/payment-answer.ts";
import { fieldIn } from "../web/body.ts";
import { disclosure } from "../web/form-parts.ts";
import { calendarDay, daySpan, money, moneyOff, shopDay, shopMoment } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { METHODS, sumRow } from "../web/parts.ts";
import { CANCEL_ACTS, cancelForms, cancelRequest, decidedRequest } from "./cancel.ts";
import { customerPage } from "./customer.ts";
import { actForm, filledForm, HANDLE, handling } from "./forms.ts";
import { block, theirs, theirWords } from "./frame.ts";
import { letterLink, replyLink } from "./messages.ts";
import { chips, type DeskOrder, doubts, orderLink, orderName, statusChip } from "./order-parts.ts";
import { amountForm, REFUND_ACTS, refundLine } from "./refund.ts";
import type { DeskRoute } from "./route.ts";
import { SHIPMENT_ACTS, shipmentSlip } from "./shipment.ts";

/** One order, with every act on it. */
export const order: DeskRoute = {
  place: "orders",
  path: "/desk/orders/:id",
  async show({ req, id, admin, merchant, refused }) {
    const order = await admin.orders.show({ order_id: id });
    const [events, origin] = await Promise.all([
      admin.views.events({ order_id: order.id }),
      admin.views.origin({ order_id: order.id }),
    ]);
    const due = order.estimated_delivery ?? "";
    const answering = fieldIn(req.query, "answer");
    const view = { order, refused, sending: merchant.mail.sending, answering };
    return {
      title: `Order ${orderName(order)}`,
      lede: `Ordered ${shopMoment(order.created_at)}.${due && ` Estimated delivery ${daySpan(due.earliest, due.latest)}.`}`,
      body: html`<p class="progress cluster">${chips(statusWords(order))}
      ${bags(bagCount(order.items))},
      ${order.pricing.total_display} paid${
        order.status !== "CANCELED" &&
        html` <a href="/desk/slips?order=${order.id}">Packing slips</a>`
      }</p>
    ${lateNotice(view)}
    ${facts(order, origin)}
    ${cancelRequest(view)}
    ${decidedRequest(order)}
    ${roastForm(order)}
    <div class="review">
      <div class="stack loose">
        ${order.shipments.map((shipment, index) => shipmentSlip(shipment, index, view))}
      </div>
      <div class="stack loose">
        ${payment(view)}
        ${messages(view)}
        ${notes(view)}
        ${history(events, order.shipments)}
      </div>
    </div>`,
    };
  },
  acts: {
    ...HANDLE,
    ...SHIPMENT_ACTS,
    ...CANCEL_ACTS,
    ...REFUND_ACTS,
    "orders.write": { done: "Your letter is on its way. It is kept under Internal notes." },
    "orders.note": { done: "The note is saved. No agent and no buyer reads it." },
    "orders.roast": { done: "The order is in the roaster." },
  },
};

/** US law asks a shop that ships late to offer a new date or the money back (16 CFR 435). */
function lateNotice(view: DeskOrder): Markup | null {
  const { order, sending } = view;
  const { standing, estimated_delivery: due, number, order_url } = order;
  if (!standing.lateness?.isAtShop || !due) return null;
  const letter =
    `Hello,\n\n${standing.hasLeft ? `A part of your order #${number} has not left yet` : `Your order #${number} has not left yet`}. It was expected by ${calendarDay(due.latest)}.\n\n` +
    `We expect to send ${standing.hasLeft ? "the rest" : "it"} on: (date)\n\n` +
    "If you don’t want to wait, cancel what has not been sent, for a full refund. Answer this letter, or ask on your order’s page:\n" +
    `${order_url}\n`;
  return html`<div class="cluster"><p>Tell the buyer a new date and offer to cancel for a full refund, or cancel now.</p>
    ${
      sending
        ? order.late_letter.handled_at === null &&
          writeForm(view, order.id, "Write to the buyer…", letter)
        : letterLink(
            "Write to the buyer",
            order.buyer_email,
            `Your order #${number} is late`,
            letter,
          )
    }
    ${handling({ id: order.id, ...order.late_letter }, "Written")}</div>`;
}

type Origin = Awaited<ReturnType<Admin["views"]["origin"]>>;

/** An agent with a key, or the door of a buyer's own checkout. */
function orderedThrough({ agent_id, agent_name }: MerchantOrder, origin: Origin): Renderable {
  if (agent_id) return agent_name && theirs(agent_name);
  switch (origin?.via) {
    case "LINK":
      return origin.agent_name
        ? html`a link by ${theirs(origin.agent_name)}`
        : "a link that was made without a key, by an agent or a website";
    case "UCP":
      return "an agent, by the Universal Commerce Protocol";
    case "WAITLIST":
      return "the waitlist";
    case "SHOP":
      return "the shop’s pages";
    default:
      return "a checkout page";
  }
}

const facts = (order: MerchantOrder, origin: Origin): Markup => html`<dl class="facts">
    <div><dt>Buyer</dt><dd>${order.buyer_email.includes("@") ? html`<a href="mailto:${order.buyer_email}">${theirs(order.buyer_email)}</a>` : theirs(order.buyer_email)}</dd></div>
    <div><dt>Other orders</dt><dd>${
      order.other_orders.length === 0
        ? "None"
        : order.other_orders.map(
            (one, i) =>
              html`${i > 0 && ", "}${orderLink(one)} (${shopDay(one.created_at)}, ${money(one.amount_minor)})`,
          )
    }${order.buyer_email.includes("@") && html`. <a href="${customerPage(order.buyer_email)}">Customer’s page</a>`}</dd></div>
    <div><dt>Ordered through</dt><dd>${orderedThrough(order, origin)}</dd></div>
    <div><dt>Buyer’s page</dt><dd><a href="${order.order_url}">Open it</a>,
      or send the link to a buyer who lost it</dd></div>
  </dl>
`;

/** What was written about the order, with who answered. */
function messages(view: DeskOrder): Markup | null {
  const { order, sending } = view;
  const { messages, buyer_email, number } = order;
  const isReached = sending && buyer_email.includes("@");
  if (messages.length === 0 && !isReached) return null;
  const answer = (row: (typeof messages)[number]) =>
    isReached
      ? row.handled_at === null && writeForm(view, row.id, "Answer…")
      : replyLink(buyer_email, `Order #${number}`, row.message);
  return block(
    "messages",
    "Messages",
    html`${messages.map(
      (row) => html`${theirWords(row.message)}
      <div class="cluster"><span class="hint">${shopMoment(row.created_at)}</span>
        ${handling(row, "Answered")}</div>
      ${answer(row)}`,
    )}
    ${isReached && writeForm(view, "", "Write to the buyer…")}`,
  );
}

/** A letter to the buyer; `task`: what it answers, or empty. */
const writeForm = (
  { refused, answering }: DeskOrder,
  task: string,
  summary: string,
  text?: string,
): Markup =>
  filledForm(
    {
      ...{ act: "orders.write", of: { task_id: task }, seen: null, summary },
      open: task !== "" && task === answering,
    },
    refused,
    (show) => html`${show({
      name: "text",
      label: "Letter to the buyer",
      hint: "Sent as an email with a link to the order’s page, and kept under Internal notes.",
      area: true,
      maxlength: 1000,
      ...(text !== undefined && { value: text }),
    })}
    <button type="submit">Send the letter</button>`,
  );

/** Quiet while a warning speaks against roasting. */
function roastForm(order: MerchantOrder): Markup | null {
  const waiting = toRoast(order).length;
  if (waiting === 0) return null;
  const doubtful = doubts(order).length > 0;
  const what = waiting === 1 ? "" : ` ${waiting} shipments`;
  return actForm(
    "orders.roast",
    { seen: order.version },
    html`<button${doubtful && html` class="quiet"`} type="submit">Start roasting${what}</button>`,
    doubtful ? "form" : "pay stack tight",
  );
}

const disputed = ({ status, amount_minor, reason, at, respond_by }: Dispute): Markup =>
  html`<p>Dispute of ${money(amount_minor)} (${humanStatus(reason).toLowerCase()}):
    ${statusChip(status)} ${shopMoment(at)}${
      respond_by && html`. Answer it at the payment provider until ${shopMoment(respond_by)}`
    }.</p>`;

/** Sums, refunds and disputes, with the forms that move money. */
function payment(view: DeskOrder): Markup {
  const { payment, pricing, refunds } = view.order;
  return block(
    "payment",
    "Payment",
    html`<dl class="sums stack tight">
      ${sumRow("Coffee", money(pricing.subtotal_minor))}
      ${pricing.courtesy && sumRow("Discount", moneyOff(pricing.courtesy.amount_minor), "sum-off")}
      ${sumRow("Shipping", pricing.shipping_minor === 0 ? "Free" : money(pricing.shipping_minor))}
      ${sumRow("Paid", money(payment.amount_minor), "sum-total")}
      ${payment.refunded_minor > 0 && sumRow("Refunded", moneyOff(payment.refunded_minor))}
    </dl>
    <p>Paid ${METHODS[payment.method] ?? `by ${humanStatus(payment.method).toLowerCase()}`} on ${shopMoment(payment.paid_at)}${
      payment.mode === "live" ? "" : `, ${payment.mode} money`
    }.</p>
    ${refunds.map(refundLine)}
    ${payment.dispute && disputed(payment.dispute)}
    ${refund(view)}
    ${cancelForms(view)}`,
  );
}

function refund({ order }: DeskOrder): Markup | null {
  const { refundable_minor: left, canceled_refund_minor } = order;
  if (left < 1) return null;
  return disclosure("Refund…", amountForm(order, typedDollars(canceled_refund_minor || left)));
}

/** Notes for the merchant, which says so because everything else on the page reaches somebody. */
const notes = ({ order, refused }: DeskOrder): Markup =>
  block(
    "notes",
    "Internal notes",
    html`${order.notes.map(
      ({ text, created_at, written_by }) => html`<p class="their-words">${text}</p>
      <p class="hint">${shopMoment(created_at)}, ${actorName(written_by)}</p>`,
    )}
    ${filledForm(
      { act: "orders.note", seen: null, summary: "Write a note…" },
      refused,
      (show) => html`${show({
        name: "text",
        label: "Note",
        hint: "No agent and no buyer reads it.",
        area: true,
        maxlength: 1000,
      })}
      <button class="quiet" type="submit">Save the note</button>`,
    )}`,
  );

type Shipments = MerchantOrder["shipments"];

const history = (events: readonly OrderEvent[], shipments: Shipments): Markup =>
  block(
    "history",
    "What happened",
    html`<ol class="history stack tight">
      ${events.map(
        (event) => html`<li>${happened(event, shipments)}<br>
        <time datetime="${event.occurred_at}">${shopMoment(event.occurred_at)}</time></li>`,
      )}
    </ol>`,
  );

interface EventFacts {
  amount_minor?: number;
  status?: string;
  outcome?: string;
  reason?: string;
  decision?: string;
  tracking?: { carrier: string; number: string } | null;
}

const amountOf = ({ amount_minor }: EventFacts): string => money(amount_minor ?? 0);

/** Sentences by the type of an event; those about a shipment follow its name. */
const SENTENCES: Record<string, (data: EventFacts) => string> = {
  "order.confirmed": () => "Ordered",
  "payment.verified": (data) => `Paid ${amountOf(data)}`,
  "payment.disputed": (data) => `Dispute of ${amountOf(data)} opened`,
  "payment.dispute_closed": (data) => `Dispute of ${amountOf(data)} ${data.outcome?.toLowerCase()}`,
  "payment.refunded": (data) => `Refunded ${amountOf(data)}`,
  "payment.refund_failed": (data) => `Refund of ${amountOf(data)} failed`,
  "order.roasting": () => "Roasting started",
  "order.roasting_undone": () => "Roasting undone",
  "order.shipped": () => "All shipped",
  "order.completed": () => "Completed",
  "order.canceled": ({ reason }) => `Canceled: ${reason}`,
  "shipment.updated": ({ status, tracking }) =>
    status === "SHIPPED" && tracking
      ? `Shipped with ${tracking.carrier} ${tracking.number}`
      : statusText(status ?? ""),
  "shipment.step_undone": ({ status }) => `Undone, back to “${statusText(status ?? "")}”`,
  "shipment.tracking_corrected": ({ tracking }) => `Tracking corrected to ${tracking?.number}`,
  "shipment.address_changed": () => "Address changed",
  "cancel_request.accepted": () => "Cancel request accepted",
  "cancel_request.declined": ({ decision }) => `Cancel request declined: ${decision}`,
};

/** An event in a sentence, with the shipment's number if there are several. */
function happened({ type, data }: OrderEvent, shipments: Shipments): string {
  const { shipment_id, shipment_ids = [] } = data as {
    shipment_id?: ShipmentId;
    shipment_ids?: ShipmentId[];
  };
  const said = SENTENCES[type]?.(data as EventFacts) ?? humanStatus(type.replaceAll(".", "_"));
  const about = shipments.flatMap(({ id }, i) =>
    id === shipment_id || shipment_ids.includes(id) ? [i + 1] : [],
  );
  if (about.length === 0 || about.length === shipments.length) return said;
  return `${about.length > 1 ? "Shipments" : "Shipment"} ${about.join(", ")}: ${said}`;
}
