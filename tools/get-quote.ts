import { z } from "zod";
import { Quote } from "../src/domain/quote/quote-answer.ts";
import { identifier } from "../src/domain/shared/fields.ts";
import { agentRead } from "../src/operations/operation.ts";

export const getQuote = agentRead({
  name: "get_quote",
  title: "Read a quote",
  description: "A quote as it stands now; its terms never change.",
  tag: "Quotes",
  http: { method: "GET", path: "/v1/quotes/{quote_id}", status: 200 },
  input: z.strictObject({ quote_id: identifier() }),
  output: Quote,
  errors: ["NOT_FOUND"],
  run: ({ input, agent }, { quotes }) => quotes.get(input.quote_id, agent.id),
});
