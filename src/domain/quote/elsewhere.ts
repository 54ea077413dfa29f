import type { NextStep } from "../shared/errors.ts";
import { step } from "../shared/next-step.ts";
import type { QuoteStateRow } from "../shared/records.ts";
import { type Bought, boughtInWords } from "./bought-already.ts";
import type { FoundQuote } from "./quote.ts";
import type { Quote } from "./quote-answer.ts";

/** What the buyer has done elsewhere about the same wish: its agent would have it ordered twice. */
export function elsewhere({ state, bought }: FoundQuote): Pick<Quote, "messages" | "next"> {
  const full = atFullPrice(state);
  if (state.order_id !== null || state.status === "PROCESSING") return full;
  const asMade = JSON.parse(state.bought ?? "null") as Bought | null;
  const other = boughtInWords(bought === undefined ? asMade : bought);
  return {
    messages: [...full.messages, ...other.messages],
    next: [...full.next, ...other.next],
  };
}

type Taken = Pick<QuoteStateRow, "full_price_quote" | "order_id">;

/**
 * On the page of a quote its buyer asked for the same order without the courtesy (contract §5): another
 * quote, of the same key. Its agent, who was never told of that one, would have the same ordered twice.
 */
const atFullPrice = ({
  full_price_quote: id,
  order_id,
}: Taken): { messages: Quote["messages"]; next: NextStep[] } =>
  id === null || order_id !== null
    ? { messages: [], next: [] }
    : {
        messages: [
          {
            code: "FULL_PRICE_ASKED",
            text: `On its page the buyer asked for the same order at its full price: quote ${id}.`,
          },
        ],
        next: [step("get_quote_order", "Look first whether the buyer has ordered that.", id)],
      };
