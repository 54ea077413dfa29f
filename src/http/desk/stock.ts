import type { Express } from "express";
import { FIRST_ORDER } from "../../domain/shared/policy.ts";
import { form } from "../body.ts";
import { onlyMethods } from "../request-context.ts";
import type { Desk } from "./act.ts";
import {
  type DeskAction,
  type Fields,
  performAction,
  type RenderPage,
  resultOf,
  whole,
} from "./act.ts";
import { agentsPage } from "./pages/agents.ts";
import { stockPage } from "./pages/stock.ts";
import { waitlistPage } from "./pages/waitlist.ts";
import { listPage, queuePage } from "./paging.ts";

/** Bags and the first-order offer, who waits for bags, and who may ask for them. */
export function mountStock(app: Express, { service, send }: Desk): void {
  const { merchant } = service;
  const { mode } = merchant;
  const admin = merchant.admin("desk");

  const stock: RenderPage = async (req, res, refused) => {
    const [rows, wanted, offer] = await Promise.all([
      admin.stock.list(),
      admin.waitlist.wanted(),
      merchant.information.firstOrderRuns(),
    ]);
    const said = resultOf(req, STOCK_ACTS, refused);
    send(res, stockPage({ mode, rows, wanted, offer, said }), refused?.error.status);
  };
  app
    .route("/desk/stock")
    .get((req, res) => stock(req, res))
    .post(form, performAction(STOCK_ACTS, { merchant, show: stock }))
    .all(onlyMethods(["GET", "POST"]));

  app
    .route("/desk/waitlist")
    .get(async (req, res) => {
      send(res, waitlistPage({ mode, list: await queuePage(req, "after", admin.waitlist.list) }));
    })
    .all(onlyMethods(["GET"]));

  const agents: RenderPage = async (req, res, refused) => {
    const said = resultOf(req, AGENT_ACTS, refused);
    const list = await listPage(req, "before", admin.keys.list, (row) => row.created_at);
    send(res, agentsPage({ mode, list, said }), refused?.error.status);
  };
  app
    .route("/desk/agents")
    .get((req, res) => agents(req, res))
    .post(form, performAction(AGENT_ACTS, { merchant, show: agents }))
    .all(onlyMethods(["GET", "POST"]));
}

const STOCK_ACTS = {
  receive: {
    do: (admin, fields) => admin.stock.receive(fields("product"), whole(fields("bags"))),
    done: "The bags are added. What is free was offered to those who wait.",
  },
  low: {
    do: (admin, fields) => admin.stock.setLow(fields("product"), whole(fields("low_at"))),
    done: "Below that number the bean stands on Today.",
  },
  set: {
    do: (admin, fields) =>
      admin.stock.set(fields("product"), whole(fields("on_hand")), seenIn(fields)),
    done: "The stock is set. What is free was offered to those who wait.",
  },
  "offer-on": {
    do: (admin) => admin.courtesy.firstOrder(true),
    done: `${FIRST_ORDER.code} is on for new quotes.`,
  },
  "offer-off": {
    do: (admin) => admin.courtesy.firstOrder(false),
    done: `${FIRST_ORDER.code} is off for new quotes. Quotes made with it keep it.`,
  },
} as const satisfies Record<string, DeskAction>;

const AGENT_ACTS = {
  revoke: {
    do: (admin, fields) => admin.keys.revoke(fields("agent")),
    done: "The key is revoked. Its orders stay.",
  },
} as const satisfies Record<string, DeskAction>;

/** What the page showed that was pressed; a form made by hand may leave it out. */
const seenIn = (fields: Fields): number | undefined =>
  fields("seen") === "" ? undefined : whole(fields("seen"));
