/** Rows of agents, quotes, payments and orders; what rows are in general says `records.ts`. */
export interface AgentRow {
  id: string;
  name: string;
  contact_email: string;
  key_hash: string;
  key_prefix: string;
  created_at: number;
  revoked_at: number | null;
  /** The newest order's created_at, so that the next one is later (contract §5). */
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
  review_token_hash: string;
  buyer_email: string;
  /** Canonical email: who the courtesy counts for. */
  customer: string;
  /** SHA-256 of the quick-checkout page that it was made on; null for an agent's. */
  cart: string | null;
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
  /** Bags that exist. */
  on_hand: number;
  /** Of these, bags held by live payment attempts and waitlist offers. */
  held: number;
  /** Fewer free bags than this are told at the desk; null for the usual number. */
  low_at: number | null;
  /** The catalog's version that last changed how this bean is sold; 0 where none was written down. */
  catalog_version: number;
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
   * heard of), REPLACED (by a newer one), or why its money went back: PAID_TWICE, WRONG_AMOUNT,
   * PAID_TOO_LATE.
   */
  outcome: string | null;
  /** 1 where the buyer's last try on its page was declined, as far as the provider has told. */
  declined: number;
  session_id: string | null;
  payment_ref: string | null;
  url: string | null;
  created_at: number;
  /** The hosted session's end. */
  expires_at: number;
  /** Bags and courtesy are held until then, then they are free even if nothing is known yet. */
  hold_until: number;
  /** JSON Hold[]; "[]" once let go or used. */
  holds: string;
  /** Canonical email of the quote; null once the attempt is over. */
  customer: string | null;
  /** Who may take this attempt's place: the quote's agent or cart. */
  payer: string | null;
  /** A pseudonym of the client address that pressed pay; null once the attempt is over. */
  address: string | null;
  /** When the reconciler should ask the provider next; null where there is nothing left to ask. */
  check_at: number | null;
}

export interface OrderRow {
  id: string;
  /** Unique: one order per quote. */
  quote_id: string;
  /** What people call it, counted up by the shop; null on an order that an older version made. */
  number: number | null;
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

export interface ShipmentRow {
  id: string;
  order_id: string;
  /** Which of the terms' shipments this is, from 0. */
  position: number;
  status: ShipmentStatus;
  /** JSON of the address where it was changed after the sale; null for that of the terms. */
  address: string | null;
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
