import type { MerchantOrder } from "../orders/admin-orders.ts";
import { isHere } from "../orders/standing.ts";
import { tickBox, tickBoxes } from "../web/form-parts.ts";
import { money } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { type FilledForm, filledForm, type SentForm } from "./forms.ts";
import { NOT_REFUNDED, REASON, shipmentLine } from "./order-forms.ts";
import type { DeskOrder } from "./order-parts.ts";
import { type DeskAction, type Fields, seenIn } from "./route.ts";

const canceledFor = (fields: Fields) => ({
  reason: fields("reason"),
  refund: fields("refund") !== "",
  seen: seenIn(fields),
});

export const CANCEL_TELLS = {
  "canceled-and-refunded": {
    done: "It is canceled and the refund written down. What became of it stands under Payment.",
  },
};

const told = {
  done: `It is canceled. ${NOT_REFUNDED}`,
  tells: (fields: Fields) => (fields("refund") === "" ? "cancel" : "canceled-and-refunded"),
};

/** The merchant cancels unasked. */
export const CANCEL_ACTS = {
  cancel: {
    do: (admin, fields, id) => admin.orders.cancel({ order_id: id, ...canceledFor(fields) }),
    ...told,
  },
  "cancel-shipments": {
    do: (admin, fields) =>
      admin.shipments.cancel({ shipment_ids: fields.all("shipment_ids"), ...canceledFor(fields) }),
    ...told,
  },
} satisfies Record<string, DeskAction>;

type DeskShipment = MerchantOrder["shipments"][number];

/** The whole order while nothing of it has left, and some of what has not. */
export function cancelForms(view: DeskOrder): Markup {
  const { status, shipments, refundable_minor: left } = view.order;
  const here = shipments.filter(isHere);
  const whole = status === "CONFIRMED" || status === "ROASTING";
  return html`${
    whole &&
    cancelForm(view, {
      act: "cancel",
      summary: "Cancel the order…",
      refund: `Refund ${money(left)} with it`,
      button: "Cancel this order",
    })
  }
  ${here.length > (whole ? 1 : 0) && shipmentsForm(view, here, whole)}`;
}

/** Of several none is chosen at first: what was canceled by mistake does not come back. */
function shipmentsForm(view: DeskOrder, here: readonly DeskShipment[], whole: boolean): Markup {
  const act = "cancel-shipments";
  const [only] = here;
  if (only && here.length === 1) {
    const paid = Math.min(only.paid_minor, view.order.refundable_minor);
    return cancelForm(view, {
      act,
      hidden: { shipment_ids: only.id },
      summary: "Cancel what has not left…",
      what: () => html`<p>${shipmentLine(view.order, only)}</p>`,
      refund: `Refund ${money(paid)} with it`,
      button: "Cancel this shipment",
    });
  }
  const boxes = ({ sent, problems }: SentForm) => {
    const chosen = sent?.all("shipment_ids") ?? [];
    const choices = here.map((shipment) => ({
      value: shipment.id,
      label: html`${shipmentLine(view.order, shipment)} (${money(shipment.paid_minor)} paid)`,
      ticked: chosen.includes(shipment.id),
    }));
    const legend = "Which shipments?";
    return tickBoxes({ name: "shipment_ids", legend, choices, focused: true }, problems);
  };
  return cancelForm(view, {
    act,
    summary: whole ? "Cancel some shipments…" : "Cancel what has not left…",
    what: boxes,
    refund: "Refund what was paid for them",
    button: "Cancel these shipments",
  });
}

interface CancelForm extends Pick<FilledForm, "act" | "hidden"> {
  summary: string;
  what?: (kept: SentForm) => Renderable;
  /** What goes back where this is ticked. */
  refund: string;
  button: string;
}

function cancelForm(
  { order, refused }: DeskOrder,
  { act, hidden, summary, what, refund, button }: CancelForm,
): Markup {
  const { refundable_minor: left } = order;
  const refundBox = ({ sent }: SentForm) => {
    const ticked = Boolean(sent?.("refund"));
    return tickBox({ name: "refund", value: "on", label: refund, ticked });
  };
  return filledForm(
    { act, hidden: { ...hidden, seen: String(order.version) }, summary },
    refused,
    (show, kept) => html`${what?.(kept)}
    ${show(REASON)}
    ${left > 0 && refundBox(kept)}
    <button class="danger" type="submit">${button}</button>`,
  );
}
