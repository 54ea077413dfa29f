import { sum } from "../core/money.ts";
import { days } from "../core/time.ts";
import { AUDIT_COLUMNS, INCIDENT_COLUMNS } from "../merchant/list-columns.ts";
import type { Admin } from "../merchant/merchant.ts";
import { type Commands, list, verb } from "./command.ts";
import { askedBy, table } from "./text.ts";

type Stopped = Awaited<ReturnType<Admin["tasks"]["waiting"]>>["returns"]["rows"][number];

const task = (kind: string, task: string, since_or_until: string | null, about: string | null) => ({
  kind,
  task,
  since_or_until,
  about,
});

const stopped = (kind: string, { id, since, order_id, shipment_id }: Stopped) =>
  task(kind, id, since, `${order_id}, ${shipment_id}`);

/** Feedback, leads, incidents, tasks and the audit log. */
export const LISTS: Commands = {
  "feedback list": list({
    does: "Feedback, newest first.",
    rows: (admin: Admin) => admin.feedback.list,
    columns: [
      "created_at",
      "agent_id",
      "agent_email",
      "number",
      "order_id",
      "message",
      "handled_at",
    ],
    none: "No feedback yet.",
  }),
  "leads list": list({
    does: "Bulk leads, newest first.",
    rows: (admin: Admin) => admin.leads.list,
    columns: [
      "created_at",
      "agent_id",
      "agent_email",
      "email",
      "quantity",
      "organization",
      "purpose",
      "handled_at",
    ],
    none: "No leads yet.",
  }),
  "incidents list": list({
    does: "Incidents, newest first.",
    rows: (admin: Admin) => admin.incidents.list,
    columns: [...INCIDENT_COLUMNS, "handled_at"],
    none: "No incidents.",
  }),
  "tasks list": verb({
    does: "Cancel requests, overdue orders, refunds, failed and returned shipments, disputes, messages and incidents, longest waiting first.",
    act: async (admin) => {
      const [{ asking, requests, late }, tasks] = await Promise.all([
        admin.views.waiting(),
        admin.tasks.waiting(),
      ]);
      return { ...tasks, late, requests: { count: asking, rows: requests } };
    },
    text: ({ requests, late, refunds, failures, returns, disputes, messages, incidents }) => {
      const shown = table(
        [
          ...requests.rows.map((r) =>
            task("CANCEL REQUEST", r.id, r.created_at, `${r.order_id}, ${askedBy(r)}`),
          ),
          ...late.rows.map((o) =>
            task("LATE", o.id, o.latest, `${days(o.days_late)} past its estimate`),
          ),
          ...refunds.rows.map((r) => task("REFUND", r.id, r.since, r.order_id)),
          ...failures.rows.map((r) => stopped("NOT DELIVERED", r)),
          ...returns.rows.map((r) => stopped("CAME BACK", r)),
          ...disputes.map((d) => task("DISPUTE", d.id, d.respond_by, d.order_id)),
          ...messages.rows.map((m) => task("MESSAGE", m.id, m.created_at, m.text)),
          ...incidents.rows.map((i) => task("INCIDENT", i.id, i.created_at, i.detail)),
        ],
        ["kind", "task", "since_or_until", "about"],
        "Nothing waits.",
      );
      const lists = [requests, late, refunds, failures, returns, messages, incidents];
      const more = sum(lists.map(({ count, rows }) => count - rows.length));
      return more > 0 ? `${shown}And ${more} more, once some of these are handled.\n` : shown;
    },
  }),
  "tasks handled <id>": verb({
    does: "Mark a task as handled. A refund task then means that no money goes back.",
    act: (admin, [id]) => admin.tasks.handle({ task_id: id }),
    text: ({ handled_at }) => `Handled at ${handled_at}\n`,
  }),
  "audit list": list({
    does: "Every act, newest first.",
    rows: (admin: Admin) => admin.audit.list,
    columns: AUDIT_COLUMNS,
    none: "No acts yet.",
  }),
};
