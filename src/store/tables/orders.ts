/** What is sold, shipped and waited for. Columns: domain/records.ts. */
import { sql } from "drizzle-orm";
import type {
  CancelRequestRow,
  OrderRow,
  OrderStatus,
  ShipmentStatus,
  WaitlistRow,
} from "../../domain/shared/records.ts";
import type { Kit } from "../sqlite/kit.ts";

const ENDED = sql`status in ('LEFT', 'EXPIRED')`;
const IN_QUEUE = sql`status in ('WAITING', 'OFFERED')`;
const WAITING = sql`status = 'WAITING'`;
const REQUESTED = sql`status = 'REQUESTED'`;

const orders = ({ table, text, integer, long, index, uniqueIndex }: Kit) =>
  table(
    "orders",
    {
      id: text("id").primaryKey(),
      quote_id: text("quote_id").notNull(),
      number: integer("number"),
      agent_id: text("agent_id"),
      attempt_id: text("attempt_id").notNull(),
      buyer_email: text("buyer_email").notNull(),
      status: text("status").$type<OrderStatus>().notNull(),
      created_at: long("created_at").notNull(),
      payment_status: text("payment_status").$type<OrderRow["payment_status"]>().notNull(),
      payment_method: text("payment_method").notNull(),
      payment_ref: text("payment_ref").notNull(),
      payment_mode: text("payment_mode").notNull(),
      amount_minor: long("amount_minor").notNull(),
      refunded_minor: long("refunded_minor").notNull(),
      paid_at: long("paid_at").notNull(),
      last_sequence: integer("last_sequence").notNull(),
    },
    (t) => [
      uniqueIndex("orders_quote").on(t.quote_id),
      uniqueIndex("orders_number").on(t.number),
      uniqueIndex("orders_page").on(t.agent_id, t.created_at),
      index("orders_buyer").on(t.agent_id, t.buyer_email, t.created_at),
      index("orders_newest").on(t.created_at),
      index("orders_email").on(t.buyer_email, t.created_at),
      index("orders_status").on(t.status, t.created_at, t.id),
    ],
  );

const shipments = ({ table, text, integer, long, index, uniqueIndex }: Kit) =>
  table(
    "shipments",
    {
      id: text("id").primaryKey(),
      order_id: text("order_id").notNull(),
      position: integer("position").notNull(),
      status: text("status").$type<ShipmentStatus>().notNull(),
      address: text("address"),
      carrier: text("carrier"),
      tracking_number: text("tracking_number"),
      tracking_url: text("tracking_url"),
      shipped_at: long("shipped_at"),
      delivered_at: long("delivered_at"),
    },
    (t) => [
      uniqueIndex("shipments_order").on(t.order_id, t.position),
      index("shipments_tracking").on(t.tracking_number),
    ],
  );

const events = ({ table, text, integer, long, uniqueIndex, primaryKey }: Kit) =>
  table(
    "events",
    {
      order_id: text("order_id").notNull(),
      sequence: integer("sequence").notNull(),
      id: text("id").notNull(),
      type: text("type").notNull(),
      occurred_at: long("occurred_at").notNull(),
      order_status: text("order_status").$type<OrderStatus>().notNull(),
      data: text("data").notNull(),
    },
    (t) => [primaryKey({ columns: [t.order_id, t.sequence] }), uniqueIndex("events_id").on(t.id)],
  );

const cancel_requests = ({ table, text, long, index, uniqueIndex }: Kit) =>
  table(
    "cancel_requests",
    {
      id: text("id").primaryKey(),
      order_id: text("order_id").notNull(),
      shipment_ids: text("shipment_ids"),
      reason_code: text("reason_code").notNull(),
      message: text("message"),
      status: text("status").$type<CancelRequestRow["status"]>().notNull(),
      created_at: long("created_at").notNull(),
      decided_at: long("decided_at"),
      decision: text("decision"),
    },
    (t) => [
      uniqueIndex("cancel_requests_one_open").on(t.order_id).where(REQUESTED),
      index("cancel_requests_status").on(t.status, t.created_at),
      index("cancel_requests_order").on(t.order_id),
      index("cancel_requests_newest").on(t.created_at, t.id),
    ],
  );

const waitlist = ({ table, text, integer, long, index, uniqueIndex }: Kit) =>
  table(
    "waitlist",
    {
      id: text("id").primaryKey(),
      agent_id: text("agent_id"),
      product_id: text("product_id").notNull(),
      quantity: integer("quantity").notNull(),
      buyer_email: text("buyer_email").notNull(),
      customer: text("customer").notNull(),
      status: text("status").$type<WaitlistRow["status"]>().notNull(),
      created_at: long("created_at").notNull(),
      offer_expires_at: long("offer_expires_at"),
      attempt_id: text("attempt_id"),
    },
    (t) => [
      uniqueIndex("waitlist_one_waiting").on(t.agent_id, t.product_id, t.customer).where(WAITING),
      index("waitlist_queue").on(t.product_id, t.status, t.created_at, t.id),
      index("waitlist_offer").on(t.offer_expires_at),
      index("waitlist_ended").on(t.created_at).where(ENDED),
      index("waitlist_newest").on(t.created_at, t.id),
      index("waitlist_live").on(t.product_id, t.created_at, t.id).where(IN_QUEUE),
      index("waitlist_wanted").on(t.product_id, t.quantity).where(WAITING),
      index("waitlist_buyer").on(t.agent_id, t.customer, t.status),
      index("waitlist_customer").on(t.customer, t.product_id, t.status),
    ],
  );

export const orderTables = (kit: Kit) => ({
  orders: orders(kit),
  shipments: shipments(kit),
  events: events(kit),
  cancel_requests: cancel_requests(kit),
  waitlist: waitlist(kit),
});
