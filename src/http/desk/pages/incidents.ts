import type { Admin } from "../../../merchant/merchant.ts";
import { humanStatus, moment } from "../../pages/format.ts";
import { html, type Markup, type Renderable } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import type { PageOfList } from "../paging.ts";
import { code, deskPage, head, older, records } from "./frame.ts";

export type Incident = Awaited<ReturnType<Admin["incidents"]["list"]>>[number];

export interface IncidentsView {
  mode: PaymentMode;
  list: PageOfList<Incident>;
}

export function incidentsPage({ mode, list }: IncidentsView): string {
  return deskPage({
    mode,
    title: "Incidents",
    place: "incidents",
    body: html`${head("Incidents", "What happened to money or stock that a person should look at.")}
    ${list.rows.length > 0 ? incidentTable(list.rows) : html`<p>Nothing has gone wrong.</p>`}
    ${older(list)}`,
  });
}

export const incidentTable = (rows: readonly Incident[]): Markup =>
  records("Incidents, newest first", rows, [
    { name: "What", cell: (row) => humanStatus(row.kind) },
    { name: "When", cell: (row) => moment(row.created_at) },
    { name: "Detail", cell: (row) => row.detail },
    { name: "About", cell: (row) => subject(row.subject) },
  ]);

/** An order has a page to look at. */
export const subject = (id: string): Renderable =>
  id.startsWith("ord_") ? html`<a href="/desk/orders/${id}">${code(id)}</a>` : code(id);
