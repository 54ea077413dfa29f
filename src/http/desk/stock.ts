import type { Express } from "express";
import { FIRST_ORDER } from "../../domain/shared/policy.ts";
import { type Desk, type DeskAction, mountActions, mountPage, seenIn, whole } from "./act.ts";
import { agentsPage } from "./pages/agents.ts";
import { stockPage } from "./pages/stock.ts";
import { waitlistPage } from "./pages/waitlist.ts";
import { listPage, queuePage } from "./paging.ts";

/** Bags and the first-order offer, who waits for bags, and who may ask for them. */
export function mountStock(app: Express, desk: Desk): void {
  const { merchant } = desk.service;
  const { mode } = merchant;
  const admin = merchant.admin("desk");

  mountActions(app, desk, "/desk/stock", { acts: STOCK_ACTS }, async ({ said, form }) => {
    const [rows, wanted, offer] = await Promise.all([
      admin.stock.list(),
      admin.waitlist.wanted(),
      merchant.information.firstOrderRuns(),
    ]);
    return stockPage({ mode, rows, wanted, offer, said, form });
  });

  mountPage(app, desk, "/desk/waitlist", async (req) =>
    waitlistPage({ mode, list: await queuePage(req, "after", admin.waitlist.list) }),
  );

  mountActions(app, desk, "/desk/agents", { acts: AGENT_ACTS }, async ({ req, said }) => {
    const list = await listPage(req, "before", admin.keys.list, (row) => row.created_at);
    return agentsPage({ mode, list, said });
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

const AGENT_ACTS = {
  revoke: {
    do: (admin, fields) => admin.keys.revoke(fields("agent")),
    done: "The key is revoked. Its orders stay.",
  },
} as const satisfies Record<string, DeskAction>;
