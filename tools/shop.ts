import { AskAnswer } from "../src/agents/ask-answer.ts";
import { type Operation, publicRead } from "../src/api/operation.ts";
import { CatalogAnswer } from "../src/catalog/catalog-answer.ts";
import { PolicyAnswer } from "../src/core/shop.ts";
import { buildQuickCheckoutLink, getLinkOrder } from "./checkouts.ts";
import { ask, getCatalog, getPolicy } from "./information.ts";

/** Questions earn no finder key without a key. */
const askWithoutKey = publicRead({
  ...ask,
  description:
    "Ask in plain words about the beans (origin, process, roast, taste, brewing, price, which one suits). " +
    "A question about anything else returns the whole policy: read it once.",
  hints: {},
  output: AskAnswer.omit({ finder: true }),
  run: ({ input }, { finder }) => finder.ask(String(input.q), null, true),
});

const getCatalogWithoutKey = publicRead({
  ...getCatalog,
  hints: {},
  output: CatalogAnswer,
  run: (_call, { information }) => information.catalogWithoutKey(),
});

const getPolicyWithoutKey = publicRead({
  ...getPolicy,
  hints: {},
  output: PolicyAnswer,
  run: (_call, { information }) => information.policy(true),
});

/** The same without a key. */
const makePage: Operation = { ...buildQuickCheckoutLink, access: "public" };

/** Tools of /mcp/shop, which takes no key. */
export const shopOperations: readonly Operation[] = [
  getCatalogWithoutKey,
  getPolicyWithoutKey,
  askWithoutKey,
  makePage,
  getLinkOrder,
];
