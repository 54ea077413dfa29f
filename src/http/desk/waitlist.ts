import { bags } from "../../domain/shared/bags.ts";
import { hours, TIMES } from "../../domain/shared/policy.ts";
import type { Admin } from "../../merchant/merchant.ts";
import { beanCell } from "../pages/bean-view.ts";
import { humanStatus, shopMoment } from "../pages/format.ts";
import { html, type Renderable } from "../pages/html.ts";
import { theirs } from "./frame.ts";
import { firstInTurn, listPage } from "./list.ts";
import type { DeskRoute } from "./route.ts";

type QueueRow = Awaited<ReturnType<Admin["waitlist"]["list"]>>[number];

export const waitlist: DeskRoute = {
  place: "waitlist",
  show: async ({ req, admin }) =>
    listPage(await firstInTurn(req, admin.waitlist.list), {
      lede: html`First come, first served per bean. <a href="/desk/stock">Set the stock</a>, and free bags
      are offered to the next in turn for ${hours(TIMES.waitlist_offer_ms)}.`,
      caption: "Who waits, in turn",
      empty: "The waitlist is empty.",
      columns: [
        { name: "Bean", cell: beanCell },
        { name: "Place", number: true, cell: (row) => row.position ?? "–" },
        { name: "Wants", cell: (row) => bags(row.quantity) },
        { name: "Status", cell: status },
        { name: "Buyer", cell: (row) => theirs(row.buyer.email) },
        { name: "Since", cell: (row) => shopMoment(row.created_at) },
      ],
      rest: "Next",
    }),
};

const status = (
  row: QueueRow,
): Renderable => html`<span class="chip">${humanStatus(row.status)}</span>
    ${row.offer_expires_at && html`until ${shopMoment(row.offer_expires_at)}`}`;
