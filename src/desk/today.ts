import type { PaymentMode } from "../core/answer.ts";
import { MOST_COUNTED } from "../core/policy.ts";
import { days } from "../core/time.ts";
import { INCIDENT_COLUMNS } from "../merchant/list-columns.ts";
import type { Admin, Merchant } from "../merchant/merchant.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import { humanStatus, statusText } from "../orders/status-words.ts";
import { calendarDay, excerpt, money, shopMoment } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { notice } from "../web/parts.ts";
import { CANCEL_ACTS, cancelAnswers, requestedLines } from "./cancel.ts";
import { HANDLE, handleButton, type RefusedAction } from "./forms.ts";
import { block, quoted, theirs } from "./frame.ts";
import { section, shared } from "./list-page.ts";
import { beansToRestock, type StockLine, type WantedBags, wantedOf } from "./low-stock.ts";
import { answerLink } from "./messages.ts";
import { orderLink, statusChip, warning } from "./order-parts.ts";
import { refundPage, returnButtons } from "./refund.ts";
import type { DeskRoute } from "./route.ts";

/** Tasks for a person, those with a deadline first, with the buttons that complete them. */
export const today: DeskRoute = {
  place: "",
  path: "/desk",
  async show({ merchant, admin, refused }) {
    const [waiting, tasks, { low, wanted }] = await Promise.all([
      admin.views.waiting(),
      admin.tasks.waiting(),
      beansToRestock(admin),
    ]);
    const asked = await Promise.all(
      waiting.requests.map(({ order_id }) => admin.orders.show({ order_id })),
    );
    return {
      lede: waiting.any && soldToday(waiting.today),
      body: html`${waiting.any ? mailNotice(merchant) : firstSteps(merchant)}
    ${todo([
      [waiting.roast, "Roast", "order", "/desk/roast"],
      [waiting.ship, "Ship", "order", "/desk/ship"],
      [waiting.underway, "Follow", "order on the way", "/desk/deliver"],
    ])}
    ${disputes(tasks, merchant.mode)}
    ${late(waiting)}
    ${requests(waiting, asked, refused)}
    ${refunds(tasks)}
    ${failures(tasks.failures)}
    ${returns(tasks.returns)}
    ${messages(tasks, merchant.mail.sending)}
    ${incidents(tasks)}
    ${lowStock(low, wanted)}`,
    };
  },
  acts: { ...HANDLE, ...CANCEL_ACTS },
};

type Job = readonly [count: number, verb: string, what: string, href: string];

/** The day's work, without tasks that count zero. */
function todo(jobs: readonly Job[]): Markup {
  const open = jobs.filter(([count]) => count > 0);
  if (open.length === 0) return html`<p>Nothing to roast, ship or follow.</p>`;
  const text = ([count, verb, what]: Job) => {
    const most = count < MOST_COUNTED ? String(count) : `${MOST_COUNTED - 1}+`;
    return html`${verb} <b>${most}</b> ${count === 1 ? what : plural(what)}`;
  };
  return html`<ul class="trays tiles">${open.map(
    (job) => html`<li><a class="tray" href="${job[3]}"><span>${text(job)}</span></a></li>`,
  )}</ul>`;
}

const plural = (what: string): string =>
  what === "order on the way" ? "orders on the way" : `${what}s`.replace(/ys$/, "ies");

function soldToday({ orders, paid_minor }: WaitingCounts["today"]): Markup {
  if (orders === 0) return html`No sales yet today.`;
  const from = orders === 1 ? "1 order" : `${orders} orders`;
  return html`<a href="/desk/sales?days=7">Sales today: <b>${money(paid_minor)}</b></a> from ${from}.`;
}

type Tasks = Awaited<ReturnType<Admin["tasks"]["waiting"]>>;
type WaitingCounts = Awaited<ReturnType<Admin["views"]["waiting"]>>;

