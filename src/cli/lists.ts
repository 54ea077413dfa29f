import { sum } from "../core/money.ts";
import { days } from "../core/time.ts";
import type { Admin } from "../merchant/merchant.ts";
import { type Commands, list, verb } from "./command.ts";
import { askedBy, table } from "./text.ts";

type Stopped = Awaited<ReturnType<Admin["tasks"]["waiting"]>>["returns"]["rows"][number];

const stopped = ({ id, since, order_id, shipment_id }: Stopped) =>
  [id, since, `${order_id}, ${shipment_id}`] as const;

/** What there is to read: feedback, leads, incidents, what waits, and what the merchant did. */
export const LISTS: Commands = {
  "feedback list": list({
    does: "Feedback, newest first.",
    rows: (admin: Admin) => admin.feedback.list,
    columns: {
      AT: "created_at",
      AGENT: "agent_id",
      EMAIL: "agent_email",
      NUMBER: "number",
      ORDER: "order_id",
      MESSAGE: "message",
      ANSWERED: "handled_at",
    },
    none: "No feedback yet.",
  }),
  "leads list": list({
    does: "Bulk leads, newest first.",
    rows: (admin: Admin) => admin.leads.list,
    columns: {
      AT: "created_at",
      AGENT: "agent_id",
      "AGENT EMAIL": "agent_email",
      EMAIL: "email",
      QUANTITY: "quantity",
      ORGANIZATION: "organization",
      PURPOSE: "purpose",
      ANSWERED: "handled_at",
    },
    none: "No leads yet.",
  }),
  "incidents list": list({
    does: "Incidents, newest first.",
    rows: (admin: Admin) => admin.incidents.list,
    columns: {
      AT: "created_at",
      KIND: "kind",
      SUBJECT: "subject",
      DETAIL: "detail",
      HANDLED: "handled_at",
    },
    none: "No incidents.",
  }),
  /** What waits for a person, whatever it is, under the id that ends the waiting. */
  "tasks list": verb({
    does: "Cancel requests, refunds and what was not delivered or came back to decide, orders that are late to leave, disputes, messages and incidents, the longest waiting first.",
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
          ...requests.rows.map(
            (r) => ["CANCEL REQUEST", r.id, r.created_at, `${r.order_id}, ${askedBy(r)}`] as const,
          ),
          ...late.rows.map(
            (o) => ["LATE", o.id, o.latest, `${days(o.days_late)} past its estimate`] as const,
          ),
          ...refunds.rows.map((r) => ["REFUND", r.id, r.since, r.order_id] as const),
          ...failures.rows.map((r) => ["NOT DELIVERED", ...stopped(r)] as const),
          ...returns.rows.map((r) => ["CAME BACK", ...stopped(r)] as const),
          ...disputes.map((d) => ["DISPUTE", d.id, d.respond_by, d.order_id] as const),
          ...messages.rows.map((m) => ["MESSAGE", m.id, m.created_at, m.text] as const),
          ...incidents.rows.map((i) => ["INCIDENT", i.id, i.created_at, i.detail] as const),
        ],
        { KIND: 0, TASK: 1, "SINCE, OR UNTIL": 2, ABOUT: 3 },
        "Nothing waits.",
      );
      const lists = [requests, late, refunds, failures, returns, messages, incidents];
      const more = sum(lists.map(({ count, rows }) => count - rows.length));
      return more > 0 ? `${shown}And ${more} more, once some of these are handled.\n` : shown;
    },
  }),
  "tasks handled <id>": verb({
    does: "Somebody has seen to a message or an incident; of a refund: no money goes back; of a shipment: nothing is to be done.",
    act: (admin, [id]) => admin.tasks.handle({ task_id: id }),
    text: ({ handled_at }) => `Handled at ${handled_at}\n`,
  }),
  "audit list": list({
    does: "Every act, newest first.",
    rows: (admin: Admin) => admin.audit.list,
    columns: {
      AT: "at",
      BY: "actor",
      ACT: "act",
      SUBJECT: "subject",
      DETAIL: (r) => JSON.stringify(r.detail),
    },
    none: "Nothing done yet.",
  }),
};
