/** What the merchant looks at, and what providers told. Columns: domain/records.ts. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
