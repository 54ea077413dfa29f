/**
 * The rows the service keeps, one interface a table, the same on every engine. Names are SPEC's
 * nouns. Times are milliseconds since the epoch, amounts integer minor units of usd, and whatever is
 * more than a scalar is JSON text. Secrets are here as SHA-256 hex only.
 */
export interface AgentRow {
  id: string;
  name: string;
  contact_email: string;
  key_hash: string;
  key_prefix: string;
  created_at: number;
  revoked_at: number | null;
  /** The newest order's created_at, so that the next one is later (CONTRACT §5). */
  last_order_at: number;
}

/** The part of a quote that never changes: the database refuses UPDATE and DELETE here. */
export interface QuoteRow {
  id: string;
  /** Null for a quote that a person made through quick checkout. */
  agent_id: string | null;
  quote_hash: string;
  /** RFC 8785 JSON: exactly the bytes that quote_hash is taken over. */
  terms: string;
  /** SHA-256 of the review link's token. */
  review_hash: string;
  buyer_email: string;
  /** Canonical email: who the courtesy counts for. */
  customer: string;
  total_minor: number;
  created_at: number;
  expires_at: number;
}

export type StoredQuoteStatus =
  | "OPEN"
  | "CHECKOUT_READY"
  | "PROCESSING"
  | "PAID"
  | "INVALIDATED"
  | "WAITLIST_OFFERED";

/** The part of a quote that moves. */
export interface QuoteStateRow {
  quote_id: string;
  status: StoredQuoteStatus;
  /** Why it was invalidated: a code, null otherwise. */
  reason: string | null;
  order_id: string | null;
  /** A payment begun in time is honoured until then; null where none is under way. */
  paying_until: number | null;
  /** JSON [{product_id, requested, available}] of a WAITLIST_OFFERED quote, null otherwise. */
  short: string | null;
  updated_at: number;
}

export interface StockRow {
  product_id: string;
  /** Bags that exist. Negative is possible only as bags owed (CONTRACT §5, paid after a lost hold). */
  on_hand: number;
  /** Of these, bags held by live payment attempts and waitlist offers. */
  held: number;
}

/** One per canonical email. */
export interface CustomerRow {
  email: string;
  paid_orders: number;
  courtesy: "RESERVED" | "REDEEMED" | null;
  /** The attempt that reserved or redeemed it. */
  courtesy_attempt: string | null;
}

export type AttemptStatus = "CREATING" | "OPEN" | "PROCESSING" | "PAID" | "ENDED";

/** One try to pay one quote: at most one is live (CREATING, OPEN, PROCESSING) at a time. */
export interface AttemptRow {
  id: string;
  quote_id: string;
  status: AttemptStatus;
  /**
   * Why it ended: EXPIRED, FAILED (a delayed payment), REJECTED (by the provider), ABANDONED (never
   * heard of), or why its money went back: PAID_TWICE, WRONG_AMOUNT, PAID_TOO_LATE.
   */
  outcome: string | null;
  session_id: string | null;
  payment_ref: string | null;
  url: string | null;
  created_at: number;
  /** The hosted session's end. */
  expires_at: number;
  /** Stock stays held until then, then it is free even if nothing is known yet. */
  hold_until: number;
  /** JSON Hold[]; "[]" once let go or used. */
  holds: string;
  /** 1 where this attempt reserved the first-order courtesy. */
  courtesy: number;
  /** When the reconciler should ask the provider next; null where there is nothing left to ask. */
  check_at: number | null;
}

export interface OrderRow {
  id: string;
  /** Unique: one order per quote. */
  quote_id: string;
  agent_id: string | null;
  attempt_id: string;
  buyer_email: string;
  status: OrderStatus;
  created_at: number;
  payment_status: "PAID" | "DISPUTED" | "REFUNDED";
  payment_method: string;
  payment_ref: string;
  payment_mode: string;
  amount_minor: number;
  refunded_minor: number;
  paid_at: number;
  /** The number of the newest event. */
  last_sequence: number;
}

export type OrderStatus =
  | "CONFIRMED"
  | "ROASTING"
  | "PARTIALLY_SHIPPED"
  | "SHIPPED"
  | "COMPLETED"
  | "CANCELED";

