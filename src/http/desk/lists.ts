import type { Express } from "express";
import { type Desk, mountPage } from "./act.ts";
import { logPage } from "./pages/log.ts";
import { mailPage } from "./pages/mail.ts";
import { listPage } from "./paging.ts";

/** What there is to read: letters, and what was done. */
export function mountLists(app: Express, desk: Desk): void {
  const { merchant } = desk.service;
  const { mode } = merchant;
  const { audit } = merchant.admin("desk");

  mountPage(app, desk, "/desk/mail", async (req) => {
    const list = await listPage(req, "before", merchant.mail.list, (row) => row.created_at);
    return mailPage({ mode, list, sending: merchant.mail.sending });
  });
  mountPage(app, desk, "/desk/log", async (req) => {
    const list = await listPage(req, "before", audit.list, (row) => row.at);
    return logPage({ mode, list });
  });
}
