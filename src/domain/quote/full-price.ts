import type { NextStep } from "../shared/errors.ts";
import { step } from "../shared/next-step.ts";
import type { QuoteStateRow } from "../shared/records.ts";
import type { Quote } from "./quote-answer.ts";

type Taken = Pick<QuoteStateRow, "full_price_quote" | "order_id">;

/**
 * On the page of a quote its buyer asked for the same order without the courtesy (contract §5): another
 * quote, of the same key. Its agent, who was never told of that one, would have the same ordered twice.
 */
export const atFullPrice = ({
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
