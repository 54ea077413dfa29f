import type { Admin } from "../../../merchant/merchant.ts";
import { humanStatus, shopMoment } from "../../pages/format.ts";
import { html, type Markup, type Renderable } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import type { PageOfList } from "../paging.ts";
import {
  type ActionResult,
  actForm,
  type Column,
  code,
  deskPage,
  head,
  older,
  records,
} from "./frame.ts";

export type Incident = Awaited<ReturnType<Admin["incidents"]["list"]>>[number];

export interface IncidentsView {
  mode: PaymentMode;
  list: PageOfList<Incident>;
  said: ActionResult | undefined;
}

export function incidentsPage({ mode, list, said }: IncidentsView): string {
  return deskPage({
    mode,
    title: "Incidents",
    place: "incidents",
    said,
    body: html`${head("Incidents", "What happened to money or stock that a person should look at.")}
    ${
      list.rows.length === 0
        ? html`<p>Nothing has gone wrong.</p>`
        : records("Incidents, newest first", list.rows, [
            ...incidentColumns,
            { name: "Handled", cell: (row) => handling(row, "Handled") },
          ])
    }
    ${older(list)}`,
  });
}

type IncidentFacts = Pick<Incident, "kind" | "created_at" | "detail" | "subject">;

export const incidentColumns: readonly Column<IncidentFacts>[] = [
  { name: "What", cell: (row) => humanStatus(row.kind) },
  { name: "When", cell: (row) => shopMoment(row.created_at) },
  { name: "Detail", cell: (row) => row.detail },
  { name: "About", cell: (row) => subject(row.subject) },
];

/** Whether somebody has seen to it, and when; else the button that says so. */
export const handling = (
  row: Pick<Incident, "id" | "handled_at" | "handled_by">,
  label: string,
): Markup =>
  row.handled_at === null
    ? actForm(
        "handle",
        { task: row.id },
        html`<button class="small quiet" type="submit">${label}</button>`,
        "inline-form",
      )
    : html`<span class="hint">${label} ${
        row.handled_by === "cli" ? "on the command line" : "at the desk"
      }, ${shopMoment(row.handled_at)}</span>`;

/** An order has a page to look at. */
export const subject = (id: string): Renderable =>
  id.startsWith("ord_") ? html`<a href="/desk/orders/${id}">${code(id)}</a>` : code(id);
