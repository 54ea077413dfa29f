import type { Express, Request } from "express";
import { SHIPMENT_STEPS } from "../../domain/order/order-steps.ts";
import { MerchantError } from "../../domain/shared/errors.ts";
import { cents } from "../../domain/shared/money.ts";
import type { ShipmentStatus } from "../../domain/shared/records.ts";
import { ORDER_VIEWS, type OrderViewName } from "../../merchant/order-views.ts";
import type { Api } from "../api.ts";
import { typedAddress } from "../pages/address-fields.ts";
import { type DeskAction, type Fields, mountActions, mountPage, seenIn } from "./act.ts";
import { orderPage } from "./pages/order.ts";
import { ordersPage } from "./pages/orders.ts";
import { STEP_NAMES, STEPS } from "./pages/shipment.ts";

const PAGE = 50;

/** Orders: found, roasted, shipped, followed, canceled and refunded, as the verbs allow it. */
export function mountOrders(app: Express, api: Api): void {
  const admin = api.service.merchant.admin("desk");

  mountPage(app, "/desk/orders", async (req) => {
    const { show, before, q } = req.query;
    if (typeof q === "string" && q.trim() !== "") {
      const words = sought(q);
      const orders = words === "" ? [] : await admin.views.search(words);
      return ordersPage({ view: undefined, q, first: true, orders, next_before: null });
    }
    const view = isView(show) ? show : undefined;
    const first = typeof before !== "string";
    const page = await admin.views.page({ view, limit: PAGE, ...(!first && { before }) });
    return ordersPage({ view, first, ...page });
  });

  mountActions(app, api, "/desk/orders/:id", { acts: ORDER_ACTS }, async ({ req, ...page }) => {
    const order = await admin.orders.show(id(req));
    const events = await admin.views.events(order.id);
    return orderPage({ order, events, ...page });
  });
}

/** What was pasted may carry signs that are not to be seen. */
const sought = (q: string): string =>
  q.slice(0, 100).replace(/\p{C}/gu, "").replace(/\s+/g, " ").trim();

const id = (req: Request): string => String(req.params.id);

const isView = (name: unknown): name is OrderViewName =>
  typeof name === "string" && Object.hasOwn(ORDER_VIEWS, name);

/** A shipment's next steps; `seen` is what it was on the page that was pressed. */
const MOVES: Record<string, DeskAction> = Object.fromEntries(
  STEP_NAMES.map((to): [string, DeskAction] => {
    const seen = (fields: Fields) => (fields("seen") || undefined) as ShipmentStatus | undefined;
    return [
      SHIPMENT_STEPS[to].act,
      {
        do: (admin, fields) => admin.shipments.move(fields("shipment"), to, seen(fields)),
        done: STEPS[to].done,
      },
    ];
  }),
);

const ORDER_ACTS = {
  roast: {
    do: (admin, _fields, req) => admin.orders.roast(id(req)),
    done: "The order is in the roaster.",
  },
  ship: {
    do: (admin, fields) => admin.shipments.ship(fields("shipment"), tracking(fields)),
    done: "The shipment is on its way.",
  },
  ...MOVES,
  undo: {
    do: (admin, fields) =>
      admin.shipments.undo(fields("shipment"), (fields("seen") || undefined) as ShipmentStatus),
    done: "The step is taken back. The log keeps both, and the agent reads both.",
  },
  correct: {
    do: (admin, fields) => admin.shipments.correct(fields("shipment"), tracking(fields)),
    done: "The tracking number is corrected.",
  },
  address: {
    do: (admin, fields) => admin.shipments.changeAddress(fields("shipment"), typedAddress(fields)),
    done: "The address is changed. The price stays.",
  },
  cancel: {
    do: (admin, fields, req) => admin.orders.cancel(id(req), fields("reason")),
    done: "The order is canceled. Its money is another step: refund it below.",
  },
  accept: {
    do: (admin, fields) => admin.cancellations.accept(fields("request")),
    done: "The request is accepted and what it asks for canceled. Its money is another step: refund it below.",
  },
  "accept-refund": {
    do: (admin, fields) => admin.cancellations.acceptAndRefund(fields("request"), seenIn(fields)),
    done: "The request is accepted, what it asks for canceled and the refund written down.",
  },
  note: {
    do: (admin, fields, req) =>
      admin.orders.note(id(req), fields("text"), fields("form") || undefined),
    done: "The note is kept. No agent and no buyer reads it.",
  },
  decline: {
    do: (admin, fields) => admin.cancellations.decline(fields("request"), fields("reason")),
    done: "The request is declined. The order goes on.",
  },
  refund: {
    do: (admin, fields, req) =>
      admin.orders.refund(id(req), amount(fields("amount")), seenIn(fields)),
    done: "The refund is written down. What became of it stands under Payment.",
  },
} as const satisfies Record<string, DeskAction>;

function tracking(fields: Fields) {
  const url = fields("url");
  return { carrier: fields("carrier"), number: fields("number"), ...(url && { url }) };
}

/** What was typed, in cents; nothing typed is all that is left. */
function amount(text: string): number | null {
  if (text === "") return null;
  const minor = cents(text);
  if (minor) return minor;
  throw new MerchantError("VALIDATION_FAILED", "An amount in dollars, such as 12.50 or 12.");
}
