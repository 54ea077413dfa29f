import type { Express } from "express";
import { form } from "../body.ts";
import { onlyMethods } from "../request-context.ts";
import type { Desk } from "./act.ts";
import {
  type DeskAction,
  type DeskActions,
  performAction,
  type RenderPage,
  resultOf,
  whole,
} from "./act.ts";
import { incidentsPage } from "./pages/incidents.ts";
import { messagesPage } from "./pages/messages.ts";
import { todayPage } from "./pages/today.ts";
import { listPage } from "./paging.ts";

/** What waits for a person, with the buttons that end the waiting. */
export function mountToday(app: Express, { service, send }: Desk): void {
  const { merchant } = service;
  const { mode } = merchant;
  const admin = merchant.admin("desk");
  const page = (path: string, acts: DeskActions, show: RenderPage) =>
    app
      .route(path)
      .get((req, res) => show(req, res))
      .post(form, performAction(acts, { merchant, show }))
      .all(onlyMethods(["GET", "POST"]));

  page("/desk", TODAY_ACTS, async (req, res, refused) => {
    const [waiting, tasks, stock, wanted] = await Promise.all([
      admin.views.waiting(),
      admin.tasks.waiting(),
      admin.stock.list(),
      admin.waitlist.wanted(),
    ]);
    const said = resultOf(req, TODAY_ACTS, refused);
    const { sending } = merchant.mail;
    const view = { mode, waiting, tasks, stock, wanted, sending, said };
    send(res, todayPage(view), refused?.error.status);
  });

  const at = (row: { created_at: string }) => row.created_at;

  page("/desk/messages", HANDLE_ACTS, async (req, res, refused) => {
    const [feedback, leads] = await Promise.all([
      listPage(req, "feedback", admin.feedback.list, at),
      listPage(req, "leads", admin.leads.list, at),
    ]);
    const said = resultOf(req, HANDLE_ACTS, refused);
    send(res, messagesPage({ mode, feedback, leads, said }), refused?.error.status);
  });

  page("/desk/incidents", HANDLE_ACTS, async (req, res, refused) => {
    const list = await listPage(req, "before", admin.incidents.list, at);
    const said = resultOf(req, HANDLE_ACTS, refused);
    send(res, incidentsPage({ mode, list, said }), refused?.error.status);
  });
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
