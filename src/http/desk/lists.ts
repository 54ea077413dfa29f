import type { Express, Request } from "express";
import type { Merchant } from "../../merchant/merchant.ts";
import { onlyMethods } from "../request-context.ts";
import type { Desk } from "./desk.ts";
import { incidentsPage } from "./pages/incidents.ts";
import { logPage } from "./pages/log.ts";
import { mailPage } from "./pages/mail.ts";
import { messagesPage } from "./pages/messages.ts";
import { todayPage } from "./pages/today.ts";
import { listPage } from "./paging.ts";

export type DeskLetter = Awaited<ReturnType<Merchant["mail"]["list"]>>[number];

/** What there is to read: what waits, what was written, what went wrong, what was done. */
export function mountLists(app: Express, { service, send }: Desk): void {
  const { merchant } = service;
  const { mode } = merchant;
  const admin = merchant.admin("desk");
  const page = (path: string, render: (req: Request) => Promise<string>) =>
    app
      .route(path)
      .get(async (req, res) => send(res, await render(req)))
      .all(onlyMethods(["GET"]));

  page("/desk", async () => {
    const [waiting, stock, wanted, incidents] = await Promise.all([
      admin.views.waiting(),
      admin.stock.list(),
      admin.waitlist.wanted(),
      admin.incidents.recent(),
    ]);
    return todayPage({ mode, waiting, stock, wanted, incidents });
  });
  page("/desk/messages", async (req) => {
    const at = (row: { created_at: string }) => row.created_at;
    const [feedback, leads] = await Promise.all([
      listPage(req, "feedback", admin.feedback.list, at),
      listPage(req, "leads", admin.leads.list, at),
    ]);
    return messagesPage({ mode, feedback, leads });
  });
  page("/desk/mail", async (req) => {
    const list = await listPage(req, "before", merchant.mail.list, (row) => row.created_at);
    return mailPage({ mode, list, sending: merchant.mail.sending });
  });
  page("/desk/incidents", async (req) => {
    const list = await listPage(req, "before", admin.incidents.list, (row) => row.created_at);
    return incidentsPage({ mode, list });
  });
  page("/desk/log", async (req) => {
    const list = await listPage(req, "before", admin.audit.list, (row) => row.at);
    return logPage({ mode, list });
  });
}
