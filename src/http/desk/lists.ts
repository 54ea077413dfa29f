import type { Express, Request } from "express";
import { onlyMethods } from "../request-context.ts";
import type { Desk } from "./act.ts";
import { logPage } from "./pages/log.ts";
import { mailPage } from "./pages/mail.ts";
import { listPage } from "./paging.ts";

/** What there is to read: letters, and what was done. */
export function mountLists(app: Express, { service, send }: Desk): void {
  const { merchant } = service;
  const { mode } = merchant;
  const admin = merchant.admin("desk");
  const page = (path: string, render: (req: Request) => Promise<string>) =>
    app
      .route(path)
      .get(async (req, res) => send(res, await render(req)))
      .all(onlyMethods(["GET"]));

  page("/desk/mail", async (req) => {
    const list = await listPage(req, "before", merchant.mail.list, (row) => row.created_at);
    return mailPage({ mode, list, sending: merchant.mail.sending });
  });
  page("/desk/log", async (req) => {
    const list = await listPage(req, "before", admin.audit.list, (row) => row.at);
    return logPage({ mode, list });
  });
}
