import { MerchantError } from "./errors.ts";
import { step, type ToolName } from "./next-step.ts";

/** Ids say by their beginning what they are of (contract §0). */
const KINDS: readonly { prefix: string; noun: string; field: string; reader: ToolName }[] = [
  { prefix: "qte_", noun: "a quote", field: "quote_id", reader: "get_quote" },
  { prefix: "ord_", noun: "an order", field: "order_id", reader: "get_order" },
  { prefix: "wl_", noun: "a waitlist entry", field: "waitlist_id", reader: "get_waitlist_entry" },
];

/** An id of one kind where another is wanted is no secret: the answer names the tool that takes it. */
export function refuseMisplacedIds(input: Record<string, unknown>): void {
  for (const wanted of KINDS) {
    const id = input[wanted.field];
    const sent = KINDS.find(({ prefix }) => typeof id === "string" && id.startsWith(prefix));
    if (!sent || sent === wanted) continue;
    const ofQuote = sent.field === "quote_id" && wanted.field === "order_id";
    const detail = `${wanted.field} is the id of ${wanted.noun}; this is the id of ${sent.noun}.`;
    throw new MerchantError("NOT_FOUND", detail, {
      problems: [{ pointer: `/${wanted.field}`, code: "INVALID", detail }],
      next: [step(ofQuote ? "get_quote_order" : sent.reader, "This takes such an id.", String(id))],
    });
  }
}
