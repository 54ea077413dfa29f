import { display, sum } from "../core/money.ts";
import { days } from "../core/time.ts";
import { underWayText } from "../merchant/erase.ts";
import {
  AUDIT_COLUMNS,
  INCIDENT_COLUMNS,
  KEY_COLUMNS,
  ORDER_COLUMNS,
  STOCK_COLUMNS,
  WAITLIST_COLUMNS,
} from "../merchant/list-columns.ts";
import type { Admin } from "../merchant/merchant.ts";
import type { MerchantOrder } from "../orders/admin-orders.ts";
import type { CancelRequest } from "../orders/order-answer.ts";
import { excerpt } from "../web/format.ts";
import { type Columns, facts, labelLines, table } from "./text.ts";

type Result<V extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<V>>;

type Listed = { [K in keyof Admin]: Admin[K] extends { list: unknown } ? K : never }[keyof Admin];
type Rows = { [K in Listed]: Result<Admin[K]["list"]> } & {
  refunds: Result<Admin["refunds"]["waiting"]>;
};

/** Columns of each noun's rows. */
const COLUMNS: { [K in keyof Rows]: Columns<Rows[K][number]> } = {
  orders: [...ORDER_COLUMNS, ["Shipments", (order) => order.shipments.length], "id"],
  refunds: [
    "id",
    ["Order", ({ number, order_id }) => number ?? order_id],
    ["Amount", ({ amount_minor }) => display(amount_minor)],
    "problem",
  ],
  cancellations: [
    "id",
    "status",
    "order_id",
    "created_at",
    "asked_by",
    ["Shipments", (request) => request.shipment_ids.length || "all"],
    "reason_code",
    ["Message", ({ message }) => message && excerpt(message)],
  ],
  stock: [...STOCK_COLUMNS, "low_at"],
  waitlist: ["id", ...WAITLIST_COLUMNS],
  keys: [...KEY_COLUMNS, "revoked_at"],
  catalog: [
    "product_id",
    ["Name", ({ product }) => product.name_to_use_with_humans],
    ["Price", ({ product }) => display(product.price_minor)],
    ["For sale", (bean) => (bean.on_sale ? "yes" : "no")],
  ],
  feedback: [
    "created_at",
    "agent_id",
    "agent_email",
    "number",
    "order_id",
    ["Message", ({ message }) => excerpt(message)],
    "handled_at",
  ],
  leads: [
    "created_at",
    "agent_id",
    "agent_email",
    "email",
    ["Quantity", ({ quantity }) => quantity && excerpt(quantity)],
    ["Organization", ({ organization }) => organization && excerpt(organization)],
    ["Purpose", ({ purpose }) => excerpt(purpose)],
    "handled_at",
  ],
  incidents: [...INCIDENT_COLUMNS, "handled_at"],
  audit: AUDIT_COLUMNS,
};

/** A noun's single results that are more than a few facts: its acts return the whole order or row. */
const SINGLE: Record<string, (value: never) => string> = {
  orders: orderText,
  shipments: orderText,
  refunds: orderText,
  cancellations: orderText,
  stock: (row: Rows["stock"][number]) => table([row], COLUMNS.stock, ""),
};

/** The result of a noun's command as text. `isRest`: these rows follow a page. */
export function textOf(noun: string, result: object, isRest: boolean): string {
  if (!Array.isArray(result)) return (SINGLE[noun] ?? facts)(result as never);
  const columns = COLUMNS[noun as keyof Rows] as Columns<unknown>;
  return table(result, columns, isRest ? "No more rows." : "None.");
}

export function erasedText(result: Result<Admin["customers"]["erase"]>): string {
  const { under_way, orders_under_way, ...erased } = result;
  const counts = Object.entries(erased).filter(([, count]) => count > 0);
  const where = counts.map(([what, count]) => `${what.replaceAll("_", " ")} ${count}`);
  const later = `Erased once they end: ${underWayText({ under_way, orders_under_way })}.\n`;
  const lines = [
    where.length > 0 ? `Erased: ${where.join(", ")}.\n` : "",
    under_way > 0 ? later : "",
  ];
  return lines.join("") || "No data found for this email.\n";
}

export function customerText({ orders, messages }: Result<Admin["customers"]["show"]>): string {
  const ordered = table(
    orders,
    ["number", "created_at", "status", ["Paid", (row) => display(row.amount_minor)], "id"],
    "No orders.",
  );
  const written = table(
    messages,
    ["created_at", ["Message", ({ message }) => excerpt(message)], "id"],
    "No messages.",
  );
  return `${ordered}\n${written}`;
}

type Waiting = Result<Admin["tasks"]["waiting"]> &
  Pick<Result<Admin["views"]["waiting"]>, "late"> & {
    requests: { count: number; rows: Result<Admin["views"]["waiting"]>["requests"] };
  };

