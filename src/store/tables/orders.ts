/** What is paid, held, shipped and given back. Columns: domain/records.ts. */
import { sql } from "drizzle-orm";
import type {
  AttemptStatus,
  CancelRequestRow,
  CustomerRow,
  DisputeRow,
  OrderRow,
  OrderStatus,
  RefundRow,
  ShipmentStatus,
  WaitlistRow,
} from "../../domain/shared/records.ts";
import type { Kit } from "../sqlite/kit.ts";

const LIVE = sql`status in ('CREATING', 'OPEN', 'PROCESSING')`;
const EMPTY = sql`paid_orders = 0 and courtesy is null`;
const ENDED = sql`status in ('LEFT', 'EXPIRED')`;
const IN_QUEUE = sql`status in ('WAITING', 'OFFERED')`;
const WAITING = sql`status = 'WAITING'`;
const REQUESTED = sql`status = 'REQUESTED'`;
/** Money that must not be kept: refunded once, as a whole. */
const BY_ITSELF = sql`reason not in ('MERCHANT', 'OUTSIDE')`;

const attempts = ({ table, text, integer, long, index, uniqueIndex }: Kit) =>
  table(
    "attempts",
    {
      id: text("id").primaryKey(),
      quote_id: text("quote_id").notNull(),
      status: text("status").$type<AttemptStatus>().notNull(),
      outcome: text("outcome"),
      session_id: text("session_id"),
      payment_ref: text("payment_ref"),
      url: text("url"),
      created_at: long("created_at").notNull(),
      expires_at: long("expires_at").notNull(),
      hold_until: long("hold_until").notNull(),
      holds: text("holds").notNull(),
      courtesy: integer("courtesy").notNull(),
      customer: text("customer"),
      payer: text("payer"),
      address: text("address"),
      check_at: long("check_at"),
    },
    (t) => [
      uniqueIndex("attempts_one_live").on(t.quote_id).where(LIVE),
      uniqueIndex("attempts_session").on(t.session_id),
      index("attempts_quote").on(t.quote_id),
      index("attempts_payment").on(t.payment_ref),
      index("attempts_check").on(t.check_at),
      index("attempts_customer").on(t.customer),
      index("attempts_payer").on(t.payer),
      index("attempts_address").on(t.address),
      index("attempts_holding").on(t.hold_until).where(LIVE),
    ],
  );

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
      index("orders_status").on(t.status, t.created_at, t.id),
    ],
  );

const shipments = ({ table, text, integer, long, uniqueIndex }: Kit) =>
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
    (t) => [uniqueIndex("shipments_order").on(t.order_id, t.position)],
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

const customers = ({ table, text, integer, index }: Kit) =>
  table(
    "customers",
    {
      email: text("email").primaryKey(),
      paid_orders: integer("paid_orders").notNull(),
      courtesy: text("courtesy").$type<NonNullable<CustomerRow["courtesy"]>>(),
      courtesy_attempt: text("courtesy_attempt"),
    },
    (t) => [index("customers_empty").on(t.email).where(EMPTY)],
  );

const stock = ({ table, text, integer }: Kit) =>
  table("stock", {
    product_id: text("product_id").primaryKey(),
    on_hand: integer("on_hand").notNull(),
    held: integer("held").notNull(),
  });

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

const refunds = ({ table, text, integer, long, index, uniqueIndex }: Kit) =>
  table(
    "refunds",
    {
      id: text("id").primaryKey(),
      attempt_id: text("attempt_id").notNull(),
      order_id: text("order_id"),
      payment_ref: text("payment_ref").notNull(),
      amount_minor: long("amount_minor").notNull(),
      reason: text("reason").$type<RefundRow["reason"]>().notNull(),
      status: text("status").$type<RefundRow["status"]>().notNull(),
      provider_ref: text("provider_ref"),
      key_number: integer("key_number").notNull().default(1),
      tries: integer("tries").notNull().default(0),
      try_at: long("try_at"),
      problem: text("problem"),
      created_at: long("created_at").notNull(),
      done_at: long("done_at"),
    },
    (t) => [
      uniqueIndex("refunds_by_itself_once").on(t.payment_ref).where(BY_ITSELF),
      uniqueIndex("refunds_provider_ref").on(t.provider_ref),
      index("refunds_payment").on(t.payment_ref),
      index("refunds_order").on(t.order_id),
      index("refunds_due").on(t.try_at),
    ],
  );

const disputes = ({ table, text, long, index }: Kit) =>
  table(
    "disputes",
    {
      id: text("id").primaryKey(),
      attempt_id: text("attempt_id").notNull(),
      order_id: text("order_id"),
      payment_ref: text("payment_ref").notNull(),
      amount_minor: long("amount_minor").notNull(),
      reason: text("reason").notNull(),
      status: text("status").$type<DisputeRow["status"]>().notNull(),
      created_at: long("created_at").notNull(),
      due_by: long("due_by"),
      closed_at: long("closed_at"),
    },
    (t) => [index("disputes_payment").on(t.payment_ref), index("disputes_order").on(t.order_id)],
  );

export const orderTables = (kit: Kit) => ({
  attempts: attempts(kit),
  orders: orders(kit),
  shipments: shipments(kit),
  events: events(kit),
  cancel_requests: cancel_requests(kit),
  customers: customers(kit),
  stock: stock(kit),
  waitlist: waitlist(kit),
  refunds: refunds(kit),
  disputes: disputes(kit),
});
