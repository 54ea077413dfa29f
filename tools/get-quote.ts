import { z } from "zod";
import { agentRead } from "../src/api/operation.ts";
import { identifier } from "../src/core/fields.ts";
import { Quote } from "../src/quotes/quote-answer.ts";

export const getQuote = agentRead({
  name: "get_quote",
  title: "Read a quote",
  description: "A quote as it is now.",
  tag: "Quotes",
  http: { method: "GET", path: "/v1/quotes/{quote_id}", status: 200 },
  input: z.strictObject({ quote_id: identifier() }),
  output: Quote,
  errors: ["NOT_FOUND"],
  run: ({ input, agent }, { quotes }) => quotes.get(input.quote_id, agent.id),
});
