/** What the merchant looks at, and what providers told. Columns: domain/records.ts. */
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { long } from "./long.ts";

export const incidents = pgTable(
  "incidents",
  {
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    subject: text("subject").notNull(),
    detail: text("detail").notNull(),
    created_at: long("created_at").notNull(),
  },
  (t) => [index("incidents_newest").on(t.created_at), index("incidents_subject").on(t.subject)],
);

export const audit = pgTable(
  "audit",
  {
    id: text("id").primaryKey(),
    actor: text("actor").notNull(),
    act: text("act").notNull(),
    subject: text("subject").notNull(),
    detail: text("detail").notNull(),
    at: long("at").notNull(),
  },
  (t) => [index("audit_newest").on(t.at)],
);

export const feedback = pgTable(
  "feedback",
  {
    id: text("id").primaryKey(),
    agent_id: text("agent_id").notNull(),
    order_id: text("order_id"),
    message: text("message").notNull(),
    created_at: long("created_at").notNull(),
  },
  (t) => [index("feedback_newest").on(t.created_at)],
);

export const leads = pgTable(
  "leads",
  {
    id: text("id").primaryKey(),
    agent_id: text("agent_id").notNull(),
    email: text("email").notNull(),
    purpose: text("purpose").notNull(),
    quantity: text("quantity"),
    organization: text("organization"),
    created_at: long("created_at").notNull(),
  },
  (t) => [index("leads_newest").on(t.created_at)],
);

export const webhooks = pgTable(
  "webhooks",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    api_version: text("api_version"),
    livemode: integer("livemode").notNull(),
    session_id: text("session_id"),
    payment_ref: text("payment_ref"),
    received_at: long("received_at").notNull(),
    settled_at: long("settled_at"),
    tries: integer("tries").notNull(),
    try_at: long("try_at"),
    error: text("error"),
  },
  (t) => [index("webhooks_try").on(t.try_at)],
);

export const sandbox = pgTable(
  "sandbox",
  {
    id: text("id").primaryKey(),
    kind: text("kind").notNull(),
    body: text("body").notNull(),
    version: integer("version").notNull(),
    created_at: long("created_at").notNull(),
  },
  (t) => [index("sandbox_kind").on(t.kind, t.created_at)],
);
