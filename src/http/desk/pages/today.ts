import { MOST_COUNTED } from "../../../domain/shared/counting.ts";
import { html, type Markup } from "../../pages/html.ts";
import type { DeskPage } from "./frame.ts";
import { type StockLine, type WantedBags, wantedOf } from "./stock.ts";
import {
  disputes,
  firstSteps,
  incidents,
  lowStock,
  messages,
  refunds,
  requests,
  type Tasks,
  type WaitingCounts,
} from "./today-sections.ts";

export interface TodayView {
  waiting: WaitingCounts;
  tasks: Tasks;
  stock: readonly StockLine[];
  wanted: readonly WantedBags[];
  /** Whether letters go out. */
  sending: boolean;
}

/** What waits for the merchant, each number leading to it. */
export function todayPage(view: TodayView): DeskPage {
  const { waiting, tasks, stock, wanted } = view;
  const low = stock.filter((row) => row.low || wantedOf(wanted, row.product_id) > 0);
  return {
    place: "",
    body: html`${waiting.any ? null : firstSteps(view.sending)}
    <ul class="trays tiles">
      ${taskCard(waiting.roast, "to roast", "roast")}
      ${taskCard(waiting.ship, "to ship", "ship")}
      ${taskCard(waiting.asking, "asking to cancel", waiting.asking > 0 ? "#requests" : "orders")}
      ${taskCard(tasks.refunds.count, "to refund", "#refunds")}
      ${taskCard(tasks.disputes.length, "disputed", "#disputes")}
      ${taskCard(tasks.messages.count, "to answer", "#messages")}
      ${taskCard(tasks.incidents.count, tasks.incidents.count === 1 ? "incident" : "incidents", "#incidents")}
      ${taskCard(low.length, low.length === 1 ? "bean running low" : "beans running low", "stock")}
      ${taskCard(waiting.underway, "under way", "orders?show=underway", false)}
    </ul>
    ${disputes(tasks)}
    ${requests(waiting)}
    ${refunds(tasks)}
    ${messages(tasks)}
    ${incidents(tasks)}
    ${lowStock(low, wanted)}`,
  };
}

/** Marked while something in it waits for a hand; where nothing does, the number leads nowhere. */
function taskCard(count: number, what: string, to: string, wants = true): Markup {
  const number = html`<b>${count < MOST_COUNTED ? count : `${MOST_COUNTED - 1}+`}</b> ${what}`;
  if (to.startsWith("#") && count === 0) return html`<li><span class="tray">${number}</span></li>`;
  const href = to.startsWith("#") ? to : `/desk/${to}`;
  return html`<li><a class="tray${wants && count > 0 ? " tray-full" : ""}" href="${href}">${number}</a></li>`;
}
