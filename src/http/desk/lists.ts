import type { Express } from "express";
import type { Api } from "../api.ts";
import { type DeskAction, mountActions, mountPage } from "./act.ts";
import { agentsPage } from "./pages/agents.ts";
import { incidentsPage } from "./pages/incidents.ts";
import { logPage } from "./pages/log.ts";
import { mailPage } from "./pages/mail.ts";
import { messagesPage } from "./pages/messages.ts";
import { waitlistPage } from "./pages/waitlist.ts";
import { listPage, queuePage } from "./paging.ts";

/** What there is to look up: who asks for bags, what was written, what was done. */
export function mountLists(app: Express, api: Api): void {
  const { merchant } = api.service;
  const { audit, feedback, incidents, keys, leads, waitlist } = merchant.admin("desk");

  mountPage(app, "/desk/mail", async (req) =>
    mailPage(await listPage(req, "before", merchant.mail.list), merchant.mail.sending),
  );
  mountPage(app, "/desk/log", async (req) => logPage(await listPage(req, "before", audit.list)));
  mountPage(app, "/desk/waitlist", async (req) =>
    waitlistPage(await queuePage(req, "after", waitlist.list)),
  );
  mountActions(app, api, "/desk/agents", { acts: AGENT_ACTS }, async ({ req }) =>
    agentsPage(await listPage(req, "before", keys.list)),
  );
  mountActions(app, api, "/desk/messages", { acts: HANDLE_ACTS }, async ({ req }) =>
    messagesPage(
      ...(await Promise.all([
        listPage(req, "leads", leads.list),
        listPage(req, "feedback", feedback.list),
      ])),
    ),
  );
  mountActions(app, api, "/desk/incidents", { acts: HANDLE_ACTS }, async ({ req }) =>
    incidentsPage(await listPage(req, "before", incidents.list)),
  );
}

export const HANDLE_ACTS = {
  handle: {
    do: (admin, fields) => admin.tasks.handle(fields("task")),
    done: "Handled. It can be looked up, with when and where it was.",
  },
} as const satisfies Record<string, DeskAction>;

const AGENT_ACTS = {
  revoke: {
    do: (admin, fields) => admin.keys.revoke(fields("agent")),
    done: "The key is revoked. Its orders stay.",
  },
} as const satisfies Record<string, DeskAction>;
