import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import type { Api } from "../api/api.ts";
import { MerchantError } from "../core/errors.ts";
import { deskForm } from "../web/body.ts";
import { html } from "../web/html.ts";
import { prefersPage } from "../web/page-answers.ts";
import { ownOrigin } from "../web/routes.ts";
import { bean, newBean } from "./bean.ts";
import { catalog } from "./catalog.ts";
import { customer, mountCustomerExport } from "./customer.ts";
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
import { shop } from "./shop.ts";
import { DESK, mountSignIn, signedInOnly } from "./sign-in.ts";
import { slips } from "./slips.ts";
import { stock } from "./stock.ts";
import { today } from "./today.ts";
import { mountWorklistScript } from "./worklist.ts";

/** Fixed paths come before paths with an id. */
export const ROUTES: readonly DeskRoute[] = [
  today,
  orders,
  order,
  confirmRefund,
  customer,
  roast,
  ship,
  deliver,
  slips,
  stock,
  messages,
  catalog,
  newBean,
  bean,
  waitlist,
  agents,
  sales,
  shop,
  mail,
  incidents,
  log,
];

/** `/desk`: the merchant's pages, over the same verbs as the command line (contract §15). */
export function mountDesk(app: Express, api: Api): void {
  app.use(DESK, unindexed, ownOrigin(api.edge));
  mountSignIn(app, api);
  app.use(DESK, signedInOnly(api), ...deskForm, ownScripts);
  for (const route of ROUTES) mountRoute(app, api, route);
  mountWorklistScript(app);
  mountExports(app, api);
  mountCustomerExport(app, api);
  app.use(DESK, () => {
    throw new MerchantError("NOT_FOUND", "The desk has no such page.");
  });
  app.use(DESK, refused);
}

/** Refusals in the merchant's words. Other errors are told as on other pages. */
const refused: ErrorRequestHandler = (error, req, res, next) => {
  const told = ["NOT_FOUND", "VALIDATION_FAILED", "ILLEGAL_STEP"];
  if (error instanceof MerchantError && told.includes(error.code) && prefersPage(req)) {
    send(res, refusalPage(error, req.method), { status: error.status }).catch(next);
  } else next(error);
};

/** Only the desk runs a script; no page needs it. */
const ownScripts: RequestHandler = (_req, res, next) => {
  const policy = String(res.getHeader("Content-Security-Policy"));
  res.setHeader("Content-Security-Policy", `${policy};script-src 'self'`);
  next();
};

/** Keeps search engines out of redirects and refusals too. */
const unindexed: RequestHandler = (_req, res, next) => {
  res.setHeader("X-Robots-Tag", "noindex, nofollow");
  next();
};

/** A refusal outside any form, such as an unknown address. */
const refusalPage = ({ code, message, problems }: MerchantError, method: string): DeskPage => ({
  title: code === "NOT_FOUND" || method !== "POST" ? "Page not found" : "Nothing was changed",
  lede: message,
  body: html`${problems.length > 1 && html`<ul>${problems.map(({ detail }) => html`<li>${detail}</li>`)}</ul>`}
    <p class="cluster"><a class="button" href="/desk">Go to Today</a>
      <a class="button quiet" href="/desk/orders">Find an order</a></p>`,
});
