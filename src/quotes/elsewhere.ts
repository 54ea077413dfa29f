import { step } from "../core/next-step.ts";
import { type Bought, boughtInWords } from "./bought-already.ts";
import type { Quote } from "./quote-answer.ts";
import type { FoundQuote } from "./standing.ts";

/** What the buyer has done elsewhere about the same wish: its agent would have it ordered twice. */
export function elsewhere({ state, bought }: FoundQuote): Pick<Quote, "messages" | "next"> {
  if (state.order_id !== null) return { messages: [], next: [] };
  const full = atFullPrice(state.full_price_quote);
  if (state.status === "PROCESSING") return full;
  const asMade = JSON.parse(state.bought ?? "null") as Bought | null;
  const other = boughtInWords(bought === undefined ? asMade : bought);
  return {
    messages: [...full.messages, ...other.messages],
    next: [...full.next, ...other.next],
  };
}

/**
 * On the page of a quote its buyer asked for the same order without the courtesy (contract §5): another
 * quote, of the same key. Its agent, who was never told of that one, would have the same ordered twice.
 */
function atFullPrice(id: string | null): Pick<Quote, "messages" | "next"> {
  if (id === null) return { messages: [], next: [] };
  const text = `On its page the buyer asked for the same order at its full price: quote ${id}.`;
  return {
    messages: [{ code: "FULL_PRICE_ASKED", text }],
    next: [step("get_quote_order", "Look first whether the buyer has ordered that.", id)],
  };
}
