import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import type { Api } from "../api/api.ts";
import { MerchantError } from "../core/errors.ts";
import { form } from "../web/body.ts";
import { html } from "../web/html.ts";
import { prefersPage } from "../web/page-answers.ts";
import { ownOrigin } from "../web/routes.ts";
import { bean, mountBagPicture, newBean } from "./bean.ts";
import { catalog, catalogPreview } from "./catalog.ts";
import type { DeskPage } from "./frame.ts";
import { agents, incidents, log, mail, waitlist } from "./lists.ts";
import { messages } from "./messages.ts";
import { order } from "./order.ts";
import { orders } from "./orders.ts";
import { confirmRefund } from "./refund.ts";
import { roast } from "./roast.ts";
import { type DeskRoute, mountRoute, send } from "./route.ts";
import { mountExports, sales } from "./sales.ts";
import { deliver, ship } from "./ship.ts";
import { DESK, mountSignIn, signedInOnly } from "./sign-in.ts";
import { slips } from "./slips.ts";
import { stock } from "./stock.ts";
import { today } from "./today.ts";
import { mountWorklist, mountWorklistScript } from "./worklist.ts";

/** What has a name of its own in the address comes before what has an id. */
const ROUTES: readonly DeskRoute[] = [
  today,
  orders,
  order,
  confirmRefund,
  slips,
  stock,
  messages,
  catalog,
  catalogPreview,
  newBean,
  bean,
  waitlist,
  agents,
  sales,
  mail,
  incidents,
  log,
];

/**
 * `/desk`: the merchant's pages, over the same verbs as the command line (contract §15). Nothing here
 * decides anything; it shows what is, and hands on what the merchant pressed.
 */
export function mountDesk(app: Express, api: Api): void {
  // The form before it is known who sends it: what was typed is not lost with a session.
  app.use(DESK, unindexed, ownOrigin(api.edge), form);
  mountSignIn(app, api);
  app.use(DESK, signedInOnly(api), ownScripts);
  for (const route of ROUTES) mountRoute(app, api, route);
  for (const worklist of [roast, ship, deliver]) mountWorklist(app, api, worklist);
  mountWorklistScript(app);
  mountBagPicture(app, api);
  mountExports(app, api);
  app.use(DESK, () => {
    throw new MerchantError("NOT_FOUND", "The desk has no such page.");
  });
  app.use(DESK, refused);
}

/** Told to the merchant, not to a buyer. All else is told as it is everywhere. */
const refused: ErrorRequestHandler = (error, req, res, next) => {
  const told = ["NOT_FOUND", "VALIDATION_FAILED", "ILLEGAL_STEP"];
  if (error instanceof MerchantError && told.includes(error.code) && prefersPage(req)) {
    send(res, refusalPage(error, req.method), { status: error.status });
  } else next(error);
};

/** The desk alone runs a script of its own; no page needs it. */
const ownScripts: RequestHandler = (_req, res, next) => {
  const policy = String(res.getHeader("Content-Security-Policy"));
  res.setHeader("Content-Security-Policy", `${policy};script-src 'self'`);
  next();
};

/** Not indexed: redirects and refusals as well. */
const unindexed: RequestHandler = (_req, res, next) => {
  res.setHeader("X-Robots-Tag", "noindex, nofollow");
  next();
};

/** A refusal that belongs to no form: an address that is none, a page of another time. */
export const refusalPage = (
  { code, message, problems }: MerchantError,
  method: string,
): DeskPage => ({
  title:
    code === "NOT_FOUND" || method !== "POST" ? "There is nothing here" : "Nothing was changed",
  lede: message,
  body: html`${problems.length > 1 && html`<ul>${problems.map(({ detail }) => html`<li>${detail}</li>`)}</ul>`}
    <p class="cluster"><a class="button" href="/desk">Go to Today</a>
      <a class="button quiet" href="/desk/orders">Find an order</a></p>`,
});
