import type { Express } from "express";
import type { Api } from "../api.ts";
import { type DeskAction, mountActions, whole } from "./act.ts";
import { HANDLE_ACTS } from "./lists.ts";
import { todayPage } from "./pages/today.ts";

/** What waits for a person, with the buttons that end the waiting. */
export function mountToday(app: Express, api: Api): void {
  const { merchant } = api.service;
  const admin = merchant.admin("desk");
  mountActions(app, api, "/desk", { acts: TODAY_ACTS }, async () => {
    const [waiting, tasks, stock, wanted] = await Promise.all([
      admin.views.waiting(),
      admin.tasks.waiting(),
      admin.stock.list(),
      admin.waitlist.wanted(),
    ]);
    return todayPage({ waiting, tasks, stock, wanted, sending: merchant.mail.sending });
  });
}

const TODAY_ACTS = {
  ...HANDLE_ACTS,
  refund: {
    do: (admin, fields) => admin.orders.refund(fields("order"), null, whole(fields("seen"))),
    done: "The refund is written down. What becomes of it stands with its order.",
  },
} as const satisfies Record<string, DeskAction>;
