import { z } from "zod";
import { AskAnswer } from "../src/agents/ask-answer.ts";
import { optionalAgentRead, publicRead } from "../src/api/operation.ts";
import { CatalogAnswer } from "../src/catalog/catalog-answer.ts";
import { prose } from "../src/core/fields.ts";
import { LIMITS } from "../src/core/policy.ts";
import { PolicyAnswer } from "../src/core/shop.ts";

export const getCatalog = publicRead({
  name: "get_catalog",
  title: "Read the catalog",
  description: "The beans for sale in 8 oz bags: product_id for quotes, price, taste and stock.",
  tag: "Information",
  http: { method: "GET", path: "/v1/catalog", status: 200 },
  input: z.strictObject({}),
  output: CatalogAnswer,
  run: (_call, { information }) => information.catalog(),
});

export const getPolicy = publicRead({
  name: "get_policy",
  title: "Read policy and offers",
  description:
    "Shipping, delivery, discount codes, gift notes, cancellation, payment, limits, contact.",
  tag: "Information",
  http: { method: "GET", path: "/v1/policy", status: 200 },
  input: z.strictObject({}),
  output: PolicyAnswer,
  run: (_call, { information }) => information.policy(),
});

export const ask = optionalAgentRead({
  name: "ask",
  title: "Ask about the coffees",
  description:
    "Ask in plain words about the beans (origin, process, roast, taste, brewing, price, which one suits). " +
    "A question about anything else returns the whole policy: read it once. " +
    "With a key, good questions earn a finder key for a locked bean.",
  tag: "Information",
  http: { method: "GET", path: "/v1/ask", status: 200 },
  // A repeated question earns nothing more, so it needs no idempotency key.
  hints: { readOnly: false },
  points: 4,
  input: z.strictObject({ q: prose("The question", LIMITS.question_characters) }),
  output: AskAnswer,
  run: ({ input, agent }, { finder }) => finder.ask(input.q, agent?.id ?? null),
});