const requests = (
  { requests, asking }: WaitingCounts,
  orders: readonly MerchantOrder[],
  refused: RefusedAction | undefined,
): Markup | null =>
  section(
    ["requests", "Cancel requests to decide", "Cancel requests, oldest first"],
    requests.flatMap((row) => {
      const order = orders.find(({ id }) => id === row.order_id);
      return order ? [{ ...row, order }] : [];
    }),
    [
      { name: "Order", cell: ({ order }) => named(order) },
      { name: "Cancel", cell: ({ order }) => requestedLines(order) },
      { name: "Asked", cell: (row) => shopMoment(row.created_at) },
      {
        name: "Why",
        cell: (row) =>
          html`${humanStatus(row.reason_code)}${row.message && html`: ${quoted(row.message)}`}`,
      },
      { name: "Decide", cell: ({ order }) => cancelAnswers({ order, refused }) },
    ],
    { count: asking },
  );

/** An order with its buyer. */
const named = (
  row: Parameters<typeof orderLink>[0] & { buyer_email?: string | null | undefined },
): Markup => html`${orderLink(row)} ${row.buyer_email && theirs(row.buyer_email)}`;

const late = ({ late: { rows, count } }: WaitingCounts): Markup | null =>
  section(
    ["late", "Overdue", "Orders past their estimate, oldest first: write to the buyer or cancel"],
    rows,
    [
      { name: "Order", cell: named },
      { name: "Late by", cell: (row) => warning(days(row.days_late)) },
      { name: "Expected by", cell: (row) => calendarDay(row.latest) },
      { name: "Status", cell: (row) => statusChip(row.status, statusText(row.status)) },
      {
        name: "Decide",
        cell: (row) => html`<div class="cluster">
        <a class="button small" href="/desk/orders/${row.id}">Write or cancel…</a>
        ${handleButton(row, "Mark written")}</div>`,
      },
    ],
    { count },
  );

/** Canceled orders whose money the merchant refunds or keeps. */
const refunds = ({ refunds }: Tasks): Markup | null =>
  section(
    ["refunds", "Refunds to decide", "Canceled orders with their money still here, oldest first"],
    refunds.rows,
    [
      { name: "Order", cell: named },
      { name: "Canceled", cell: (row) => shopMoment(row.since) },
      {
        name: "Not refunded",
        number: true,
        cell: (row) =>
          `${row.status === "CANCELED" ? "" : "a part of "}${money(row.refundable_minor)}`,
      },
      {
        name: "Decide",
        cell: (row) => html`<div class="cluster">
        <a class="button small quiet" href="${refundPage(row.order_id, row.status === "CANCELED" ? row.refundable_minor : undefined)}">${
          row.status === "CANCELED" ? `Refund ${money(row.refundable_minor)}…` : "Refund a part…"
        }</a>
        ${handleButton(row, "No refund")}</div>`,
      },
    ],
    { count: refunds.count },
  );

type Stopped = Tasks["returns"];

const failures = (stopped: Stopped): Markup | null =>
  stoppedSection(
    ["failures", "Not delivered", "Shipments that could not be delivered, oldest first"],
    stopped,
    {
      since: "Failed",
      decide: (
        row,
      ) => html`<a class="button small" href="/desk/orders/${row.order_id}">See its order…</a>
        ${handleButton(row, "Dismiss")}`,
    },
  );

const returns = (stopped: Stopped): Markup | null =>
  stoppedSection(["returns", "Returned", "Shipments that came back, oldest first"], stopped, {
    since: "Returned",
    decide: (
      row,
    ) => html`${row.sendable && html`<a class="button small" href="/desk/orders/${row.order_id}">Send it again…</a>`}
        ${returnButtons(row)}`,
  });

const stoppedSection = (
  named: Parameters<typeof section>[0],
  { rows, count }: Stopped,
  { since, decide }: { since: string; decide: (row: Stopped["rows"][number]) => Markup },
): Markup | null =>
  section(
    named,
    rows,
    [
      { name: "Order", cell: (row) => orderLink(row) },
      { name: since, cell: (row) => shopMoment(row.since) },
      {
        name: "Went to",
        cell: ({ address }) =>
          html`${theirs(address.name)}, ${theirs(`${address.city}, ${address.region}`)}`,
      },
      { name: "Decide", cell: (row) => html`<div class="cluster">${decide(row)}</div>` },
    ],
    { count },
  );

/** The payment at the provider, where a dispute is answered. */
function providerPage(mode: PaymentMode, paymentRef: string): string | null {
  if (mode === "sandbox") return null;
  return `https://dashboard.stripe.com/${mode === "live" ? "" : "test/"}payments/${paymentRef}`;
}

