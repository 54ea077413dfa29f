import type { Express } from "express";
import { FIRST_ORDER } from "../../domain/shared/policy.ts";
import type { Api } from "../api.ts";
import { type DeskAction, mountActions, seenIn, whole } from "./act.ts";
import { stockPage } from "./pages/stock.ts";

/** Bags and the first-order offer. */
export function mountStock(app: Express, api: Api): void {
  const { merchant } = api.service;
  const admin = merchant.admin("desk");

  mountActions(app, api, "/desk/stock", { acts: STOCK_ACTS }, async ({ form }) => {
    const [rows, wanted, offer] = await Promise.all([
      admin.stock.list(),
      admin.waitlist.wanted(),
      merchant.information.firstOrderRuns(),
    ]);
    return stockPage({ rows, wanted, offer, form });
  });
}

const STOCK_ACTS = {
  receive: {
    do: (admin, fields) =>
      admin.stock.receive(fields("product"), whole(fields("bags")), fields("form") || undefined),
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
