import { nameForPeople } from "../catalog/catalog.ts";
import { bags } from "../core/bags.ts";
import { display } from "../core/money.ts";
import { FIRST_ORDER, iso } from "../core/policy.ts";
import type { Tables } from "../core/records.ts";
import { dayOf } from "../core/time.ts";
import { humanStatus, statusText } from "../orders/status-words.ts";
import type { Context } from "../payments/provider.ts";

type AuditRow = Tables["audit"];
type Detail = Record<string, unknown>;

/** The order, bean or agent that an act is about, by its name for people. */
export interface AuditSubject {
  kind: "order" | "bean" | "agent";
  id: string;
  name: string;
}

/** `about.name` stands in the sentence once. */
export interface AuditEntry extends Omit<AuditRow, "at" | "detail"> {
  at: string;
  detail: Detail;
  sentence: string;
  about: AuditSubject | null;
}

/** Acts of the merchant in sentences, for the desk's log and the command line. */
export async function auditEntries(
  { store: { queries }, catalog }: Pick<Context, "store" | "catalog">,
  rows: readonly AuditRow[],
): Promise<AuditEntry[]> {
  const read = rows.map((row) => ({ row, detail: JSON.parse(row.detail) as Detail }));
  const shipments = await Promise.all(
    read
      .filter(({ row }) => row.act === "tasks.handle" && row.subject.startsWith("shp_"))
      .map(({ row }) => queries.shipment(row.subject)),
  );
  const agents = await Promise.all(
    read
      .filter(({ row }) => row.act === "keys.revoke")
      .map(({ row }) => queries.agent(row.subject)),
  );
  const orderOf = ({ row, detail }: (typeof read)[number]): string | undefined => {
    if (typeof detail.order_id === "string") return detail.order_id;
    if (row.subject.startsWith("ord_")) return row.subject;
    return shipments.find((one) => one?.id === row.subject)?.order_id;
  };
  const ids = [...new Set(read.flatMap((one) => orderOf(one) ?? []))];
  const orders = await queries.ordersByIds(ids);

  function subjectOf(one: (typeof read)[number]): AuditSubject | null {
    const { act, subject: id } = one.row;
    const orderId = orderOf(one);
    if (orderId !== undefined) {
      const number = orders.find((order) => order.id === orderId)?.number;
      return { kind: "order", id: orderId, name: `order ${number ? `#${number}` : orderId}` };
    }
    if (act.startsWith("stock.") || act.startsWith("catalog.")) {
      return { kind: "bean", id, name: nameForPeople(catalog, { product_id: id }) };
    }
    const agent = agents.find((found) => found?.id === id);
    return agent ? { kind: "agent", id, name: agent.name } : null;
  }

  return read.map((one) => {
    const { row, detail } = one;
    const about = subjectOf(one);
    const write = SENTENCES[row.act];
    const name = about?.name ?? row.subject;
    const sentence = write ? write(name, detail) : `${row.act} ${name}`;
    return { ...row, at: iso(row.at), detail, sentence, about };
  });
}

type Sentence = (name: string, detail: Detail) => string;

const amountOf = ({ amount_minor }: Detail): string => display(Number(amount_minor));
const bagsOf = (count: unknown): string => bags(Number(count));
const statusOf = (status: unknown): string => statusText(String(status)).toLowerCase();
const marked =
  (status: string): Sentence =>
  (name) =>
    `Marked ${name} as ${statusOf(status)}`;
const labelOf = ({ carrier, number }: Detail): string => `${carrier} ${number}`;

const HANDLED: Record<string, Sentence> = {
  INCIDENT: () => "Handled an incident",
  FEEDBACK: () => "Answered feedback",
  LEAD: () => "Answered a bulk request",
  LATE: (name) => `Wrote to the buyer of ${name}, which is late`,
  REFUND: (name) => `Decided not to refund ${name}`,
  FAILURE: (name) => `Dismissed the failed delivery of ${name}`,
  RETURN: (name) => `Dismissed the return of ${name}`,
};

/** `price_minor: ["2200","2300"]` → `price $22.00 → $23.00`; a bean that is new has no changes. */
function changed(name: string, { new: isNew, ...changes }: Detail): string {
  const listed = Object.entries(changes).map(([field, change]) => {
    const [from, to] = [change]
      .flat()
      .map((value) =>
        field === "price_minor" ? display(Number(value)) : String(value || "nothing"),
      );
    return `${field.replace(/_minor$/, "").replaceAll("_", " ")} ${from} → ${to}`;
  });
  return isNew ? `Added ${name}` : `Changed ${name}: ${listed.join(", ")}`;
}

const SENTENCES: Readonly<Record<string, Sentence>> = {
  "orders.roast": (name) => `Started roasting ${name}`,
  "orders.write": (name) => `Wrote to the buyer of ${name}`,
  "orders.note": (name) => `Wrote a note on ${name}`,
  "orders.refund": (name, detail) => `Refunded ${amountOf(detail)} of ${name}`,
  "orders.send_refund": (name, detail) =>
    `Sent the waiting refund of ${amountOf(detail)} of ${name}`,
  "orders.undo_refund": (name, detail) => `Undid the refund of ${amountOf(detail)} of ${name}`,
  "orders.cancel": (name, { reason, shipment_ids }) =>
    `Canceled ${shipment_ids ? "a part of " : ""}${name}: ${reason}`,
  "cancellations.accept": (name) => `Accepted the cancel request for ${name}`,
  "cancellations.decline": (name, { reason }) =>
    `Declined the cancel request for ${name}: ${reason}`,
  "shipments.ship": (name, detail) => `Shipped ${name} with ${labelOf(detail)}`,
  "shipments.transit": marked("IN_TRANSIT"),
  "shipments.out-for-delivery": marked("OUT_FOR_DELIVERY"),
  "shipments.deliver": marked("DELIVERED"),
  "shipments.fail": (name) => `Marked the delivery of ${name} as failed`,
  "shipments.return": marked("RETURNED"),
  "shipments.undo": (name, { was, is }) =>
    `Set ${name} back from “${statusText(String(was))}” to “${statusText(String(is))}”`,
  "shipments.correct": (name, detail) =>
    `Corrected the tracking of ${name} from ${detail.before} to ${labelOf(detail)}`,
  "shipments.address": (name) => `Changed the address of ${name}`,
  "stock.set": (name, { on_hand, before }) =>
    `Set ${name} from ${before ?? 0} to ${bagsOf(on_hand)} on hand`,
  "stock.receive": (name, detail) => `Added ${bagsOf(detail.bags)} of ${name}`,
  "stock.low-at": (name, { low_at }) => `Set the warning for ${name} to fewer than ${low_at} bags`,
  "catalog.draft": (name) => `Saved a draft of ${name}`,
  "catalog.draft-discarded": (name) => `Discarded the draft of ${name}`,
  "catalog.moved": (name, { place }) => `Moved ${name} to place ${place}`,
  "catalog.saved": changed,
  "catalog.published": changed,
  "catalog.imported": changed,
  "keys.revoke": (name) => `Revoked the key of ${name}`,
  "waitlist.remove": (name) => `Removed ${name} from the waitlist`,
  "courtesy.first-order": (_, { value }) => `Switched ${FIRST_ORDER.code} ${value}`,
  "shop.settings": (_, { fields }) =>
    `Changed the shop\u2019s settings: ${(fields as string[]).map(humanStatus).join(", ").toLowerCase()}`,
  "shop.pause": (_, { until }) => `Paused the shop until ${dayOf(String(until))}`,
  "shop.reopen": () => "Reopened the shop",
  "shop.address": () => "Changed the return address",
  "links.renew": () => "Replaced the secret behind all links",
  "customers.export": () => "Exported a customer's personal data",
  "customers.erase": () => "Erased a customer's personal data",
  "tasks.handle": (name, { kind }) =>
    HANDLED[String(kind)]?.(name, {}) ?? `Handled ${String(kind).toLowerCase()} ${name}`,
  "desk.link": () => "Printed a sign-in link",
  "desk.mail-link": () => "Mailed a sign-in link",
  "desk.renew": () => "Replaced the desk's secret",
  "desk.sign-in": () => "Signed in",
  "desk.sign-out": () => "Signed out",
  "desk.sign-out-everywhere": () => "Signed out everywhere",
  "desk.sign-in-refused": (_, { refused_within_the_hour: count }) =>
    // Only the 1st, 10th, 100th … is logged.
    `Refused sign-in at least ${count === 1 ? "once" : `${count} times`} within an hour`,
};
