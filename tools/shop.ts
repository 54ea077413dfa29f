import { AskAnswer } from "../src/agents/ask-answer.ts";
import { type Operation, publicRead } from "../src/api/operation.ts";
import { PolicyAnswer } from "../src/core/shop.ts";
import { QuickCheckout } from "../src/quotes/quick-checkout.ts";
import type { AskedCart } from "../src/quotes/quick-checkout-query.ts";
import { ask } from "./ask.ts";
import { buildQuickCheckoutLink } from "./build-quick-checkout-link.ts";
import { getCatalog } from "./get-catalog.ts";
import { getLinkOrder } from "./get-link-order.ts";
import { getPolicy } from "./get-policy.ts";

/** Questions earn no finder key without a key. */
const askWithoutKey = publicRead({
  ...ask,
  description:
    "Ask in plain words about the beans (origin, process, roast, taste, brewing, price, which one suits) " +
    "or the policy.",
  hints: {},
  output: AskAnswer.omit({ finder: true }),
  run: ({ input }, { finder }) => finder.ask(String(input.q), null, true),
});

const getPolicyWithoutKey = publicRead({
  ...getPolicy,
  hints: {},
  output: PolicyAnswer,
  run: (_call, { information }) => information.policy(true),
});

/** Opens the page at once, because only an open page can be followed, and its link is short. */
const openQuickCheckout = publicRead({
  ...buildQuickCheckoutLink,
  title: "Make a checkout page",
  description:
    "A page where the buyer enters email and address, sees the exact total and pays. Give checkout_url " +
    "as plain text on its own line; you never pay. Then call {get_link_order}.",
  output: QuickCheckout,
  hints: { readOnly: false },
  run: async ({ input }, { quickCheckout, cartSessions }) => {
    const cart = await quickCheckout.checkCart(input as AskedCart);
    return quickCheckout.open(cart, await cartSessions.open(cart));
  },
});

/** Tools of /mcp/shop, which takes no key. */
export const shopOperations: readonly Operation[] = [
  getCatalog,
  getPolicyWithoutKey,
  askWithoutKey,
  openQuickCheckout,
  getLinkOrder,
];
