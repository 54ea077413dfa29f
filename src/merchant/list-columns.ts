import { actorName } from "../core/admin-verb.ts";
import { bagCount } from "../core/bags.ts";
import type { OrderForPeople } from "../orders/order-verbs.ts";
import { humanStatus, type StatusWord, statusWords } from "../orders/status-words.ts";
import type { AuditEntry } from "./audit-log.ts";
import type { Admin } from "./merchant.ts";

/** Values that a column can show, by its kind. */
export interface Kinds {
  text: string | null;
  /** Amounts and counts stand under each other. */
  number: string | number | null;
  /** ISO 8601, shown by the shop's clock. */
  moment: string | null;
  id: string;
  /** Written by a stranger. */
  name: string;
  order: { number?: number | undefined; id: string };
  bean: { product_id: string; name?: string | null };
  /** Code such as `OFFERED`. */
  status: string;
  words: readonly StatusWord[];
  act: AuditEntry;
}

/** A column of a list, drawn by the desk in HTML and by the command line as text. */
export type ListColumn<R> = {
  [K in keyof Kinds]: {
    title: string;
    kind: K;
    of: (row: R) => Kinds[K];
    /** Marks a value that needs a look. */
    warn?: (row: R) => boolean;
  };
}[keyof Kinds];

type Row<V extends (...given: never[]) => Promise<readonly unknown[]>> = Awaited<
  ReturnType<V>
>[number];

export const ORDER_COLUMNS: readonly ListColumn<OrderForPeople>[] = [
  { title: "Order", kind: "order", of: (order) => order },
  { title: "Ordered", kind: "moment", of: (order) => order.created_at },
  { title: "Status", kind: "words", of: statusWords },
  { title: "Bags", kind: "number", of: ({ items }) => bagCount(items) },
  { title: "Buyer", kind: "name", of: (order) => order.buyer_email },
  { title: "Total", kind: "number", of: ({ pricing }) => pricing.total_display },
];

export const KEY_COLUMNS: readonly ListColumn<Row<Admin["keys"]["list"]>>[] = [
  { title: "Name", kind: "name", of: (agent) => agent.name },
  { title: "Agent", kind: "id", of: (agent) => agent.id },
  { title: "Contact", kind: "name", of: (agent) => agent.contact_email },
  { title: "Key", kind: "id", of: (agent) => `${agent.key_prefix}…` },
  { title: "Since", kind: "moment", of: (agent) => agent.created_at },
];

export const WAITLIST_COLUMNS: readonly ListColumn<Row<Admin["waitlist"]["list"]>>[] = [
  { title: "Bean", kind: "bean", of: (entry) => entry },
  { title: "Place", kind: "number", of: (entry) => entry.position },
  { title: "Bags", kind: "number", of: (entry) => entry.quantity },
  { title: "Status", kind: "status", of: (entry) => entry.status },
  { title: "Offer ends", kind: "moment", of: (entry) => entry.offer_expires_at ?? null },
  { title: "Buyer", kind: "name", of: (entry) => entry.buyer.email },
  { title: "Confirmed", kind: "name", of: (entry) => (entry.confirmed ? "yes" : "no") },
  { title: "Since", kind: "moment", of: (entry) => entry.created_at },
];

export const STOCK_COLUMNS: readonly ListColumn<Row<Admin["stock"]["list"]>>[] = [
  { title: "Bean", kind: "bean", of: (row) => row },
  { title: "On hand", kind: "number", of: (row) => row.on_hand },
  { title: "Held", kind: "number", of: (row) => row.held },
  { title: "Free", kind: "number", of: (row) => row.free, warn: (row) => row.low },
];

type Incident = Pick<
  Row<Admin["incidents"]["list"]>,
  "kind" | "created_at" | "detail" | "subject" | "number"
>;

export const INCIDENT_COLUMNS: readonly ListColumn<Incident>[] = [
  { title: "What", kind: "text", of: (incident) => humanStatus(incident.kind) },
  { title: "When", kind: "moment", of: (incident) => incident.created_at },
  { title: "Detail", kind: "text", of: (incident) => incident.detail },
  { title: "About", kind: "order", of: ({ subject, number }) => ({ id: subject, number }) },
];

export const AUDIT_COLUMNS: readonly ListColumn<AuditEntry>[] = [
  { title: "Act", kind: "act", of: (entry) => entry },
  { title: "When", kind: "moment", of: (entry) => entry.at },
  {
    title: "By",
    kind: "name",
    of: ({ actor }) => actorName(actor),
  },
];
