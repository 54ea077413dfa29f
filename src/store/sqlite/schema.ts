import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type {
  AttemptStatus,
  CancelRequestRow,
  CustomerRow,
  OrderRow,
  OrderStatus,
  RefundRow,
  ShipmentStatus,
  StoredQuoteStatus,
  WaitlistRow,
} from "../../domain/records.ts";

/** The tables of SQLite. What each column means stands in domain/records.ts; the twin for the other
 * engine must say the same, which a test checks. */
const LIVE = sql`status in ('CREATING', 'OPEN', 'PROCESSING')`;
const WAITING = sql`status = 'WAITING'`;
const REQUESTED = sql`status = 'REQUESTED'`;

export const idempotency = sqliteTable(
  "idempotency",
  {
    scope: text("scope").notNull(),
    key_hash: text("key_hash").notNull(),
    request_hash: text("request_hash").notNull(),
    reply: text("reply").notNull(),
    expires_at: integer("expires_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.key_hash] }),
    index("idempotency_expiry").on(t.expires_at),
  ],
);

export const settings = sqliteTable("settings", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});

export const agents = sqliteTable(
  "agents",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    contact_email: text("contact_email").notNull(),
    key_hash: text("key_hash").notNull(),
    key_prefix: text("key_prefix").notNull(),
    created_at: integer("created_at").notNull(),
    revoked_at: integer("revoked_at"),
    last_order_at: integer("last_order_at").notNull(),
  },
  (t) => [uniqueIndex("agents_key_hash").on(t.key_hash)],
);

export const finder_keys = sqliteTable(
  "finder_keys",
  {
    key_hash: text("key_hash").primaryKey(),
    agent_id: text("agent_id").notNull(),
    created_at: integer("created_at").notNull(),
    expires_at: integer("expires_at").notNull(),
    revoked_at: integer("revoked_at"),
  },
  (t) => [index("finder_keys_agent").on(t.agent_id)],
);

export const finder_credits = sqliteTable(
  "finder_credits",
  {
    agent_id: text("agent_id").notNull(),
    fingerprint: text("fingerprint").notNull(),
    credit: text("credit").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.agent_id, t.fingerprint] })],
);

export const quotes = sqliteTable(
  "quotes",
  {
    id: text("id").primaryKey(),
    agent_id: text("agent_id"),
    quote_hash: text("quote_hash").notNull(),
    terms: text("terms").notNull(),
    review_hash: text("review_hash").notNull(),
    buyer_email: text("buyer_email").notNull(),
    customer: text("customer").notNull(),
    total_minor: integer("total_minor").notNull(),
    created_at: integer("created_at").notNull(),
    expires_at: integer("expires_at").notNull(),
  },
  (t) => [uniqueIndex("quotes_review_hash").on(t.review_hash)],
);

export const quote_states = sqliteTable("quote_states", {
  quote_id: text("quote_id").primaryKey(),
  status: text("status").$type<StoredQuoteStatus>().notNull(),
  reason: text("reason"),
  order_id: text("order_id"),
  paying_until: integer("paying_until"),
  short: text("short"),
  updated_at: integer("updated_at").notNull(),
});

export const attempts = sqliteTable(
  "attempts",
  {
    id: text("id").primaryKey(),
    quote_id: text("quote_id").notNull(),
    status: text("status").$type<AttemptStatus>().notNull(),
    outcome: text("outcome"),
    session_id: text("session_id"),
    payment_ref: text("payment_ref"),
    url: text("url"),
    created_at: integer("created_at").notNull(),
    expires_at: integer("expires_at").notNull(),
    hold_until: integer("hold_until").notNull(),
    holds: text("holds").notNull(),
    courtesy: integer("courtesy").notNull(),
    check_at: integer("check_at"),
  },
  (t) => [
    uniqueIndex("attempts_one_live").on(t.quote_id).where(LIVE),
    uniqueIndex("attempts_session").on(t.session_id),
    index("attempts_quote").on(t.quote_id),
    index("attempts_payment").on(t.payment_ref),
    index("attempts_check").on(t.check_at),
  ],
);

export const orders = sqliteTable(
  "orders",
  {
    id: text("id").primaryKey(),
    quote_id: text("quote_id").notNull(),
    agent_id: text("agent_id"),
    attempt_id: text("attempt_id").notNull(),
    buyer_email: text("buyer_email").notNull(),
    status: text("status").$type<OrderStatus>().notNull(),
    created_at: integer("created_at").notNull(),
    payment_status: text("payment_status").$type<OrderRow["payment_status"]>().notNull(),
    payment_method: text("payment_method").notNull(),
    payment_ref: text("payment_ref").notNull(),
    payment_mode: text("payment_mode").notNull(),
    amount_minor: integer("amount_minor").notNull(),
    refunded_minor: integer("refunded_minor").notNull(),
    paid_at: integer("paid_at").notNull(),
    last_sequence: integer("last_sequence").notNull(),
  },
  (t) => [
    uniqueIndex("orders_quote").on(t.quote_id),
    uniqueIndex("orders_page").on(t.agent_id, t.created_at),
    index("orders_buyer").on(t.agent_id, t.buyer_email, t.created_at),
    index("orders_newest").on(t.created_at),
  ],
);

