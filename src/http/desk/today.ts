import type { Express } from "express";
import { type Desk, type DeskAction, mountActions, whole } from "./act.ts";
import { incidentsPage } from "./pages/incidents.ts";
import { messagesPage } from "./pages/messages.ts";
import { todayPage } from "./pages/today.ts";
import { listPage } from "./paging.ts";

/** What waits for a person, with the buttons that end the waiting. */
export function mountToday(app: Express, desk: Desk): void {
  const { merchant } = desk.service;
  const { mode } = merchant;
  const admin = merchant.admin("desk");
  const at = (row: { created_at: string }) => row.created_at;

  mountActions(app, desk, "/desk", { acts: TODAY_ACTS }, async ({ said }) => {
    const [waiting, tasks, stock, wanted] = await Promise.all([
      admin.views.waiting(),
      admin.tasks.waiting(),
      admin.stock.list(),
      admin.waitlist.wanted(),
    ]);
    const { sending } = merchant.mail;
    return todayPage({ mode, waiting, tasks, stock, wanted, sending, said });
  });

  mountActions(app, desk, "/desk/messages", { acts: HANDLE_ACTS }, async ({ req, said }) => {
    const [feedback, leads] = await Promise.all([
      listPage(req, "feedback", admin.feedback.list, at),
      listPage(req, "leads", admin.leads.list, at),
    ]);
    return messagesPage({ mode, feedback, leads, said });
  });

  mountActions(app, desk, "/desk/incidents", { acts: HANDLE_ACTS }, async ({ req, said }) =>
    incidentsPage({ mode, list: await listPage(req, "before", admin.incidents.list, at), said }),
  );
}

const HANDLE_ACTS = {
  handle: {
    do: (admin, fields) => admin.tasks.handle(fields("task")),
    done: "Handled. It can be looked up, with when and where it was.",
  },
} as const satisfies Record<string, DeskAction>;

const TODAY_ACTS = {
  ...HANDLE_ACTS,
  refund: {
    do: (admin, fields) => admin.orders.refund(fields("order"), null, whole(fields("seen"))),
    done: "The refund is written down. What becomes of it stands with its order.",
  },
} as const satisfies Record<string, DeskAction>;
