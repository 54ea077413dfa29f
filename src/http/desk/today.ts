import { MOST_COUNTED } from "../../domain/shared/counting.ts";
import { whole } from "../body.ts";
import { html, type Markup } from "../pages/html.ts";
import { HANDLE } from "./incidents.ts";
import type { DeskRoute } from "./route.ts";
import { wantedOf } from "./stock.ts";
import { firstSteps, sections } from "./today-sections.ts";

/** What waits for a person, with the buttons that end the waiting. */
export const today: DeskRoute = {
  place: "",
  path: "/desk",
  async show({ merchant, admin }) {
    const [waiting, tasks, stock, wanted] = await Promise.all([
      admin.views.waiting(),
      admin.tasks.waiting(),
      admin.stock.list(),
      admin.waitlist.wanted(),
    ]);
    const low = stock.filter((row) => row.low || wantedOf(wanted, row.product_id) > 0);
    return {
      body: html`${waiting.any ? null : firstSteps(merchant.mail.sending)}
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
    ${sections(waiting, tasks, low, wanted)}`,
    };
  },
  acts: {
    handle: HANDLE,
    refund: {
      do: (admin, fields) => admin.orders.refund(fields("order"), null, whole(fields("seen"))),
      done: "The refund is written down. What becomes of it stands with its order.",
    },
  },
};

/** Marked while something in it waits for a hand; where nothing does, the number leads nowhere. */
function taskCard(count: number, what: string, to: string, wants = true): Markup {
  const number = html`<b>${count < MOST_COUNTED ? count : `${MOST_COUNTED - 1}+`}</b> ${what}`;
  if (to.startsWith("#") && count === 0) return html`<li><span class="tray">${number}</span></li>`;
  const href = to.startsWith("#") ? to : `/desk/${to}`;
  return html`<li><a class="tray${wants && count > 0 ? " tray-full" : ""}" href="${href}">${number}</a></li>`;
}
