import type { Express, Request, Response } from "express";
import { roastSheet } from "../../domain/order/roast-sheet.ts";
import { MerchantError, type Problem } from "../../domain/shared/errors.ts";
import type { ListedOrder } from "../../merchant/admin-views.ts";
import { form } from "../body.ts";
import { onlyMethods } from "../request-context.ts";
import { type Desk, type DeskAction, fieldValues, mountActions } from "./act.ts";
import type { ActionResult } from "./pages/frame.ts";
import { roastPage } from "./pages/roast.ts";
import { shipPage } from "./pages/ship.ts";
import { slipsPage } from "./pages/slips.ts";

/**
 * Many orders at once: what came first is roasted, packed and shipped first. Each order is an act of
 * its own, so that one that cannot go on holds up no other.
 */
export function mountBulk(app: Express, desk: Desk): void {
  const { service, send } = desk;
  const { merchant } = service;
  const { mode } = merchant;
  const admin = merchant.admin("desk");

  /** One step taken back, or all that the page showed; false where no such button was pressed. */
  async function undo(req: Request, res: Response, show: RenderBulkPage): Promise<boolean> {
    const [pressed] = fieldValues(req.body, "undo");
    if (pressed === undefined) return false;
    const ids = pressed === "all" ? fieldValues(req.body, "step") : [pressed];
    const refused = await each(ids, (id) => admin.shipments.undo(id));
    if (refused) await show(res, refused);
    else res.redirect(303, `${req.path}?undone=${ids.length}`);
    return true;
  }

  const roast = async (res: Response, said?: ActionResult) => {
    const [orders, steps] = await Promise.all([
      admin.views.inTurn("roast"),
      admin.views.justDone("roast"),
    ]);
    const done = steps.filter(({ order_id }, i) => i === placeOf(order_id, steps));
    send(res, roastPage({ mode, orders, sheet: roastSheet(orders), done, said }), statusOf(said));
  };
  app
    .route("/desk/roast")
    .get((req, res) => roast(res, doneIn(req, "in the roaster")))
    .post(form, async (req, res) => {
      if (await undo(req, res, roast)) return;
      const ids = fieldValues(req.body, "order");
      const refused = await each(ids, (id) => admin.orders.roast(id));
      if (refused) await roast(res, refused);
      else res.redirect(303, `/desk/roast?done=${ids.length}`);
    })
    .all(onlyMethods(["GET", "POST"]));

  const ship = async (res: Response, said?: ActionResult) => {
    const [orders, done] = await Promise.all([
      admin.views.inTurn("ship"),
      admin.views.justDone("ship"),
    ]);
    const waiting = orders.flatMap(readyShipments);
    send(res, shipPage({ mode, waiting, done, said }), statusOf(said));
  };
  app
    .route("/desk/ship")
    .get((req, res) => ship(res, doneIn(req, "on the way")))
    .post(form, async (req, res) => {
      if (await undo(req, res, ship)) return;
      const body = req.body as Record<string, string>;
      const carrier = String(body.carrier ?? "");
      const numbers = Object.entries(body).filter(
        ([name, value]) => name.startsWith("shp_") && String(value).trim() !== "",
      );
      const refused = await each(numbers, ([id, number]) =>
        admin.shipments.ship(id, { carrier, number: String(number).trim() }),
      );
      if (refused) await ship(res, refused);
      else res.redirect(303, `/desk/ship?done=${numbers.length}`);
    })
    .all(onlyMethods(["GET", "POST"]));

  mountActions(app, desk, "/desk/slips", { acts: SLIP_ACTS }, async ({ req, said, refused }) => {
    const ids = new Set(fieldValues(req.query, "order"));
    const chosen = ids.size > 0 ? await Promise.all([...ids].map(admin.orders.show)) : [];
    const orders = chosen.length > 0 ? chosen : await admin.views.inTurn("ship");
    const address = await admin.shop.address();
    return slipsPage({ mode, orders, address, said, typed: refused?.fields("address") });
  });
}

type RenderBulkPage = (res: Response, said?: ActionResult) => Promise<void>;

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

/** Everything that can be done is; what was refused is told, each with its reason. */
async function each<T>(
  all: readonly T[],
  act: (one: T) => Promise<unknown>,
): Promise<ActionResult | undefined> {
  const problems: Problem[] = [];
  for (const one of all) {
    try {
      await act(one);
    } catch (error) {
      if (!(error instanceof MerchantError) || error.status >= 500) throw error;
      problems.push({ pointer: "", code: error.code, detail: error.message });
    }
  }
  if (problems.length === 0) return undefined;
  const refused = `${all.length - problems.length} done, ${problems.length} not.`;
  return { refused, details: [refused, ...problems.map(({ detail }) => detail)], partly: true };
}

function doneIn(req: Request, what: string): ActionResult | undefined {
  const count = (name: string) => /^\d{1,3}$/.exec(String(req.query[name] ?? ""))?.[0];
  const [done, undone] = [count("done"), count("undone")];
  if (undone !== undefined) return { done: `${undone} taken back.` };
  return done === undefined ? undefined : { done: `${done} ${what}.` };
}

const statusOf = (said: ActionResult | undefined): number =>
  said && "refused" in said ? 409 : 200;
