import type { Admin } from "../../merchant/merchant.ts";
import { money, shopMoment } from "../pages/format.ts";
import { html, type Markup } from "../pages/html.ts";
import { actForm } from "./forms.ts";
import { section, theirs } from "./frame.ts";
import { handleButton } from "./incidents.ts";
import { orderLink } from "./order-parts.ts";
import { type DeskAction, seenIn } from "./route.ts";

type Returns = Awaited<ReturnType<Admin["tasks"]["waiting"]>>["returns"];

/** Shipments that came back: each is sent again, refunded, or neither. */
export const returns = ({ rows }: Returns): Markup | null =>
  section(["returns", "Came back", "Shipments that came back, oldest first"], rows, [
    { name: "Order", cell: (row) => orderLink(row) },
    { name: "Came back", cell: (row) => shopMoment(row.since) },
    {
      name: "Went to",
      cell: ({ address }) =>
        html`${theirs(address.name)}, ${theirs(`${address.city}, ${address.region}`)}`,
    },
    {
      name: "Decide",
      cell: (row) => html`<div class="cluster">
        <a class="button small" href="/desk/orders/${row.order_id}">Send it again…</a>
        ${returnButtons(row)}</div>`,
    },
  ]);

/** What becomes of it where it is not sent again. */
export const returnButtons = (row: Returns["rows"][number]): Markup =>
  html`${
    row.refund_minor > 0 &&
    actForm(
      "refund-returned",
      { shipment: row.shipment_id, seen: String(row.refundable_minor) },
      html`<button class="small quiet" type="submit">Refund ${money(row.refund_minor)}</button>`,
      "inline-form cluster",
    )
  }
    ${handleButton(row, "Nothing to do")}`;

export const RETURN_ACTS: Record<string, DeskAction> = {
  "refund-returned": {
    do: (admin, fields) => admin.shipments.refund(fields("shipment"), seenIn(fields)),
    done: "The refund of what came back is written down. What becomes of it stands with its order.",
  },
};
