import type { Admin } from "../../merchant/merchant.ts";
import { money, shopMoment } from "../pages/format.ts";
import { html, type Renderable } from "../pages/html.ts";
import { code } from "./frame.ts";
import { subject } from "./incidents.ts";
import { listPage, newestFirst } from "./list.ts";
import type { DeskRoute } from "./route.ts";

type Entry = Awaited<ReturnType<Admin["audit"]["list"]>>[number];

export const log: DeskRoute = {
  place: "log",
  show: async ({ req, admin }) =>
    listPage(await newestFirst(req, admin.audit.list), {
      lede: "Every act of the merchant, here and on the command line, newest first.",
      caption: "Acts, newest first",
      empty: "Nothing done yet.",
      columns: [
        { name: "Act", cell: (row) => code(row.act) },
        { name: "When", cell: (row) => shopMoment(row.at) },
        { name: "By", cell: (row) => (row.actor === "cli" ? "command line" : row.actor) },
        { name: "About", cell: (row) => subject(row.subject) },
        { name: "Detail", cell: (row) => detail(row.detail) },
      ],
      short: true,
      foot: html`<form class="cluster" method="post" action="/desk/sign-out">
      <input type="hidden" name="everywhere" value="yes">
      <button class="quiet" type="submit">Sign out everywhere</button>
    </form>`,
    }),
};

const detail = (of: Entry["detail"]): Renderable =>
  Object.entries(of).map(([name, value]) => {
    const amount = name.endsWith("_minor") && typeof value === "number";
    const said = amount ? money(value) : subjectOrText(String(value));
    const called = name.replace(/_minor$/, "").replaceAll("_", " ");
    return html`<span class="breakable">${called}: ${said}</span><br>`;
  });

const subjectOrText = (value: string): Renderable => (isId(value) ? subject(value) : value);

const isId = (value: string): boolean => /^[a-z]{2,4}_[0-9a-f]{32}$/.test(value);