export const shipments = sqliteTable(
  "shipments",
  {
    id: text("id").primaryKey(),
    order_id: text("order_id").notNull(),
    position: integer("position").notNull(),
    status: text("status").$type<ShipmentStatus>().notNull(),
    carrier: text("carrier"),
    tracking_number: text("tracking_number"),
    tracking_url: text("tracking_url"),
    shipped_at: integer("shipped_at"),
    delivered_at: integer("delivered_at"),
  },
  (t) => [uniqueIndex("shipments_order").on(t.order_id, t.position)],
);

export const events = sqliteTable(
  "events",
  {
    order_id: text("order_id").notNull(),
    sequence: integer("sequence").notNull(),
    id: text("id").notNull(),
    type: text("type").notNull(),
    occurred_at: integer("occurred_at").notNull(),
    order_status: text("order_status").$type<OrderStatus>().notNull(),
    data: text("data").notNull(),
  },
  (t) => [primaryKey({ columns: [t.order_id, t.sequence] }), uniqueIndex("events_id").on(t.id)],
);

export const cancel_requests = sqliteTable(
  "cancel_requests",
  {
    id: text("id").primaryKey(),
    order_id: text("order_id").notNull(),
    reason_code: text("reason_code").notNull(),
    message: text("message"),
    status: text("status").$type<CancelRequestRow["status"]>().notNull(),
    created_at: integer("created_at").notNull(),
    decided_at: integer("decided_at"),
    decision: text("decision"),
  },
  (t) => [
    uniqueIndex("cancel_requests_one_open").on(t.order_id).where(REQUESTED),
    index("cancel_requests_status").on(t.status, t.created_at),
  ],
);

export const customers = sqliteTable("customers", {
  email: text("email").primaryKey(),
  paid_orders: integer("paid_orders").notNull(),
  courtesy: text("courtesy").$type<NonNullable<CustomerRow["courtesy"]>>(),
  courtesy_attempt: text("courtesy_attempt"),
});

export const stock = sqliteTable("stock", {
  product_id: text("product_id").primaryKey(),
  on_hand: integer("on_hand").notNull(),
  held: integer("held").notNull(),
});

export const waitlist = sqliteTable(
  "waitlist",
  {
    id: text("id").primaryKey(),
    agent_id: text("agent_id").notNull(),
    product_id: text("product_id").notNull(),
    quantity: integer("quantity").notNull(),
    buyer_email: text("buyer_email").notNull(),
    customer: text("customer").notNull(),
    status: text("status").$type<WaitlistRow["status"]>().notNull(),
    created_at: integer("created_at").notNull(),
    offer_expires_at: integer("offer_expires_at"),
    attempt_id: text("attempt_id"),
  },
  (t) => [
    uniqueIndex("waitlist_one_waiting").on(t.agent_id, t.product_id, t.customer).where(WAITING),
    index("waitlist_queue").on(t.product_id, t.status, t.created_at, t.id),
    index("waitlist_offer").on(t.offer_expires_at),
    index("waitlist_buyer").on(t.agent_id, t.customer, t.status),
  ],
);

export const refunds = sqliteTable(
  "refunds",
  {
    id: text("id").primaryKey(),
    attempt_id: text("attempt_id").notNull(),
    order_id: text("order_id"),
    payment_ref: text("payment_ref").notNull(),
    amount_minor: integer("amount_minor").notNull(),
    reason: text("reason").notNull(),
    status: text("status").$type<RefundRow["status"]>().notNull(),
    created_at: integer("created_at").notNull(),
    done_at: integer("done_at"),
  },
  (t) => [
    uniqueIndex("refunds_once").on(t.payment_ref, t.reason),
    index("refunds_status").on(t.status, t.created_at),
  ],
);

export const incidents = sqliteTable(
  "incidents",
  {
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    subject: text("subject").notNull(),
    detail: text("detail").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (t) => [index("incidents_newest").on(t.created_at), index("incidents_subject").on(t.subject)],
);

export const audit = sqliteTable(
  "audit",
  {
    id: text("id").primaryKey(),
    actor: text("actor").notNull(),
    act: text("act").notNull(),
    subject: text("subject").notNull(),
    detail: text("detail").notNull(),
    at: integer("at").notNull(),
  },
  (t) => [index("audit_newest").on(t.at)],
);

export const feedback = sqliteTable(
  "feedback",
  {
    id: text("id").primaryKey(),
    agent_id: text("agent_id").notNull(),
    order_id: text("order_id"),
    message: text("message").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (t) => [index("feedback_newest").on(t.created_at)],
);

export const leads = sqliteTable(
  "leads",
  {
    id: text("id").primaryKey(),
    agent_id: text("agent_id").notNull(),
    email: text("email").notNull(),
    purpose: text("purpose").notNull(),
    quantity: text("quantity"),
    organization: text("organization"),
    created_at: integer("created_at").notNull(),
  },
  (t) => [index("leads_newest").on(t.created_at)],
);

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    api_version: text("api_version"),
    livemode: integer("livemode").notNull(),
    session_id: text("session_id"),
    payment_ref: text("payment_ref"),
    received_at: integer("received_at").notNull(),
    settled_at: integer("settled_at"),
    tries: integer("tries").notNull(),
    try_at: integer("try_at"),
    error: text("error"),
  },
  (t) => [index("webhooks_try").on(t.try_at)],
);

export const sandbox = sqliteTable(
  "sandbox",
  {
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    body: text("body").notNull(),
    version: integer("version").notNull(),
    created_at: integer("created_at").notNull(),
  },
  (t) => [index("sandbox_kind").on(t.kind, t.created_at)],
);
