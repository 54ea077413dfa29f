import type { Admin } from "../../../merchant/merchant.ts";
import { humanStatus, shopMoment } from "../../pages/format.ts";
import { html, type Markup, type Renderable } from "../../pages/html.ts";
import type { PageOfList } from "../paging.ts";
import { actForm } from "./act-form.ts";
import { type Column, code, type DeskPage, listPage } from "./frame.ts";

type Incident = Awaited<ReturnType<Admin["incidents"]["list"]>>[number];

export const incidentsPage = (list: PageOfList<Incident>): DeskPage =>
  listPage(list, {
    place: "incidents",
    lede: "What happened to money or stock that a person should look at.",
    caption: "Incidents, newest first",
    empty: "Nothing has gone wrong.",
    columns: [...incidentColumns, { name: "Handled", cell: (row) => handling(row, "Handled") }],
  });

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
        "inline-form cluster",
      )
    : html`<span class="hint">${label} ${
        row.handled_by === "cli" ? "on the command line" : "at the desk"
      }, ${shopMoment(row.handled_at)}</span>`;

/** An order has a page to look at. */
export const subject = (id: string): Renderable =>
  id.startsWith("ord_") ? html`<a href="/desk/orders/${id}">${code(id)}</a>` : code(id);