export type ShipmentStatus =
  | "PENDING"
  | "ROASTING"
  | "SHIPPED"
  | "IN_TRANSIT"
  | "OUT_FOR_DELIVERY"
  | "DELIVERED"
  | "FAILED"
  | "RETURNED"
  | "CANCELED";

export interface ShipmentRow {
  id: string;
  order_id: string;
  /** Which of the terms' shipments this is, from 0. */
  position: number;
  status: ShipmentStatus;
  carrier: string | null;
  tracking_number: string | null;
  tracking_url: string | null;
  shipped_at: number | null;
  delivered_at: number | null;
}

export interface EventRow {
  order_id: string;
  sequence: number;
  id: string;
  type: string;
  occurred_at: number;
  order_status: OrderStatus;
  data: string;
}

export interface IdempotencyRow {
  scope: string;
  key_hash: string;
  request_hash: string;
  reply: string;
  expires_at: number;
}

export interface WaitlistRow {
  id: string;
  agent_id: string;
  product_id: string;
  quantity: number;
  buyer_email: string;
  customer: string;
  status: "WAITING" | "OFFERED" | "CONVERTED" | "EXPIRED" | "LEFT";
  created_at: number;
  offer_expires_at: number | null;
  /** The live payment attempt that is using the held bags. */
  attempt_id: string | null;
}

export interface CancelRequestRow {
  id: string;
  order_id: string;
  reason_code: string;
  message: string | null;
  status: "REQUESTED" | "ACCEPTED" | "DECLINED";
  created_at: number;
  decided_at: number | null;
  /** What the seller said when deciding. */
  decision: string | null;
}

export interface RefundRow {
  /** Also the provider's idempotency key. */
  id: string;
  attempt_id: string;
  order_id: string | null;
  payment_ref: string;
  amount_minor: number;
  reason: string;
  /** FAILED: the provider refused for good; an incident asks the merchant to make it by hand. */
  status: "PENDING" | "DONE" | "FAILED";
  created_at: number;
  done_at: number | null;
}

export interface IncidentRow {
  id: string;
  kind: string;
  subject: string;
  detail: string;
  created_at: number;
}

export interface AuditRow {
  id: string;
  actor: string;
  act: string;
  subject: string;
  detail: string;
  at: number;
}

export interface FinderKeyRow {
  key_hash: string;
  agent_id: string;
  created_at: number;
  expires_at: number;
  revoked_at: number | null;
}

/** A good question of an agent, once however it was worded. */
export interface FinderCreditRow {
  agent_id: string;
  fingerprint: string;
  /** JSON of the credit. */
  credit: string;
  created_at: number;
}

export interface FeedbackRow {
  id: string;
  agent_id: string;
  order_id: string | null;
  message: string;
  created_at: number;
}

export interface LeadRow {
  id: string;
  agent_id: string;
  email: string;
  purpose: string;
  quantity: string | null;
  organization: string | null;
  created_at: number;
}

export interface WebhookRow {
  id: string;
  type: string;
  api_version: string | null;
  livemode: number;
  session_id: string | null;
  payment_ref: string | null;
  received_at: number;
  settled_at: number | null;
  tries: number;
  /** When to try (again); null once settled or ignored. */
  try_at: number | null;
  error: string | null;
}

export interface SettingRow {
  name: string;
  value: string;
}

/** What the sandbox's emulated provider remembers. Unused with a real provider. */
export interface SandboxRow {
  id: string;
  kind: string;
  body: string;
  version: number;
  created_at: number;
}

/** Every table. Rows are locked in this order, so that two commands never wait for each other. */
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
  stock: StockRow;
  waitlist: WaitlistRow;
  refunds: RefundRow;
  incidents: IncidentRow;
  audit: AuditRow;
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
  stock: ["product_id"],
  waitlist: ["id"],
  refunds: ["id"],
  incidents: ["id"],
  audit: ["id"],
  feedback: ["id"],
  leads: ["id"],
  webhooks: ["id"],
  sandbox: ["id"],
} as const satisfies { [N in TableName]: readonly (keyof Tables[N] & string)[] };

export const TABLE_NAMES = Object.keys(PRIMARY_KEYS) as TableName[];
