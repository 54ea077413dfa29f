import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import { MerchantError } from "../../domain/shared/errors.ts";
import type { Api } from "../api.ts";
import { ownOrigin, prefersPage } from "../page-answers.ts";
import { send } from "./act.ts";
import { mountBulk } from "./bulk.ts";
import { mountCatalog } from "./catalog.ts";
import { mountLists } from "./lists.ts";
import { mountOrders } from "./orders.ts";
import { refusalPage } from "./pages/refusal.ts";
import { mountSales } from "./sales.ts";
import { DESK, signedInOnly } from "./session.ts";
import { mountSignIn } from "./sign-in.ts";
import { mountStock } from "./stock.ts";
import { mountToday } from "./today.ts";

/**
 * `/desk`: the merchant's pages, over the same verbs as the command line (contract §15). Nothing here
 * decides anything; it shows what is, and hands on what the merchant pressed.
 */
export function mountDesk(app: Express, api: Api): void {
  const own = ownOrigin(api.edge);
  app.use(DESK, unseen, (req, res, next) => {
    if (req.method === "GET" || req.method === "HEAD") next();
    else own(req, res, next);
  });
  mountSignIn(app, api);
  app.use(DESK, signedInOnly(api.service.merchant));
  mountToday(app, api);
  mountLists(app, api);
  mountOrders(app, api);
  mountBulk(app, api);
  mountStock(app, api);
  mountCatalog(app, api);
  mountSales(app, api);
  app.use(DESK, () => {
    throw new MerchantError("NOT_FOUND", "The desk has no such page.");
  });
  app.use(DESK, refused);
}

/** Told to the merchant, not to a buyer. All else is told as it is everywhere. */
const refused: ErrorRequestHandler = (error, req, res, next) => {
  const told = ["NOT_FOUND", "VALIDATION_FAILED", "ILLEGAL_STEP"];
  if (error instanceof MerchantError && told.includes(error.code) && prefersPage(req)) {
    send(res, refusalPage(error), { status: error.status });
  } else next(error);
};

/** Not cached, not indexed, no referrer: redirects and refusals as well. */
const unseen: RequestHandler = (_req, res, next) => {
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Referrer-Policy", "no-referrer");
  res.setHeader("X-Robots-Tag", "noindex, nofollow");
  next();
};
