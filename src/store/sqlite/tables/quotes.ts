/** Who asks, and what was offered to them. Columns: domain/records.ts. */
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { StoredQuoteStatus } from "../../../domain/shared/records.ts";

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
