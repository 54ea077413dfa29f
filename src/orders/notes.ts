import { audited, entryOf, isInLog, type MerchantAct } from "../core/audit.ts";
import { insert, lock, writeRule } from "../core/command.ts";
import { unknownTo } from "../core/errors.ts";
import { prose } from "../core/text-rules.ts";

export const OrderNote = prose("The note", 1000);

export const addNote = writeRule<MerchantAct & { id: string; orderId: string; text: string }>({
  reads: (c) => [lock("orders", { id: c.orderId }), entryOf(c)],
  writes(c, s) {
    if (isInLog(s)) return [];
    if (!s.orders[0]) throw unknownTo("order");
    const { id, orderId: order_id, text, now: created_at, by } = c;
    return [
      insert("order_notes", { id, order_id, text, written_by: by.actor, created_at }),
      audited(c, "orders.note", order_id),
    ];
  },
});
