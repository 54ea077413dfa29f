import type { Admin } from "../merchant/merchant.ts";
import { humanStatus, shopMoment } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { actForm } from "./forms.ts";
import { type Column, code } from "./frame.ts";
import { listPage, newestFirst } from "./list-page.ts";
import { orderLink } from "./order-parts.ts";
import type { DeskAction, DeskRoute } from "./route.ts";

type Incident = Awaited<ReturnType<Admin["incidents"]["list"]>>[number];

/** Of whatever waits for a person: somebody has seen to it. */
export const HANDLE: DeskAction = {
  do: (admin, fields) => admin.tasks.handle({ task_id: fields("task") }),
  done: "Handled. It can be looked up, with when and where it was.",
};

export const incidents: DeskRoute = {
  place: "incidents",
  show: async ({ req, admin }) =>
    listPage(await newestFirst(req, admin.incidents.list), {
      lede: "What happened to money or stock that a person should look at.",
      caption: "Incidents, newest first",
      empty: "Nothing has gone wrong.",
      columns: [...incidentColumns, { name: "Handled", cell: (row) => handling(row, "Handled") }],
    }),
  acts: { handle: HANDLE },
};

type IncidentFacts = Pick<Incident, "kind" | "created_at" | "detail" | "subject" | "number">;

export const incidentColumns: readonly Column<IncidentFacts>[] = [
  { name: "What", cell: (row) => humanStatus(row.kind) },
  { name: "When", cell: (row) => shopMoment(row.created_at) },
  // The provider's ids are long words.
  { name: "Detail", cell: (row) => html`<span class="breakable">${row.detail}</span>` },
  {
    name: "About",
    cell: ({ subject: id, number }) => (number ? orderLink({ order_id: id, number }) : subject(id)),
  },
];

/** Whether somebody has seen to it, and when; else the button that says so. */
export const handling = (
  row: Pick<Incident, "id" | "handled_at" | "handled_by">,
  label: string,
): Markup =>
  row.handled_at === null
    ? handleButton(row, `Mark ${label.toLowerCase()}`)
    : html`<span class="hint">${label} ${
        row.handled_by === "cli" ? "on the command line" : "at the desk"
      }, ${shopMoment(row.handled_at)}</span>`;

export const handleButton = ({ id }: { id: string }, label: string): Markup =>
  actForm(
    "handle",
    { task: id },
    html`<button class="small quiet" type="submit">${label}</button>`,
    "inline-form cluster",
  );

/** An order has a page to look at. */
export const subject = (id: string): Renderable =>
  id.startsWith("ord_") ? html`<a href="/desk/orders/${id}">${code(id)}</a>` : code(id);
