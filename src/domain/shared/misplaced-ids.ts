import { MerchantError } from "./errors.ts";
import { step, type ToolName } from "./next-step.ts";

/** Ids say by their beginning what they are of (contract §0). */
const KINDS: Record<string, { noun: string; field: string; reader: ToolName }> = {
  qte_: { noun: "a quote", field: "quote_id", reader: "get_quote" },
  ord_: { noun: "an order", field: "order_id", reader: "get_order" },
  wl_: { noun: "a waitlist entry", field: "waitlist_id", reader: "get_waitlist_entry" },
};

/** An id of one kind where another is wanted is no secret: the answer names the tool that takes it. */
export function refuseMisplacedIds(input: Record<string, unknown>): void {
  for (const [prefix, { noun, field, reader }] of Object.entries(KINDS)) {
    for (const wanted of Object.values(KINDS)) {
      const id = input[wanted.field];
      if (wanted.field === field || typeof id !== "string" || !id.startsWith(prefix)) continue;
      const tool = prefix === "qte_" && wanted.field === "order_id" ? "get_quote_order" : reader;
      const detail = `${wanted.field} is the id of ${wanted.noun}; this is the id of ${noun}.`;
      const pointer = `/${wanted.field}`;
      throw new MerchantError("NOT_FOUND", detail, {
        problems: [{ pointer, code: "INVALID", detail }],
        next: [step(tool, "This takes such an id.", id)],
      });
    }
  }
}
