import { integer, key, later, minor, oneOf, orNull, text, time, withDefault } from "./columns.ts";

/** Replaces an erased person's email, name, address and words. The database triggers know it. */
export const ERASED = "erased";

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

/** Who asks to cancel: an agent speaks for its buyer, and buyers for themselves. */
export const ASKERS = ["AGENT", "BUYER"] as const;

export type Asker = (typeof ASKERS)[number];

/** Rows of orders, of stock and of those who wait for it. */
export const SALE_TABLES = {
  orders: {
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
    last_sequence: integer,
  },

  shipments: {
    id: key(text),
    order_id: text,
    /** Which of the terms' shipments this is, from 0. */
    position: integer,
    status: oneOf<ShipmentStatus>(),
    /** JSON of the address where it was changed after the sale; null for that of the terms. */
    address: later(text),
    carrier: later(text),
    tracking_number: later(text),
    /** What the number is found by, however it is typed: see `trackingKey`. */
    tracking_key: later(text),
    tracking_url: later(text),
    shipped_at: later(time),
    delivered_at: later(time),
  },

  events: {
    order_id: key(text),
    sequence: key(integer),
    id: text,
    type: text,
    occurred_at: time,
    order_status: oneOf<OrderStatus>(),
    data: text,
  },

  cancel_requests: {
    id: key(text),
    order_id: text,
    /** JSON of the shipments that it is about; null of earlier versions: the whole order. */
    shipment_ids: orNull(text),
    /** Null of earlier versions: the agent. */
    asked_by: orNull(oneOf<Asker>()),
    reason_code: text,
    message: orNull(text),
    status: oneOf<"REQUESTED" | "ACCEPTED" | "DECLINED" | "WITHDRAWN">(),
    created_at: time,
    decided_at: later(time),
    /** What the merchant said when deciding. */
    decision: later(text),
  },

  /** One per canonical email. */
  customers: {
    email: key(text),
    paid_orders: integer,
    courtesy: later(oneOf<"RESERVED" | "REDEEMED">()),
    /** The attempt that reserved or redeemed it. */
    courtesy_attempt: later(text),
  },

  /** A bean of the catalog. One that was ever published is never deleted: orders name it. */
  beans: {
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
  },

  stock: {
    product_id: key(text),
    /** Bags that exist. */
    on_hand: integer,
    /** Of these, bags held by live payment attempts and waitlist offers. */
    held: integer,
    /** Fewer free bags than this are told at the desk; null for the usual number. */
    low_at: later(integer),
    /** Bags of an unpaid hold that ended: until then they are for everybody, after that for the waitlist. */
    offers_from: later(time),
    /** The catalog's version that last changed how this bean is sold; 0 where none was written down. */
    catalog_version: withDefault(integer, 0),
  },

  waitlist: {
    id: key(text),
    /** Null where a buyer joined without an agent. */
    agent_id: orNull(text),
    product_id: text,
    quantity: integer,
    buyer_email: text,
    customer: text,
    /** A pseudonym of the client network that joined; null where none is counted. */
    address: later(text),
    status: oneOf<"WAITING" | "OFFERED" | "CONVERTED" | "EXPIRED" | "LEFT">(),
    created_at: time,
    /** The last day on which somebody looked at the place; null before the first. */
    renewed_at: later(time),
    /** When the link in the first letter was used. */
    confirmed_at: later(time),
    offer_expires_at: later(time),
    /** The live payment attempt that is using the held bags. */
    attempt_id: later(text),
  },
};
