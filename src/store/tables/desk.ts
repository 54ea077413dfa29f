/** What the merchant looks at, and what providers told. Columns: domain/records.ts. */
import { sql } from "drizzle-orm";
import type { DeskTaskRow, MailKind } from "../../domain/shared/records.ts";
import type { Kit } from "../sqlite/kit.ts";

const UNHANDLED = sql`handled_at is null`;

const incidents = ({ table, text, long, index }: Kit) =>
  table(
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

const desk_tasks = ({ table, text, long, index }: Kit) =>
  table(
    "desk_tasks",
    {
      id: text("id").primaryKey(),
      kind: text("kind").$type<DeskTaskRow["kind"]>().notNull(),
      subject: text("subject").notNull(),
      created_at: long("created_at").notNull(),
      handled_at: long("handled_at"),
      handled_by: text("handled_by"),
    },
    (t) => [
      index("desk_tasks_open").on(t.kind, t.created_at, t.id).where(UNHANDLED),
      index("desk_tasks_subject").on(t.subject),
      index("desk_tasks_age").on(t.created_at),
    ],
  );

const order_notes = ({ table, text, long, index }: Kit) =>
  table(
    "order_notes",
    {
      id: text("id").primaryKey(),
      order_id: text("order_id").notNull(),
      text: text("text").notNull(),
      written_by: text("written_by").notNull(),
      created_at: long("created_at").notNull(),
    },
    (t) => [index("order_notes_order").on(t.order_id)],
  );

const outbox = ({ table, text, integer, long, index }: Kit) =>
  table(
    "outbox",
    {
      id: text("id").primaryKey(),
      kind: text("kind").$type<MailKind>().notNull(),
      order_id: text("order_id"),
      subject: text("subject"),
      data: text("data").notNull(),
      created_at: long("created_at").notNull(),
      try_at: long("try_at"),
      tries: integer("tries").notNull(),
      sent_at: long("sent_at"),
      error: text("error"),
    },
    (t) => [
      index("outbox_try").on(t.try_at),
      index("outbox_newest").on(t.created_at, t.id),
      index("outbox_order").on(t.order_id),
    ],
  );

const audit = ({ table, text, long, index }: Kit) =>
  table(
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

const feedback = ({ table, text, long, index }: Kit) =>
  table(
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

const leads = ({ table, text, long, index }: Kit) =>
  table(
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

const webhooks = ({ table, text, integer, long, index }: Kit) =>
  table(
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
    (t) => [index("webhooks_try").on(t.try_at), index("webhooks_age").on(t.received_at)],
  );

const sandbox = ({ table, text, integer, long, index }: Kit) =>
  table(
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

export const deskTables = (kit: Kit) => ({
  incidents: incidents(kit),
  desk_tasks: desk_tasks(kit),
  order_notes: order_notes(kit),
  audit: audit(kit),
  outbox: outbox(kit),
  feedback: feedback(kit),
  leads: leads(kit),
  webhooks: webhooks(kit),
  sandbox: sandbox(kit),
});
