import { integer, key, later, oneOf, orNull, text, time } from "./columns.ts";

/** Rows of what surrounds a sale: retries, queues, wishes, messages, the merchant's own. */

export const idempotency = {
  scope: key(text),
  key_hash: key(text),
  request_hash: text,
  /** JSON of the part of the answer from which the rest is found again. */
  reply: text,
  expires_at: time,
};

/** What a limit that all instances share has counted. */
export const rate_limits = {
  name: key(text),
  /** A pseudonym of the client address. */
  subject: key(text),
  used: integer,
  /** When this window is over. */
  ends_at: time,
};

/** A bean of the catalog. One that was ever published is never deleted: orders name it. */
export const beans = {
  product_id: key(text),
  /** Its place in the shop, from 0. */
  position: integer,
  /** JSON of the bean as it is sold, or was; null for one that was never published. */
  published: orNull(text),
  /** 1 or 0. */
  on_sale: integer,
  /** JSON of what it is to become, with whether it is then on sale; null where nothing is planned. */
  draft: orNull(text),
  changed_at: time,
};

export const waitlist = {
  id: key(text),
  /** Null where a buyer joined without an agent. */
  agent_id: orNull(text),
  product_id: text,
  quantity: integer,
  buyer_email: text,
  customer: text,
  status: oneOf<"WAITING" | "OFFERED" | "CONVERTED" | "EXPIRED" | "LEFT">(),
  created_at: time,
  offer_expires_at: later(time),
  /** The live payment attempt that is using the held bags. */
  attempt_id: later(text),
};

export const cancel_requests = {
  id: key(text),
  order_id: text,
  /** JSON of the shipments that it is about; null of earlier versions: the whole order. */
  shipment_ids: orNull(text),
  reason_code: text,
  message: orNull(text),
  status: oneOf<"REQUESTED" | "ACCEPTED" | "DECLINED" | "WITHDRAWN">(),
  created_at: time,
  decided_at: later(time),
  /** What the merchant said when deciding. */
  decision: later(text),
};

export const incidents = {
  id: key(text),
  kind: text,
  subject: text,
  detail: text,
  created_at: time,
};

/** Something that waits for a person at the desk. */
export const desk_tasks = {
  /** Of what called for it: the incident, message or cancellation's event. */
  id: key(text),
  /** REFUND: bags were canceled; whether money goes back is to be decided. */
  kind: oneOf<"INCIDENT" | "FEEDBACK" | "LEAD" | "REFUND">(),
  /** What it is about: the incident, the message, or the order to refund. */
  subject: text,
  created_at: time,
  handled_at: later(time),
  /** "cli" or "desk". */
  handled_by: later(text),
};

/** An internal note about an order: no agent and no buyer reads it. */
export const order_notes = {
  id: key(text),
  order_id: text,
  text: text,
  /** "cli" or "desk". */
  written_by: text,
  created_at: time,
};

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
export const outbox = {
  /** The kind and what it is about: the same thing is never told twice. */
  id: key(text),
  kind: oneOf<MailKind>(),
  order_id: orNull(text),
  /** The waitlist entry, lead or incident that it is about. */
  subject: orNull(text),
  /** JSON of the event that it tells. */
  data: text,
  created_at: time,
  /** When to try (again); null once sent or given up. */
  try_at: orNull(time),
  tries: integer,
  sent_at: later(time),
  error: later(text),
};

export const audit = {
  id: key(text),
  actor: text,
  act: text,
  subject: text,
  detail: text,
  at: time,
};

export const finder_keys = {
  key_hash: key(text),
  agent_id: text,
  created_at: time,
  expires_at: time,
  revoked_at: later(time),
};

/** A good question of an agent, once however it was worded. */
export const finder_credits = {
  agent_id: key(text),
  fingerprint: key(text),
  /** JSON of the credit. */
  credit: text,
  created_at: time,
};

export const feedback = {
  id: key(text),
  agent_id: text,
  order_id: orNull(text),
  message: text,
  created_at: time,
};

export const leads = {
  id: key(text),
  agent_id: text,
  email: text,
  purpose: text,
  quantity: orNull(text),
  organization: orNull(text),
  created_at: time,
};

export const webhooks = {
  id: key(text),
  type: text,
  api_version: orNull(text),
  livemode: integer,
  session_id: orNull(text),
  payment_ref: orNull(text),
  received_at: time,
  settled_at: orNull(time),
  tries: integer,
  /** When to try (again); null once settled or ignored. */
  try_at: orNull(time),
  error: orNull(text),
};

export const settings = { name: key(text), value: text };

/** What the sandbox's emulated provider remembers. Unused with a real provider. */
export const sandbox = {
  id: key(text),
  kind: text,
  body: text,
  version: integer,
  created_at: time,
};
