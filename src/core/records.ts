import type { Columns, NewRow, Row } from "./columns.ts";
import { QUOTE_TABLES } from "./records-quote.ts";
import { SALE_TABLES } from "./records-sale.ts";
import { SERVICE_TABLES } from "./records-service.ts";

export type * from "./records-sale.ts";
export type * from "./records-service.ts";

/**
 * The rows the service keeps, one declaration a table, the same on every engine. Names are the contract's
 * nouns. Times are milliseconds since the epoch, amounts integer minor units of usd, and whatever is
 * more than a scalar is JSON text. Secrets are here as SHA-256 hex only.
 *
 * Rows are locked in the order in which the tables stand, so that two commands never wait for each other.
 */
export const TABLES = { ...QUOTE_TABLES, ...SALE_TABLES, ...SERVICE_TABLES };

export type TableName = keyof typeof TABLES;

export type Tables = { [N in TableName]: Row<(typeof TABLES)[N]> };

export type NewRows = { [N in TableName]: NewRow<(typeof TABLES)[N]> };

const BLANK = Object.fromEntries(
  Object.entries<Columns>(TABLES).map(([table, columns]) => [
    table,
    Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, one.default ?? null])),
  ]),
);

/** Of two rows made at the same time, always the same one comes first. */
export const oldestFirst = (
  a: { created_at: number; id: string },
  b: { created_at: number; id: string },
): number => a.created_at - b.created_at || (a.id < b.id ? -1 : 1);

/** All of a row, with what comes later as it is at first. */
export const newRow = <N extends TableName>(table: N, values: NewRows[N]): Tables[N] =>
  ({ ...BLANK[table], ...values }) as Tables[N];

export type AgentRow = Tables["agents"];
export type FinderKeyRow = Tables["finder_keys"];
export type FinderCreditRow = Tables["finder_credits"];
export type QuoteRow = Tables["quotes"];
export type QuoteStateRow = Tables["quote_states"];
export type UcpSessionRow = Tables["ucp_sessions"];
export type AttemptRow = Tables["attempts"];
export type OrderRow = Tables["orders"];
export type ShipmentRow = Tables["shipments"];
export type EventRow = Tables["events"];
export type CancelRequestRow = Tables["cancel_requests"];
export type CustomerRow = Tables["customers"];
export type BeanRow = Tables["beans"];
export type StockRow = Tables["stock"];
export type WaitlistRow = Tables["waitlist"];
export type RefundRow = Tables["refunds"];
export type DisputeRow = Tables["disputes"];
export type DeskTaskRow = Tables["desk_tasks"];
export type OutboxRow = Tables["outbox"];
export type FeedbackRow = Tables["feedback"];
export type LeadRow = Tables["leads"];
export type WebhookRow = Tables["webhooks"];

export const TABLE_NAMES = Object.keys(TABLES) as TableName[];

export const PRIMARY_KEYS = Object.fromEntries(
  Object.entries<Columns>(TABLES).map(([table, columns]) => [
    table,
    Object.keys(columns).filter((name) => columns[name]!.key),
  ]),
) as Record<TableName, string[]>;

/** The statuses of a payment attempt that is neither settled nor over. */
export const LIVE_STATUSES = ["CREATING", "OPEN", "PROCESSING"] as const;
export const LIVE: ReadonlySet<AttemptRow["status"]> = new Set(LIVE_STATUSES);

/** Its payment page may be open and nothing has been paid: it can still be closed. */
export const isUnpaid = ({ status }: Pick<AttemptRow, "status">): boolean =>
  status === "CREATING" || status === "OPEN";
