import { integer, key, later, minor, oneOf, orNull, text, time, withDefault } from "./columns.ts";

export type MailKind =
  | "RECEIPT"
  | "SHIPPED"
  | "DELIVERED"
  | "FAILED"
  | "RETURNED"
  | "TRACKING_CORRECTED"
  | "ADDRESS_CHANGED"
  | "CANCELED"
  | "REFUNDED"
  | "REFUND_FAILED"
  | "NOT_ORDERED"
  | "WAITLIST_JOINED"
  | "WAITLIST_OFFER"
  | "NEW_ORDER"
  | "CANCEL_REQUEST"
  | "CANCEL_RECEIVED"
  | "CANCEL_WITHDRAWN"
  | "CANCEL_DECLINED"
  | "CANCELED_IN_PART"
  | "FEEDBACK"
  | "BULK_LEAD"
  | "INCIDENT";

/** Rows of what follows a sale, and of what surrounds it: refunds, the desk's work, letters, messages. */
export const SERVICE_TABLES = {
  /** One refund of one payment. Its state is the provider's word, never worked out from totals. */
  refunds: {
    /** Ours; of one made at the provider itself, the provider's. */
    id: key(text),
    attempt_id: text,
    order_id: orNull(text),
    payment_ref: text,
    amount_minor: minor,
    /**
     * The merchant gives it, somebody gave it at the provider itself (OUTSIDE), or it must not be kept. Of
     * the last kind a payment has one at most.
     */
    reason: oneOf<"MERCHANT" | "OUTSIDE" | "PAID_TWICE" | "WRONG_AMOUNT" | "PAID_TOO_LATE">(),
    /**
     * PENDING: to be made, or under way at the provider. FAILED: the money is still here and an incident
     * says so; a refund that was DONE can still fail. CANCELED: not made, since so much was not left to return.
     */
    status: oneOf<"PENDING" | "DONE" | "FAILED" | "CANCELED">(),
    /** The provider's id; null until it is known to have it. */
    provider_ref: later(text),
    /** Which idempotency key is in use, from 1: one that the provider failed under is of no more use. */
    key_number: withDefault(integer, 1),
    /** How often it was asked for without being made. */
    tries: withDefault(integer, 0),
    /** When to ask for it (again); null once the provider has it, or never will. */
    try_at: orNull(time),
    /** Why it waits or failed, as the provider says; null where there is nothing to say. */
    problem: later(text),
    created_at: time,
    /** When it came to its present end; null while it is PENDING. */
    done_at: later(time),
  },

  /** The buyer's bank takes a payment back, or tries to. */
  disputes: {
    /** The provider's. */
    id: key(text),
    attempt_id: text,
    order_id: orNull(text),
    payment_ref: text,
    amount_minor: minor,
    /** The provider's word: "fraudulent", "product_not_received", … */
    reason: text,
    status: oneOf<"OPEN" | "WON" | "LOST">(),
    created_at: time,
    /** Until when the merchant can answer it at the provider; null where that is over. */
    due_by: orNull(time),
    closed_at: orNull(time),
  },

  incidents: {
    id: key(text),
    kind: text,
    subject: text,
    detail: text,
    created_at: time,
  },

  /** Something that waits for a person at the desk. */
  desk_tasks: {
    /** Of what called for it: the incident, the message, or the event of a cancellation or a return. */
    id: key(text),
    /**
     * REFUND: bags were canceled; whether money goes back is to be decided. FAILURE: a shipment could not
     * be delivered; what is next for it. RETURN: it came back; whether it is sent again, refunded or neither.
     */
    kind: oneOf<"INCIDENT" | "FEEDBACK" | "LEAD" | "REFUND" | "FAILURE" | "RETURN">(),
    /** What it is about: the incident, the message, the order to refund, or the shipment. */
    subject: text,
    created_at: time,
    handled_at: later(time),
    /** "cli" or "desk". */
    handled_by: later(text),
  },

  /** An internal note about an order: no agent and no buyer reads it. */
  order_notes: {
    id: key(text),
    order_id: text,
    text: text,
    /** "cli" or "desk". */
    written_by: text,
    created_at: time,
  },

  audit: {
    id: key(text),
    actor: text,
    act: text,
    subject: text,
    detail: text,
    at: time,
  },

  /** A letter that is to go out, by what it tells; its text is made when it is sent. */
  outbox: {
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
  },

  feedback: {
    id: key(text),
    agent_id: text,
    order_id: orNull(text),
    message: text,
    created_at: time,
  },

  leads: {
    id: key(text),
    agent_id: text,
    email: text,
    purpose: text,
    quantity: orNull(text),
    organization: orNull(text),
    created_at: time,
  },

  webhooks: {
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
  },

  /** What the sandbox's emulated provider remembers. Unused with a real provider. */
  sandbox: {
    id: key(text),
    kind: text,
    body: text,
    version: integer,
    created_at: time,
  },

  /**
   * Locked last: a retry that waits for its target meanwhile finds here what the first one was answered,
   * and is not refused for what that has done.
   */
  idempotency: {
    scope: key(text),
    key_hash: key(text),
    request_hash: text,
    /** JSON of the part of the answer from which the rest is found again, or that may change. */
    reply: text,
    expires_at: time,
  },
};
