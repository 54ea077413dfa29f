import type { Express, Request, Response } from "express";
import { roastSheet } from "../../domain/order/roast-sheet.ts";
import type { MerchantError } from "../../domain/shared/errors.ts";
import type { ListedOrder } from "../../merchant/admin-views.ts";
import type { UndoableStep } from "../../merchant/undoable-steps.ts";
import type { Api } from "../api.ts";
import { mountForm } from "../page-answers.ts";
import { refusalOf } from "../request-context.ts";
import { type DeskAction, fieldValues, mountActions, send } from "./act.ts";
import type { ActionResult, DeskPage } from "./pages/frame.ts";
import { orderName } from "./pages/orders.ts";
import { roastPage } from "./pages/roast.ts";
import { shipPage } from "./pages/ship.ts";
import { slipsPage } from "./pages/slips.ts";

/**
 * Many orders at once: what came first is roasted, packed and shipped first. Each order is an act of
 * its own, so that one that cannot go on holds up no other.
 */
export function mountBulk(app: Express, api: Api): void {
  const admin = api.service.merchant.admin("desk");

  mountWorklist(app, api, {
    name: "roast",
    done: "in the roaster",
    chosen: (req) => ({ ids: fieldValues(req.body, "order"), act: admin.orders.roast }),
    page: (orders, steps) => {
      const done = steps.filter(({ order_id }, i) => i === placeOf(order_id, steps));
      return roastPage({ orders, sheet: roastSheet(orders), done });
    },
  });

  mountWorklist(app, api, {
    name: "ship",
    done: "on the way",
    chosen: (req) => {
      const [carrier = ""] = fieldValues(req.body, "carrier");
      const numberOf = (id: string) => fieldValues(req.body, id)[0]?.trim() ?? "";
      return {
        ids: Object.keys(req.body ?? {}).filter(
          (id) => id.startsWith("shp_") && numberOf(id) !== "",
        ),
        act: (id) => admin.shipments.ship(id, { carrier, number: numberOf(id) }),
        // The next scan is for the same carrier.
        kept: { carrier },
      };
    },
    page: (orders, done, req, refusals = new Map()) => {
      const [typed] = [...fieldValues(req.body, "carrier"), ...fieldValues(req.query, "carrier")];
      const refused = new Map(
        [...refusals].map(([id, { message }]) => {
          const [number = ""] = fieldValues(req.body, id);
          return [id, { number, message }];
        }),
      );
      const waiting = orders.flatMap(readyShipments);
      return shipPage({ waiting, done, refused, carrier: typed?.slice(0, 60) ?? "USPS" });
    },
  });

  mountActions(app, api, "/desk/slips", { acts: SLIP_ACTS }, async ({ req, refused }) => {
    const ids = new Set(fieldValues(req.query, "order"));
    const chosen = ids.size > 0 ? await Promise.all([...ids].map(admin.orders.show)) : [];
    const orders = chosen.length > 0 ? chosen : await admin.views.inTurn("ship");
    const address = await admin.shop.address();
    return slipsPage({ orders, address, refused });
  });
}

interface Worklist {
  /** Of its page, and of the view that it is of. */
  name: "roast" | "ship";
  /** What became of the orders that were chosen. */
  done: string;
  chosen(req: Request): Chosen;
  page(
    orders: readonly ListedOrder[],
    justDone: readonly UndoableStep[],
    req: Request,
    refusals?: Outcome["refusals"],
  ): DeskPage;
}

interface Chosen {
  ids: readonly string[];
  act(id: string): Promise<unknown>;
  /** What the next page is opened with. */
  kept?: Record<string, string>;
}

/** A worklist, whose every step can be taken back: one, or all that the page showed. */
function mountWorklist(app: Express, api: Api, { name, done, chosen, page }: Worklist): void {
  const { views, shipments } = api.service.merchant.admin("desk");

  async function show(req: Request, res: Response, outcome?: Outcome): Promise<void> {
    const [orders, steps] = await Promise.all([views.inTurn(name), views.justDone(name)]);
    const said = outcome ? told(outcome, namesOf(orders, steps)) : doneIn(req, done);
    const status = said && "refused" in said ? 409 : 200;
    send(res, page(orders, steps, req, outcome?.refusals), { said, status });
  }

  mountForm(app, api.edge, `/desk/${name}`, {
    get: (req, res) => show(req, res),
    post: async (req, res) => {
      const [pressed] = fieldValues(req.body, "undo");
      const back = pressed === "all" ? fieldValues(req.body, "step") : pressed && [pressed];
      const { ids, act, kept } = back ? { ids: back, act: shipments.undo } : chosen(req);
      const outcome = await each(ids, act);
      const count = { [back ? "undone" : "done"]: String(ids.length) };
      if (!outcome.allDone) await show(req, res, outcome);
      else res.redirect(303, `/desk/${name}?${new URLSearchParams({ ...count, ...kept })}`);
    },
  });
}

/** What people call the order of every id that may be refused. */
const namesOf = (orders: readonly ListedOrder[], steps: readonly UndoableStep[]) =>
  new Map([
    ...orders.flatMap((order) =>
      [order, ...order.shipments].map(({ id }) => [id, orderName(order)] as const),
    ),
    ...steps.flatMap((step) =>
      [step.order_id, step.shipment_id].map((id) => [id, orderName(step)] as const),
    ),
  ]);

/** What came of an act on many: how many, and what was refused. */
interface Outcome {
  tried: number;
  refusals: ReadonlyMap<string, MerchantError>;
  /** Something was to do, and nothing was refused. */
  allDone: boolean;
}

const SLIP_ACTS = {
  address: {
    do: (admin, fields) => admin.shop.setAddress(fields("address")),
    done: "The address stands on every slip.",
  },
} as const satisfies Record<string, DeskAction>;

/** Of an order's steps the first: roasting is taken back for all of its shipments at once. */
const placeOf = (orderId: string, steps: readonly { order_id: string }[]): number =>
  steps.findIndex(({ order_id }) => order_id === orderId);

const readyShipments = (order: ListedOrder) =>
  order.shipments
    .filter(({ status }) => status === "ROASTING")
    .map((shipment) => ({ order, shipment }));

/** Everything that can be done is; what is refused holds up no other. */
async function each(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<Outcome> {
  const refusals = new Map<string, MerchantError>();
  for (const id of ids) {
    try {
      await act(id);
    } catch (error) {
      refusals.set(id, refusalOf(error));
    }
  }
  return { tried: ids.length, refusals, allDone: ids.length > 0 && refusals.size === 0 };
}

/** Each refusal with its order and its reason. */
function told({ tried, refusals }: Outcome, names: ReadonlyMap<string, string>): ActionResult {
  if (tried === 0) return { refused: "Nothing was chosen.", details: [] };
  const done = tried - refusals.size;
  const reasons = [...refusals].map(([id, { message }]) =>
    names.has(id) ? `${names.get(id)}: ${message}` : message,
  );
  const details = done > 0 ? [`${done} done, ${refusals.size} not.`, ...reasons] : reasons;
  return { refused: reasons[0]!, details, ...(done > 0 && { partly: true as const }) };
}

function doneIn(req: Request, what: string): ActionResult | undefined {
  const count = (name: string) => /^\d{1,3}$/.exec(String(req.query[name] ?? ""))?.[0];
  const [done, undone] = [count("done"), count("undone")];
  if (undone !== undefined) return { done: `${undone} taken back.` };
  return done === undefined ? undefined : { done: `${done} ${what}.` };
}
