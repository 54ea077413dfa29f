import { integer, key, later, minor, oneOf, orNull, text, time, withDefault } from "./columns.ts";

/** Rows of agents, quotes, orders and stock; what rows are in general says `records.ts`. */

export const agents = {
  id: key(text),
  name: text,
  contact_email: text,
  key_hash: text,
  key_prefix: text,
  created_at: time,
  revoked_at: later(time),
  /** The newest order's created_at, so that the next one is later (contract §5). */
  last_order_at: time,
};

/** The part of a quote that never changes: the database refuses UPDATE and DELETE here. */
export const quotes = {
  id: key(text),
  /** Null for a quote that a person made through quick checkout. */
  agent_id: orNull(text),
  quote_hash: text,
  /** RFC 8785 JSON: exactly the bytes that quote_hash is taken over. */
  terms: text,
  /** SHA-256 of a review link that does not name the quote, as older versions made them; or "". */
  review_token_hash: text,
  buyer_email: text,
  /** Canonical email: who the courtesy counts for. */
  customer: text,
  /** SHA-256 of the quick-checkout page that it was made on; null for an agent's. */
  cart: orNull(text),
  total_minor: minor,
  created_at: time,
  expires_at: time,
};

/** The part of a quote that moves. */
export const quote_states = {
  quote_id: key(text),
  status: oneOf<
    "OPEN" | "CHECKOUT_READY" | "PROCESSING" | "PAID" | "INVALIDATED" | "WAITLIST_OFFERED"
  >(),
  /** Why it was invalidated: a code, null otherwise. */
  reason: later(text),
  order_id: later(text),
  /** A payment begun in time is honoured until then; null where none is under way. */
  paying_until: later(time),
  /** JSON [{product_id, requested, available}] of a WAITLIST_OFFERED quote, null otherwise. */
  short: orNull(text),
  updated_at: time,
};

export const stock = {
  product_id: key(text),
  /** Bags that exist. */
  on_hand: integer,
  /** Of these, bags held by live payment attempts and waitlist offers. */
  held: integer,
  /** Fewer free bags than this are told at the desk; null for the usual number. */
  low_at: later(integer),
  /** The catalog's version that last changed how this bean is sold; 0 where none was written down. */
  catalog_version: withDefault(integer, 0),
};

export const orders = {
  id: key(text),
  /** Unique: one order per quote. */
  quote_id: text,
  /** What people call it, counted up by the shop; null on an order that an older version made. */
  number: orNull(integer),
  agent_id: orNull(text),
  attempt_id: text,
  buyer_email: text,
  status: oneOf<OrderStatus>(),
  created_at: time,
  payment_status: oneOf<"PAID" | "DISPUTED" | "REFUNDED">(),
  payment_method: text,
  payment_ref: text,
  payment_mode: text,
  amount_minor: minor,
  refunded_minor: minor,
  paid_at: time,
  /** The number of the newest event. */
  last_sequence: integer,
};

export const ORDER_STATUSES = [
  "CONFIRMED",
  "ROASTING",
  "PARTIALLY_SHIPPED",
  "SHIPPED",
  "COMPLETED",
  "CANCELED",
] as const;

export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const SHIPMENT_STATUSES = [
  "PENDING",
  "ROASTING",
  "SHIPPED",
  "IN_TRANSIT",
  "OUT_FOR_DELIVERY",
  "DELIVERED",
  "FAILED",
  "RETURNED",
  "CANCELED",
] as const;

export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number];

export const shipments = {
  id: key(text),
  order_id: text,
  /** Which of the terms' shipments this is, from 0. */
  position: integer,
  status: oneOf<ShipmentStatus>(),
  /** JSON of the address where it was changed after the sale; null for that of the terms. */
  address: later(text),
  carrier: later(text),
  tracking_number: later(text),
  tracking_url: later(text),
  shipped_at: later(time),
  delivered_at: later(time),
};

export const events = {
  order_id: key(text),
  sequence: key(integer),
  id: text,
  type: text,
  occurred_at: time,
  order_status: oneOf<OrderStatus>(),
  data: text,
};
