import type { Admin } from "../merchant/merchant.ts";
import { money, shopMoment } from "../web/format.ts";
import { html, type Markup } from "../web/html.ts";
import { section, theirs } from "./frame.ts";
import { handleButton } from "./incidents.ts";
import { orderLink } from "./order-parts.ts";
import { refundPage } from "./refund.ts";

type Stopped = Awaited<ReturnType<Admin["tasks"]["waiting"]>>["returns"];

/** Shipments that could not be delivered: each is tried again, comes back, or is let be. */
export const failures = (stopped: Stopped): Markup | null =>
  stoppedSection(
    ["failures", "Not delivered", "Shipments that could not be delivered, oldest first"],
    stopped,
    {
      since: "Failed",
      decide: (
        row,
      ) => html`<a class="button small" href="/desk/orders/${row.order_id}">See its order…</a>
        ${handleButton(row, "Dismiss")}`,
    },
  );

/** Shipments that came back: each is sent again, refunded, or neither. */
export const returns = (stopped: Stopped): Markup | null =>
  stoppedSection(["returns", "Returned", "Shipments that came back, oldest first"], stopped, {
    since: "Returned",
    decide: (
      row,
    ) => html`${row.sendable && html`<a class="button small" href="/desk/orders/${row.order_id}">Send it again…</a>`}
        ${returnButtons(row)}`,
  });

const stoppedSection = (
  named: Parameters<typeof section>[0],
  { rows, count }: Stopped,
  { since, decide }: { since: string; decide: (row: Stopped["rows"][number]) => Markup },
): Markup | null =>
  section(
    named,
    rows,
    [
      { name: "Order", cell: (row) => orderLink(row) },
      { name: since, cell: (row) => shopMoment(row.since) },
      {
        name: "Went to",
        cell: ({ address }) =>
          html`${theirs(address.name)}, ${theirs(`${address.city}, ${address.region}`)}`,
      },
      { name: "Decide", cell: (row) => html`<div class="cluster">${decide(row)}</div>` },
    ],
    { count },
  );

/** What becomes of it where it is not sent again. */
export const returnButtons = (row: Stopped["rows"][number]): Markup =>
  html`${
    row.refund_minor > 0 &&
    html`<a class="button small quiet" href="${refundPage(row.order_id, undefined, row.shipment_id)}">Refund ${money(row.refund_minor)}…</a>`
  }
    ${handleButton(row, "Dismiss")}`;
