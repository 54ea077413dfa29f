import type {
  AgentRow,
  AttemptRow,
  CustomerRow,
  EventRow,
  OrderRow,
  QuoteRow,
  QuoteStateRow,
  ShipmentRow,
  StockRow,
} from "./records-sale.ts";
import type {
  AuditRow,
  BeanRow,
  CancelRequestRow,
  DeskTaskRow,
  DisputeRow,
  FeedbackRow,
  FinderCreditRow,
  FinderKeyRow,
  IdempotencyRow,
  IncidentRow,
  LeadRow,
  OrderNoteRow,
  OutboxRow,
  RefundRow,
  SandboxRow,
  SettingRow,
  WaitlistRow,
  WebhookRow,
} from "./records-service.ts";

export type * from "./records-sale.ts";
export type * from "./records-service.ts";

/**
 * The rows the service keeps, one interface a table, the same on every engine. Names are the contract's
 * nouns. Times are milliseconds since the epoch, amounts integer minor units of usd, and whatever is
 * more than a scalar is JSON text. Secrets are here as SHA-256 hex only.
 *
 * Every table. Rows are locked in this order, so that two commands never wait for each other.
 */
export interface Tables {
  idempotency: IdempotencyRow;
  settings: SettingRow;
  agents: AgentRow;
  finder_keys: FinderKeyRow;
  finder_credits: FinderCreditRow;
  quotes: QuoteRow;
  quote_states: QuoteStateRow;
  attempts: AttemptRow;
  orders: OrderRow;
  shipments: ShipmentRow;
  events: EventRow;
  cancel_requests: CancelRequestRow;
  customers: CustomerRow;
  beans: BeanRow;
  stock: StockRow;
  waitlist: WaitlistRow;
  refunds: RefundRow;
  disputes: DisputeRow;
  incidents: IncidentRow;
  desk_tasks: DeskTaskRow;
  order_notes: OrderNoteRow;
  audit: AuditRow;
  outbox: OutboxRow;
  feedback: FeedbackRow;
  leads: LeadRow;
  webhooks: WebhookRow;
  sandbox: SandboxRow;
}

export type TableName = keyof Tables;

/** Primary keys; the array's order is also the locking order of the tables. */
export const PRIMARY_KEYS = {
  idempotency: ["scope", "key_hash"],
  settings: ["name"],
  agents: ["id"],
  finder_keys: ["key_hash"],
  finder_credits: ["agent_id", "fingerprint"],
  quotes: ["id"],
  quote_states: ["quote_id"],
  attempts: ["id"],
  orders: ["id"],
  shipments: ["id"],
  events: ["order_id", "sequence"],
  cancel_requests: ["id"],
  customers: ["email"],
  beans: ["product_id"],
  stock: ["product_id"],
  waitlist: ["id"],
  refunds: ["id"],
  disputes: ["id"],
  incidents: ["id"],
  desk_tasks: ["id"],
  order_notes: ["id"],
  audit: ["id"],
  outbox: ["id"],
  feedback: ["id"],
  leads: ["id"],
  webhooks: ["id"],
  sandbox: ["id"],
} as const satisfies { [N in TableName]: readonly (keyof Tables[N] & string)[] };

export const TABLE_NAMES = Object.keys(PRIMARY_KEYS) as TableName[];
