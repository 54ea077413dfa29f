import { z } from "zod";
import { AskAnswer } from "../src/domain/finder/ask-answer.ts";
import { LIMITS } from "../src/domain/shared/policy.ts";
import { prose } from "../src/domain/shared/text-rules.ts";
import { optionalAgentRead } from "../src/operations/operation.ts";

export const ask = optionalAgentRead({
  name: "ask",
  title: "Ask about the coffees",
  description:
    "Ask about the beans in plain words: origin, process, varieties, roast, tasting notes, brewing, " +
    "price, which one suits a taste, comparisons; and about shipping and the other published policy. " +
    "What it cannot answer stands in not_answered. Asked with a key, good questions about the beans " +
    "earn a finder key for the exclusive one, shown once in finder.finder_key.",
  tag: "Information",
  http: { method: "GET", path: "/v1/ask", status: 200 },
  // No idempotency key: what a question earns is counted once however often it is asked.
  hints: { readOnly: false },
  limits: ["ask"],
  input: z.strictObject({
    q: prose("The question", LIMITS.question_characters).describe(
      `The question, in plain words; at most ${LIMITS.question_characters} characters.`,
    ),
  }),
  output: AskAnswer,
  errors: [],
  run: ({ input, agent }, { finder }) => finder.ask(input.q, agent?.id ?? null),
});
