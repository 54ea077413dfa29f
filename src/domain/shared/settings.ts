import { FIRST_ORDER_SETTING } from "../quote/quote-rules.ts";
import { type AuditAuthor, audited } from "./audit.ts";
import { insert, lock, type Rule, update } from "./command.ts";

export interface SwitchFirstOrder {
  now: number;
  on: boolean;
  by: AuditAuthor;
}

/** The first-order offer may end without notice (contract §2), and may come back. */
export const switchFirstOrder: Rule<SwitchFirstOrder, { first_order: "on" | "off" }> = {
  reads: () => [lock("settings", { name: FIRST_ORDER_SETTING })],
  decide(c, s) {
    const value = c.on ? "on" : "off";
    const row = s.settings[0];
    return {
      reply: { first_order: value },
      writes: [
        row
          ? update("settings", { name: FIRST_ORDER_SETTING }, { value })
          : insert("settings", { name: FIRST_ORDER_SETTING, value }),
        audited(c.by, "courtesy.first-order", FIRST_ORDER_SETTING, c.now, { value }),
      ],
    };
  },
};
