import type { Express } from "express";
import { onlyMethods } from "../http/exchange.ts";
import type { Desk } from "./desk.ts";
import { incidentsPage } from "./pages/incidents.ts";
import { logPage } from "./pages/log.ts";
import { messagesPage } from "./pages/messages.ts";
import { todayPage } from "./pages/today.ts";

/** What there is to read: what waits, what was written, what went wrong, what was done. */
export function mountReading(app: Express, { service, send }: Desk): void {
  const { merchant } = service;
  const { mode } = merchant.context.provider;
  const seller = merchant.seller("desk");
  const page = (path: string, render: () => Promise<string>) =>
    app
      .route(path)
      .get(async (_req, res) => send(res, await render()))
      .all(onlyMethods(["GET"]));

  page("/desk", async () => {
    const [waiting, stock, queue, incidents] = await Promise.all([
      seller.look.waiting(),
      seller.stock.list(),
      seller.waitlist.list(),
      seller.incidents.list(),
    ]);
    return todayPage({ mode, waiting, stock, queue, incidents });
  });
  page("/desk/messages", async () => {
    const [feedback, leads] = await Promise.all([seller.feedback.list(), seller.leads.list()]);
    return messagesPage({ mode, feedback, leads });
  });
  page("/desk/incidents", async () => incidentsPage({ mode, rows: await seller.incidents.list() }));
  page("/desk/log", async () => logPage({ mode, rows: await seller.audit.list() }));
}
