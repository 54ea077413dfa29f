import type { Express, Request, Response } from "express";
import { roastSheet } from "../../domain/order/roast-sheet.ts";
import type { MerchantError } from "../../domain/shared/errors.ts";
import type { ListedOrder } from "../../merchant/admin-views.ts";
import type { UndoableStep } from "../../merchant/undoable-steps.ts";
import type { Api } from "../api.ts";
import { mountForm } from "../page-answers.ts";
import { refusalOf } from "../request-context.ts";
import { type DeskAction, fieldValues, mountActions, send } from "./act.ts";
import type { ActionResult } from "./pages/frame.ts";
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

  const roast: ShowBulk = async (req, res, outcome) => {
    const [orders, steps] = await Promise.all([
      admin.views.inTurn("roast"),
      admin.views.justDone("roast"),
    ]);
    const done = steps.filter(({ order_id }, i) => i === placeOf(order_id, steps));
    const names = new Map([
      ...orders.map((order) => [order.id, orderName(order)] as const),
      ...steps.flatMap((step) => [
        [step.order_id, stepName(step)] as const,
        [step.shipment_id, stepName(step)] as const,
      ]),
    ]);
    const said = outcome ? told(outcome, names) : doneIn(req, "in the roaster");
    const page = roastPage({ orders, sheet: roastSheet(orders), done });
    send(api, res, page, { said, status: statusOf(said) });
  };
  mountBulkPage(app, "/desk/roast", roast, async (req, res) => {
    const ids = fieldValues(req.body, "order");
    const outcome = await each(ids, (id) => admin.orders.roast(id));
    if (!outcome.allDone) await roast(req, res, outcome);
    else res.redirect(303, `/desk/roast?done=${ids.length}`);
  });

  const ship: ShowBulk = async (req, res, outcome) => {
    const [orders, done] = await Promise.all([
      admin.views.inTurn("ship"),
      admin.views.justDone("ship"),
    ]);
    const waiting = orders.flatMap(readyShipments);
    const names = new Map([
      ...waiting.map(({ order, shipment }) => [shipment.id, orderName(order)] as const),
      ...done.map((step) => [step.shipment_id, stepName(step)] as const),
    ]);
    const said = outcome ? told(outcome, names) : doneIn(req, "on the way");
    const [typed] = [...fieldValues(req.body, "carrier"), ...fieldValues(req.query, "carrier")];
    const refused = new Map(
      [...(outcome?.refusals ?? [])].map(([id, { message }]) => {
        const [number = ""] = fieldValues(req.body, id);
        return [id, { number, message }];
      }),
    );
    const page = shipPage({ waiting, done, refused, carrier: typed?.slice(0, 60) ?? "USPS" });
    send(api, res, page, { said, status: statusOf(said) });
  };
  mountBulkPage(app, "/desk/ship", ship, async (req, res) => {
    const body = (req.body ?? {}) as Record<string, unknown>;
    const [carrier = ""] = fieldValues(body, "carrier");
    const numberOf = (id: string) => fieldValues(body, id)[0]?.trim() ?? "";
    const ids = Object.keys(body).filter((id) => id.startsWith("shp_") && numberOf(id) !== "");
    const outcome = await each(ids, (id) =>
      admin.shipments.ship(id, { carrier, number: numberOf(id) }),
    );
    if (!outcome.allDone) await ship(req, res, outcome);
    // The next scan is for the same carrier.
    else res.redirect(303, `/desk/ship?${new URLSearchParams({ done: `${ids.length}`, carrier })}`);
  });

  /** A worklist, whose every step can be taken back: one, or all that the page showed. */
  function mountBulkPage(app: Express, path: string, show: ShowBulk, act: BulkAct): void {
    mountForm(app, api.edge, path, {
      get: (req, res) => show(req, res),
      post: async (req, res) => {
        const [pressed] = fieldValues(req.body, "undo");
        if (pressed === undefined) {
          await act(req, res);
          return;
        }
        const ids = pressed === "all" ? fieldValues(req.body, "step") : [pressed];
        const outcome = await each(ids, (id) => admin.shipments.undo(id));
        if (!outcome.allDone) await show(req, res, outcome);
        else res.redirect(303, `${path}?undone=${ids.length}`);
      },
    });
  }

  mountActions(app, api, "/desk/slips", { acts: SLIP_ACTS }, async ({ req, refused }) => {
    const ids = new Set(fieldValues(req.query, "order"));
    const chosen = ids.size > 0 ? await Promise.all([...ids].map(admin.orders.show)) : [];
    const orders = chosen.length > 0 ? chosen : await admin.views.inTurn("ship");
    const address = await admin.shop.address();
    return slipsPage({ orders, address, refused });
  });
}

type ShowBulk = (req: Request, res: Response, outcome?: Outcome) => Promise<void>;
type BulkAct = (req: Request, res: Response) => Promise<void>;

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

const stepName = ({ number, order_id: id }: UndoableStep): string => orderName({ number, id });

function doneIn(req: Request, what: string): ActionResult | undefined {
  const count = (name: string) => /^\d{1,3}$/.exec(String(req.query[name] ?? ""))?.[0];
  const [done, undone] = [count("done"), count("undone")];
  if (undone !== undefined) return { done: `${undone} taken back.` };
  return done === undefined ? undefined : { done: `${done} ${what}.` };
}

const statusOf = (said: ActionResult | undefined): number =>
  said && "refused" in said ? 409 : 200;
