import type { Command } from "commander";
import { type CliEnvironment, olderLine, PAGE_OPTIONS, pageOf, verb } from "./command.ts";
import { table } from "./text.ts";

/** What there is to read: feedback, leads, incidents, and what the merchant did. */
export function listCommands(program: Command, world: CliEnvironment): void {
  const list = (noun: string, does: string) => program.command(noun).description(does);
  verb(list("feedback", "Read what agents and buyers wrote."), world, {
    usage: "list",
    does: "Feedback, newest first.",
    options: PAGE_OPTIONS,
    act: (admin, _words, options) => admin.feedback.list(pageOf(options)),
    text: (found, options) =>
      table(
        found,
        [
          ["AT", (r) => r.created_at],
          ["AGENT", (r) => r.agent_id],
          ["ORDER", (r) => r.order_id],
          ["MESSAGE", (r) => r.message],
        ],
        "No feedback yet.",
      ) + olderLine(found, options, (row) => row.created_at),
  });
  verb(list("leads", "Read bulk leads."), world, {
    usage: "list",
    does: "Bulk leads, newest first.",
    options: PAGE_OPTIONS,
    act: (admin, _words, options) => admin.leads.list(pageOf(options)),
    text: (found, options) =>
      table(
        found,
        [
          ["AT", (r) => r.created_at],
          ["EMAIL", (r) => r.email],
          ["QUANTITY", (r) => r.quantity],
          ["ORGANIZATION", (r) => r.organization],
          ["PURPOSE", (r) => r.purpose],
        ],
        "No leads yet.",
      ) + olderLine(found, options, (row) => row.created_at),
  });
  verb(list("incidents", "Read what happened to money or stock."), world, {
    usage: "list",
    does: "Incidents, newest first.",
    options: PAGE_OPTIONS,
    act: (admin, _words, options) => admin.incidents.list(pageOf(options)),
    text: (found, options) =>
      table(
        found,
        [
          ["AT", (r) => r.created_at],
          ["KIND", (r) => r.kind],
          ["SUBJECT", (r) => r.subject],
          ["DETAIL", (r) => r.detail],
        ],
        "No incidents.",
      ) + olderLine(found, options, (row) => row.created_at),
  });
  verb(list("audit", "Read what the merchant did."), world, {
    usage: "list",
    does: "Every act, newest first.",
    options: PAGE_OPTIONS,
    act: (admin, _words, options) => admin.audit.list(pageOf(options)),
    text: (found, options) =>
      table(
        found,
        [
          ["AT", (r) => r.at],
          ["BY", (r) => r.actor],
          ["ACT", (r) => r.act],
          ["SUBJECT", (r) => r.subject],
          ["DETAIL", (r) => JSON.stringify(r.detail)],
        ],
        "Nothing done yet.",
      ) + olderLine(found, options, (row) => row.at),
  });
}
