/** Who asks, and what was offered to them. Columns: domain/records.ts. */
import type { StoredQuoteStatus } from "../../domain/shared/records.ts";
import type { Kit } from "../sqlite/kit.ts";

const idempotency = ({ table, text, long, index, primaryKey }: Kit) =>
  table(
    "idempotency",
    {
      scope: text("scope").notNull(),
      key_hash: text("key_hash").notNull(),
      request_hash: text("request_hash").notNull(),
      reply: text("reply").notNull(),
      expires_at: long("expires_at").notNull(),
    },
    (t) => [
      primaryKey({ columns: [t.scope, t.key_hash] }),
      index("idempotency_expiry").on(t.expires_at),
    ],
  );

const settings = ({ table, text }: Kit) =>
  table("settings", {
    name: text("name").primaryKey(),
    value: text("value").notNull(),
  });

const agents = ({ table, text, long, index, uniqueIndex }: Kit) =>
  table(
    "agents",
    {
      id: text("id").primaryKey(),
      name: text("name").notNull(),
      contact_email: text("contact_email").notNull(),
      key_hash: text("key_hash").notNull(),
      key_prefix: text("key_prefix").notNull(),
      created_at: long("created_at").notNull(),
      revoked_at: long("revoked_at"),
      last_order_at: long("last_order_at").notNull(),
    },
    (t) => [
      uniqueIndex("agents_key_hash").on(t.key_hash),
      index("agents_newest").on(t.created_at, t.id),
    ],
  );

const finder_keys = ({ table, text, long, index }: Kit) =>
  table(
    "finder_keys",
    {
      key_hash: text("key_hash").primaryKey(),
      agent_id: text("agent_id").notNull(),
      created_at: long("created_at").notNull(),
      expires_at: long("expires_at").notNull(),
      revoked_at: long("revoked_at"),
    },
    (t) => [
      index("finder_keys_agent").on(t.agent_id),
      index("finder_keys_expiry").on(t.expires_at),
    ],
  );

const finder_credits = ({ table, text, long, index, primaryKey }: Kit) =>
  table(
    "finder_credits",
    {
      agent_id: text("agent_id").notNull(),
      fingerprint: text("fingerprint").notNull(),
      credit: text("credit").notNull(),
      created_at: long("created_at").notNull(),
    },
    (t) => [
      primaryKey({ columns: [t.agent_id, t.fingerprint] }),
      index("finder_credits_age").on(t.created_at),
    ],
  );

const quotes = ({ table, text, long, index, uniqueIndex }: Kit) =>
  table(
    "quotes",
    {
      id: text("id").primaryKey(),
      agent_id: text("agent_id"),
      quote_hash: text("quote_hash").notNull(),
      terms: text("terms").notNull(),
      review_token_hash: text("review_token_hash").notNull(),
      buyer_email: text("buyer_email").notNull(),
      customer: text("customer").notNull(),
      cart: text("cart"),
      total_minor: long("total_minor").notNull(),
      created_at: long("created_at").notNull(),
      expires_at: long("expires_at").notNull(),
    },
    (t) => [
      uniqueIndex("quotes_review_token_hash").on(t.review_token_hash),
      index("quotes_expiry").on(t.expires_at, t.id),
    ],
  );

const quote_states = ({ table, text, long }: Kit) =>
  table("quote_states", {
    quote_id: text("quote_id").primaryKey(),
    status: text("status").$type<StoredQuoteStatus>().notNull(),
    reason: text("reason"),
    order_id: text("order_id"),
    paying_until: long("paying_until"),
    short: text("short"),
    updated_at: long("updated_at").notNull(),
  });

export const quoteTables = (kit: Kit) => ({
  idempotency: idempotency(kit),
  settings: settings(kit),
  agents: agents(kit),
  finder_keys: finder_keys(kit),
  finder_credits: finder_credits(kit),
  quotes: quotes(kit),
  quote_states: quote_states(kit),
});
