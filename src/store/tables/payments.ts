/** What is paid, held and refunded. Columns: domain/records.ts. */
import { sql } from "drizzle-orm";
import type {
  AttemptStatus,
  CustomerRow,
  DisputeRow,
  RefundRow,
} from "../../domain/shared/records.ts";
import type { Kit } from "../sqlite/kit.ts";

const LIVE = sql`status in ('CREATING', 'OPEN', 'PROCESSING')`;
const EMPTY = sql`paid_orders = 0 and courtesy is null`;
const OPEN = sql`status = 'OPEN'`;
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
      declined: integer("declined").notNull().default(0),
      session_id: text("session_id"),
      payment_ref: text("payment_ref"),
      url: text("url"),
      created_at: long("created_at").notNull(),
      expires_at: long("expires_at").notNull(),
      hold_until: long("hold_until").notNull(),
      holds: text("holds").notNull(),
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
    (t) => [
      index("disputes_payment").on(t.payment_ref),
      index("disputes_order").on(t.order_id),
      index("disputes_open").on(t.due_by).where(OPEN),
    ],
  );

export const paymentTables = (kit: Kit) => ({
  attempts: attempts(kit),
  customers: customers(kit),
  refunds: refunds(kit),
  disputes: disputes(kit),
});
