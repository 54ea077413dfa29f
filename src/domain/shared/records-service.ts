/** Rows of what surrounds a sale: retries, queues, wishes, refunds, messages, the merchant's own. */
export interface IdempotencyRow {
  scope: string;
  key_hash: string;
  request_hash: string;
  /** JSON of the part of the answer from which the rest is found again. */
  reply: string;
  expires_at: number;
}

/** A bean of the catalog. One that was ever published is never deleted: orders name it. */
export interface BeanRow {
  product_id: string;
  /** Its place in the shop, from 0. */
  position: number;
  /** JSON of the bean as it is sold, or was; null for one that was never published. */
  published: string | null;
  /** 1 or 0. */
  on_sale: number;
  /** JSON of what it is to become, with whether it is then on sale; null where nothing is planned. */
  draft: string | null;
  changed_at: number;
}

export interface WaitlistRow {
  id: string;
  /** Null where a buyer joined without an agent. */
  agent_id: string | null;
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
  /** JSON of the shipments that it is about; null of earlier versions: the whole order. */
  shipment_ids: string | null;
  reason_code: string;
  message: string | null;
  status: "REQUESTED" | "ACCEPTED" | "DECLINED" | "WITHDRAWN";
  created_at: number;
  decided_at: number | null;
  /** What the merchant said when deciding. */
  decision: string | null;
}

/**
 * Why money goes back: the merchant gives it, somebody gave it at the provider itself (OUTSIDE), or it
 * must not be kept. Of the last kind a payment has one at most.
 */
export type RefundReason = "MERCHANT" | "OUTSIDE" | "PAID_TWICE" | "WRONG_AMOUNT" | "PAID_TOO_LATE";

/** One refund of one payment. Its state is the provider's word, never worked out from totals. */
export interface RefundRow {
  /** Ours; of one made at the provider itself, the provider's. */
  id: string;
  attempt_id: string;
  order_id: string | null;
  payment_ref: string;
  amount_minor: number;
  reason: RefundReason;
  /**
   * PENDING: to be made, or under way at the provider. FAILED: the money is still here and an incident
   * says so; a refund that was DONE can still fail. CANCELED: not made, since nothing was left to return.
   */
  status: "PENDING" | "DONE" | "FAILED" | "CANCELED";
  /** The provider's id; null until it is known to have it. */
  provider_ref: string | null;
  /** Which idempotency key is in use, from 1: one that the provider failed under is of no more use. */
  key_number: number;
  /** How often it was asked for without being made. */
  tries: number;
  /** When to ask for it (again); null once the provider has it, or never will. */
  try_at: number | null;
  /** Why it waits or failed, as the provider says; null where there is nothing to say. */
  problem: string | null;
  created_at: number;
  /** When it came to its present end; null while it is PENDING. */
  done_at: number | null;
}

/** The buyer's bank takes a payment back, or tries to. */
export interface DisputeRow {
  /** The provider's. */
  id: string;
  attempt_id: string;
  order_id: string | null;
  payment_ref: string;
  amount_minor: number;
  /** The provider's word: "fraudulent", "product_not_received", … */
  reason: string;
  status: "OPEN" | "WON" | "LOST";
  created_at: number;
  /** Until when the merchant can answer it at the provider; null where that is over. */
  due_by: number | null;
  closed_at: number | null;
}

export interface IncidentRow {
  id: string;
  kind: string;
  subject: string;
  detail: string;
  created_at: number;
}

/** Something that waits for a person at the desk. */
export interface DeskTaskRow {
  /** Of what called for it: the incident, message or cancellation's event. */
  id: string;
  /** REFUND: bags were canceled; whether money goes back is to be decided. */
  kind: "INCIDENT" | "FEEDBACK" | "LEAD" | "REFUND";
  /** What it is about: the incident, the message, or the order to refund. */
  subject: string;
  created_at: number;
  handled_at: number | null;
  /** "cli" or "desk". */
  handled_by: string | null;
}

/** An internal note about an order: no agent and no buyer reads it. */
export interface OrderNoteRow {
  id: string;
  order_id: string;
  text: string;
  /** "cli" or "desk". */
  written_by: string;
  created_at: number;
}

export type MailKind =
  | "RECEIPT"
  | "SHIPPED"
  | "DELIVERED"
  | "STEP_UNDONE"
  | "TRACKING_CORRECTED"
  | "ADDRESS_CHANGED"
  | "REFUNDED"
  | "WAITLIST_OFFER"
  | "NEW_ORDER"
  | "CANCEL_REQUEST"
  | "CANCEL_WITHDRAWN"
  | "BULK_LEAD"
  | "INCIDENT";

/** A letter that is to go out, by what it tells; its text is made when it is sent. */
export interface OutboxRow {
  /** The kind and what it is about: the same thing is never told twice. */
  id: string;
  kind: MailKind;
  order_id: string | null;
  /** The waitlist entry, lead or incident that it is about. */
  subject: string | null;
  /** JSON of the event that it tells. */
  data: string;
  created_at: number;
  /** When to try (again); null once sent or given up. */
  try_at: number | null;
  tries: number;
  sent_at: number | null;
  error: string | null;
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
