import { bags } from "../../../domain/shared/bags.ts";
import { hours, TIMES } from "../../../domain/shared/policy.ts";
import { beanCell } from "../../pages/bean-picture.ts";
import { humanStatus, shopMoment } from "../../pages/format.ts";
import { html, type Renderable } from "../../pages/html.ts";
import type { PaymentMode } from "../../pages/layout.ts";
import type { PageOfList } from "../paging.ts";
import { deskPage, head, older, records, theirs } from "./frame.ts";
import type { QueueRow } from "./stock.ts";

export interface WaitlistPageView {
  mode: PaymentMode;
  list: PageOfList<QueueRow>;
}

export function waitlistPage({ mode, list }: WaitlistPageView): string {
  return deskPage({
    mode,
    title: "Waitlist",
    place: "waitlist",
    body: html`${head(
      "Waitlist",
      html`First come, first served per bean. <a href="/desk/stock">Set the stock</a>, and free bags
      are offered to the next in turn for ${hours(TIMES.waitlist_offer_ms)}.`,
    )}
    ${list.rows.length > 0 ? table(list.rows) : html`<p>The waitlist is empty.</p>`}
    ${older(list, "Next")}`,
  });
}

const table = (rows: readonly QueueRow[]) =>
  records("Who waits, in turn", rows, [
    { name: "Bean", cell: beanCell },
    { name: "Place", number: true, cell: (row) => row.position ?? "–" },
    { name: "Wants", cell: (row) => bags(row.quantity) },
    { name: "Status", cell: status },
    { name: "Buyer", cell: (row) => theirs(row.buyer.email) },
    { name: "Since", cell: (row) => shopMoment(row.created_at) },
  ]);

const status = (
  row: QueueRow,
): Renderable => html`<span class="chip">${humanStatus(row.status)}</span>
    ${row.offer_expires_at ? html`until ${shopMoment(row.offer_expires_at)}` : null}`;
