import type { Command } from "commander";
import { type CliEnvironment, list, verb } from "./command.ts";
import { table } from "./text.ts";

/** What there is to read: feedback, leads, incidents, and what the merchant did. */
export function listCommands(program: Command, world: CliEnvironment): void {
  const noun = (name: string, does: string) => program.command(name).description(does);
  list(noun("feedback", "Read what agents and buyers wrote."), world, {
    does: "Feedback, newest first.",
    rows: (admin, page) => admin.feedback.list(page),
    columns: [
      ["AT", (r) => r.created_at],
      ["AGENT", (r) => r.agent_id],
      ["ORDER", (r) => r.order_id],
      ["MESSAGE", (r) => r.message],
      ["ANSWERED", (r) => r.handled_at],
    ],
    none: "No feedback yet.",
    at: (row) => row.created_at,
  });
  list(noun("leads", "Read bulk leads."), world, {
    does: "Bulk leads, newest first.",
    rows: (admin, page) => admin.leads.list(page),
    columns: [
      ["AT", (r) => r.created_at],
      ["EMAIL", (r) => r.email],
      ["QUANTITY", (r) => r.quantity],
      ["ORGANIZATION", (r) => r.organization],
      ["PURPOSE", (r) => r.purpose],
      ["ANSWERED", (r) => r.handled_at],
    ],
    none: "No leads yet.",
    at: (row) => row.created_at,
  });
  list(noun("incidents", "Read what happened to money or stock."), world, {
    does: "Incidents, newest first.",
    rows: (admin, page) => admin.incidents.list(page),
    columns: [
      ["AT", (r) => r.created_at],
      ["KIND", (r) => r.kind],
      ["SUBJECT", (r) => r.subject],
      ["DETAIL", (r) => r.detail],
      ["HANDLED", (r) => r.handled_at],
    ],
    none: "No incidents.",
    at: (row) => row.created_at,
  });
  taskCommands(program, world);
  list(noun("audit", "Read what the merchant did."), world, {
    does: "Every act, newest first.",
    rows: (admin, page) => admin.audit.list(page),
    columns: [
      ["AT", (r) => r.at],
      ["BY", (r) => r.actor],
      ["ACT", (r) => r.act],
      ["SUBJECT", (r) => r.subject],
      ["DETAIL", (r) => JSON.stringify(r.detail)],
    ],
    none: "Nothing done yet.",
    at: (row) => row.at,
  });
}

/** What waits for a person, whatever it is, under the id that ends the waiting. */
function taskCommands(program: Command, world: CliEnvironment): void {
  const tasks = program.command("tasks").description("What waits until somebody has handled it.");
  verb(tasks, world, {
    usage: "list",
    does: "Refunds to decide, disputes, messages and incidents, the longest waiting first.",
    act: (admin) => admin.tasks.waiting(),
    text: ({ refunds, disputes, messages, incidents }) =>
      table(
        [
          ...refunds.rows.map((r) => ["REFUND", r.id, r.since, r.order_id] as const),
          ...disputes.map((d) => ["DISPUTE", d.id, d.respond_by, d.order_id] as const),
          ...messages.rows.map((m) => ["MESSAGE", m.id, m.created_at, m.text] as const),
          ...incidents.rows.map((i) => ["INCIDENT", i.id, i.created_at, i.detail] as const),
        ],
        [
          ["KIND", ([kind]) => kind],
          ["TASK", ([, id]) => id],
          ["SINCE, OR UNTIL", ([, , at]) => at],
          ["ABOUT", ([, , , about]) => about],
        ],
        "Nothing waits.",
      ),
  });
  verb(tasks, world, {
    usage: "handled <id>",
    does: "Somebody has seen to it; of a refund: no money goes back.",
    act: (admin, [id]) => admin.tasks.handle(id!),
    text: ({ handled_at }) => `Handled at ${handled_at}\n`,
  });
}