const disputes = ({ disputes }: Tasks, mode: PaymentMode): Markup | null =>
  section(
    ["disputes", "Disputes to answer", "Disputes at the payment provider, next deadline first"],
    disputes,
    [
      {
        name: "Answer until",
        cell: (row) => (row.respond_by ? shopMoment(row.respond_by) : "No known deadline"),
      },
      { name: "Amount", number: true, cell: (row) => money(row.amount_minor) },
      { name: "Reason", cell: (row) => humanStatus(row.reason) },
      {
        name: "Order",
        cell: ({ order_id, number, buyer_email }) =>
          order_id ? named({ order_id, number, buyer_email }) : "none",
      },
      {
        name: "Answer",
        cell: ({ payment_ref }) => {
          const page = providerPage(mode, payment_ref);
          return page
            ? html`<a class="button small" href="${page}">Answer at Stripe</a>`
            : "At the payment provider";
        },
      },
    ],
  );

function writtenBy({ email, order_id, number }: Tasks["messages"]["rows"][number]): Renderable {
  if (order_id) return named({ order_id, number, buyer_email: email });
  return email ? theirs(email) : "no address";
}

const messages = ({ messages: { rows, count } }: Tasks, sending: boolean): Markup | null =>
  section(
    ["messages", "Messages to answer", "Messages, oldest first"],
    rows,
    [
      { name: "Received", cell: (row) => shopMoment(row.created_at) },
      { name: "From", cell: writtenBy },
      { name: "Message", cell: (row) => quoted(excerpt(row.text)) },
      {
        name: "Handle",
        cell: (row) => html`<div class="cluster">${answerLink(row, sending)}
          ${handleButton(row, "Mark answered")}</div>`,
      },
    ],
    { count, all: "/desk/messages" },
  );

const incidents = ({ incidents: { rows, count } }: Tasks): Markup | null =>
  section(
    ["incidents", "Incidents to look into", "Incidents, oldest first"],
    rows,
    [
      ...shared(INCIDENT_COLUMNS),
      { name: "Handle", cell: (row) => handleButton(row, "Mark handled") },
    ],
    { count, all: "/desk/incidents" },
  );

const lowStock = (rows: readonly StockLine[], wanted: readonly WantedBags[]): Markup | null =>
  section(["low-stock", "Low stock", "Beans that are nearly gone or on a waitlist"], rows, [
    {
      name: "Bean",
      cell: (row) => html`<a href="/desk/stock">${row.name ?? row.product_id}</a>`,
    },
    { name: "Free", number: true, cell: (row) => row.free },
    { name: "Warn below", number: true, cell: (row) => row.low_at },
    { name: "Held", number: true, cell: (row) => row.held },
    { name: "On waitlist", number: true, cell: (row) => wantedOf(wanted, row.product_id) },
  ]);

/** After the first order a buyer waits for a letter. */
const mailNotice = ({ mail }: Merchant): Markup | null =>
  mail.sending
    ? null
    : notice(
        "warn",
        "Buyers get no letters.",
        html`<p>No mail server is set up (SMTP_URL). <a href="/desk/mail">See what they would read</a>.</p>`,
      );

/** Shown before the first order. */
const firstSteps = ({ mail, mode, supportEmail }: Merchant): Markup =>
  block(
    "first-steps",
    "First steps",
    html`<ol class="first-steps">
      <li>Open the <a href="/desk/catalog">catalog</a> and add your own beans.</li>
      <li><a href="/desk/stock">Count your bags</a>, so you never sell more than you have.</li>
      <li>${
        mail.sending
          ? "Letters go out through your mail server."
          : html`<a href="/desk/mail">Letters</a> are kept here until a mail server is set up (SMTP_URL).`
      }</li>
      ${!supportEmail && html`<li>Set your <a href="/desk/shop">email for buyers</a>, so they can write to you.</li>`}
      <li><a href="/">Visit your shop</a> as a buyer does${
        mode === "live" ? "" : ", and buy a bag with play money"
      }.</li>
      <li><a href="/#connect">Connect an agent</a>. Its orders appear here.</li>
    </ol>`,
    "desk-block",
  );