export function tasksText(waiting: Waiting): string {
  const { requests, late, refunds, failures, returns, disputes, messages, incidents } = waiting;
  const row = (
    kind: string,
    task: string,
    since_or_until: string | null,
    about: string | null,
  ) => ({
    kind,
    task,
    since_or_until,
    about,
  });
  const stopped = (kind: string, { rows }: Waiting["returns"]) =>
    rows.map((r) => row(kind, r.id, r.since, `${r.order_id}, ${r.shipment_id}`));
  const tasks = [
    ...requests.rows.map((r) =>
      row("CANCEL REQUEST", r.id, r.created_at, `${r.order_id}, ${askedBy(r)}`),
    ),
    ...late.rows.map((o) => row("LATE", o.id, o.latest, `${days(o.days_late)} past its estimate`)),
    ...refunds.rows.map((r) => row("REFUND", r.id, r.since, r.order_id)),
    ...stopped("NOT DELIVERED", failures),
    ...stopped("CAME BACK", returns),
    ...disputes.map((d) => row("DISPUTE", d.id, d.respond_by, d.order_id)),
    ...messages.rows.map((m) => row("MESSAGE", m.id, m.created_at, excerpt(m.text))),
    ...incidents.rows.map((i) => row("INCIDENT", i.id, i.created_at, i.detail)),
  ];
  const shown = table(tasks, ["kind", "task", "since_or_until", "about"], "Nothing waits.");
  const lists = [requests, late, refunds, failures, returns, messages, incidents];
  const more = sum(lists.map(({ count, rows }) => count - rows.length));
  return more > 0 ? `${shown}And ${more} more, once some of these are handled.\n` : shown;
}

const askedBy = ({ asked_by }: Pick<CancelRequest, "asked_by">): string =>
  `asked by the ${asked_by.toLowerCase()}`;

/** An order with its shipments, notes, payment and refunds. */
function orderText(order: MerchantOrder): string {
  const { payment, pricing, cancel_request: asked, estimated_delivery: due } = order;
  const { courtesy, total_display } = pricing;
  const { dispute } = payment;
  const { lateness } = order.standing;
  const back = payment.refunded_minor > 0 ? `, ${display(payment.refunded_minor)} refunded` : "";
  const less = courtesy ? ` (${courtesy.kind} -${display(courtesy.amount_minor)})` : "";
  const late = lateness ? `, ${days(lateness.days)} late` : "";
  const rows = labelLines({ indent: 2, width: 10 }, [
    ["number", order.number],
    ["buyer", order.buyer_email],
    ["ordered", order.created_at],
    ["expected", due && `${due.earliest} to ${due.latest}${late}`],
    ["page", order.order_url],
    ["total", `${total_display}${less}`],
    ["payment", `${payment.status} by ${payment.method ?? "-"} (${payment.mode})${back}`],
    ["key", order.agent_id ?? "none, by a checkout page"],
    ...order.refunds.map(
      ({ id, amount_minor, status, problem }) =>
        ["refund", joinParts(id, display(amount_minor), status, problem)] as const,
    ),
    ...order.notes.map(({ created_at, text }) => ["note", joinParts(created_at, text)] as const),
    ["dispute", dispute && disputeText(dispute)],
    ["cancel", asked && joinParts(asked.id, asked.status, asked.reason_code, askedBy(asked))],
    ["", asked?.message],
  ]);
  const toCancel = asked?.status === "REQUESTED" ? asked.shipment_ids : [];
  const shipments = order.shipments.map((one) => shipmentText(one, toCancel.includes(one.id)));
  return `Order ${order.id}  ${order.status}\n${rows}${shipments.join("")}`;
}

const joinParts = (...parts: (string | null)[]): string => parts.filter(Boolean).join("  ");

const disputeText = (dispute: NonNullable<MerchantOrder["payment"]["dispute"]>): string => {
  const { amount_minor, status, reason, respond_by } = dispute;
  const until = respond_by && `answer it until ${respond_by}`;
  return joinParts(display(amount_minor), status, reason, until);
};

function shipmentText(shipment: MerchantOrder["shipments"][number], toCancel: boolean): string {
  const { id, status, address, tracking, returned, items, gift_notes } = shipment;
  const { name, line1, line2, city, region, postal_code } = address;
  const to = [name, line1, line2, `${city}, ${region} ${postal_code}`];
  const by = tracking && [tracking.carrier, tracking.number, tracking.url];
  const rows = labelLines({ indent: 4, width: 8 }, [
    ["to", to.filter(Boolean).join(", ")],
    ["by", by?.filter(Boolean).join(" ")],
    ["task", returned && `${returned.id}, since ${returned.since}`],
    ...items.map((item) => ["bags", `${item.quantity} x ${item.name}`] as const),
    ...gift_notes.map((note, i) => [`note ${i + 1}`, note] as const),
  ]);
  return `  Shipment ${id}  ${status}${toCancel ? "  asked to be canceled" : ""}\n${rows}`;
}
