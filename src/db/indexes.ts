import { type SQL, sql } from "drizzle-orm";
import type { TableName, Tables } from "../core/records.ts";

/** Conditions of partial indexes. A query uses the index only if it repeats the condition literally. */
const LIVE_ATTEMPT = sql`status in ('CREATING', 'OPEN', 'PROCESSING', 'CAPTURING')`;
/** Attempts that are an order of their page, or become one. */
const ORDER_OF_PAGE = sql`page is not null and status in ('CAPTURING', 'PAID')`;
export const IN_QUEUE = sql`status in ('WAITING', 'OFFERED')`;
export const WAITING = sql`status = 'WAITING'`;
/** Entries that are offered bags. Strangers can make any number of unconfirmed ones. */
export const CONFIRMED = sql`status = 'WAITING' and confirmed_at is not null`;
const CONFIRMED_LIVE = sql`status in ('WAITING', 'OFFERED') and confirmed_at is not null`;
export const WAITLIST_ENDED = sql`status in ('LEFT', 'EXPIRED')`;
/** Quotes of a checkout, and those that replace an earlier one. */
const FROM_CART = sql`cart is not null`;
/** Agents whose key was never used. */
export const KEY_UNUSED = sql`first_used_at = 0`;
/** A customer about whom nothing is stored. */
export const CUSTOMER_EMPTY = sql`paid_orders = 0 and courtesy is null`;

export interface Index<C extends string = string> {
  columns: readonly C[];
  unique: boolean;
  /** Rows of a partial index. */
  where?: SQL;
}

const on = <C extends string>(...columns: C[]): Index<C> => ({ columns, unique: false });

const unique = <C extends string>(...columns: C[]): Index<C> => ({ columns, unique: true });

const where = <C extends string>(rows: SQL, index: Index<C>): Index<C> => ({
  ...index,
  where: rows,
});

const REQUESTED = sql`status = 'REQUESTED'`;
export const OPEN = sql`status = 'OPEN'`;
/** Refunds of money that must not be kept: one per payment, of the whole amount. */
const BY_ITSELF = sql`reason not in ('MERCHANT', 'OUTSIDE')`;
const UNHANDLED = sql`handled_at is null`;

/** Indexes of both engines. `newest` of `agents` is named `agents_newest`. */
export const INDEXES: {
  [N in TableName]?: Record<string, Index<keyof Tables[N] & string>>;
} = {
  idempotency: { expiry: on("expires_at") },
  rate_limits: { expiry: on("ends_at") },
  agents: {
    key_hash: unique("key_hash"),
    newest: on("created_at", "id"),
    unused: where(KEY_UNUSED, on("created_at")),
  },
  finder_keys: {
    agent: on("agent_id"),
    expiry: on("expires_at"),
  },
  finder_credits: { age: on("created_at") },
  quotes: {
    expiry: on("expires_at", "id"),
    cart: where(FROM_CART, on("cart")),
    customer: on("customer", "id"),
  },
  checkouts: {
    name: unique("name"),
    page: unique("page"),
    order: unique("order_id"),
    expiry: on("expires_at"),
  },
  attempts: {
    one_live: where(LIVE_ATTEMPT, unique("quote_id")),
    session: unique("session_id"),
    quote: on("quote_id"),
    payment: on("payment_ref"),
    check: on("check_at"),
    customer: on("customer"),
    wish: on("wish"),
    page: on("page"),
    one_order_of_page: where(ORDER_OF_PAGE, unique("page")),
  },
  orders: {
    quote: unique("quote_id"),
    number: unique("number"),
    page: unique("agent_id", "created_at"),
    buyer: on("agent_id", "buyer_email", "created_at"),
    newest: on("created_at"),
    email: on("buyer_email", "created_at"),
    status: on("status", "created_at", "id"),
  },
  shipments: {
    order: unique("order_id", "position"),
    tracking: on("tracking_key"),
    step: on("step_at"),
  },
  events: { id: unique("id") },
  cancel_requests: {
    one_open: where(REQUESTED, unique("order_id")),
    status: on("status", "created_at"),
    order: on("order_id"),
    newest: on("created_at", "id"),
  },
  customers: { empty: where(CUSTOMER_EMPTY, on("email")) },
  waitlist: {
    one_waiting: where(WAITING, unique("agent_id", "product_id", "customer")),
    confirmed: where(CONFIRMED, on("product_id", "created_at", "id")),
    one_confirmed: where(CONFIRMED_LIVE, unique("product_id", "customer")),
    queue: on("product_id", "status", "created_at", "id"),
    offer: on("offer_expires_at"),
    ended: where(WAITLIST_ENDED, on("created_at")),
    newest: on("created_at", "id"),
    live: where(IN_QUEUE, on("product_id", "created_at", "id")),
    wanted: where(WAITING, on("product_id", "quantity")),
    buyer: on("agent_id", "customer", "status"),
    customer: on("customer", "product_id", "status"),
  },
  refunds: {
    by_itself_once: where(BY_ITSELF, unique("payment_ref")),
    provider_ref: unique("provider_ref"),
    payment: on("payment_ref"),
    order: on("order_id"),
    due: on("try_at"),
  },
  disputes: {
    payment: on("payment_ref"),
    order: on("order_id"),
    open: where(OPEN, on("due_by")),
  },
  ledger: {
    order: on("order_id"),
    oldest: on("at", "id"),
  },
  incidents: {
    newest: on("created_at"),
    subject: on("subject"),
  },
  desk_tasks: {
    open: where(UNHANDLED, on("kind", "created_at", "id")),
    subject: on("subject"),
    age: on("created_at"),
  },
  order_notes: { order: on("order_id") },
  audit: { newest: on("at") },
  outbox: {
    try: on("try_at"),
    newest: on("created_at", "id"),
    order: on("order_id"),
    subject: on("subject"),
  },
  feedback: { newest: on("created_at") },
  leads: { newest: on("created_at") },
  webhooks: {
    try: on("try_at"),
    age: on("received_at"),
  },
  sandbox: { kind: on("kind", "created_at") },
};
