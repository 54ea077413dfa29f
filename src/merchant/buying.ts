import { type Naming, named, type ToolName } from "../core/next-step.ts";

/**
 * The only description of buying. The MCP instructions, /agent-info, /llms.txt, the OpenAPI document, tool
 * descriptions, the front page and docs/ are made from these steps.
 */
interface BuyingStep {
  tool: ToolName;
  /** Completes a sentence that begins with the operation. */
  how: string;
  /** Other operations that help here, as sentences of the same form. */
  also?: readonly (readonly [tool: ToolName, how: string])[];
  /** Differences between MCP and HTTP. */
  own?: Partial<Record<Naming, string>>;
  /** What the agent does with the answer. */
  after?: string;
  /** The same for people, who pay. */
  person?: string;
}

const CHOOSE: BuyingStep = {
  tool: "get_catalog",
  how: "for product_id and prices",
  also: [
    ["ask", "with q about taste and brewing"],
    ["get_policy", "about shipping, discounts and cancellation"],
  ],
  person: "Your agent reads the catalog and asks what you like.",
};

/** With a key: any number of recipients. */
export const BY_QUOTE: readonly BuyingStep[] = [
  CHOOSE,
  {
    tool: "register_agent",
    how: "once for a key",
    own: {
      tools:
        "Pass it as api_key or configure Authorization: Bearer; on stdio the connection keeps it. Writes take " +
        "idempotency_key: a new one per intent, the same one for a retry.",
      endpoints:
        "Send it as Authorization: Bearer <API_KEY>. Writes take Idempotency-Key: a new one per intent, the " +
        "same one for a retry.",
    },
  },
  {
    tool: "request_quote",
    how: "with the buyer's email, addresses and bags: an exact total that never changes",
    after: "Show the buyer the total.",
    person: "It prepares a quote: beans, addresses, gift notes and the exact total.",
  },
  {
    tool: "create_checkout",
    how: "with quote_hash, once the buyer agrees",
    after: "Give the buyer review_url as plain text on its own line. You never pay or order.",
    person:
      "It hands you a link. You see every line, then pay on the payment provider’s page. That is your " +
      "approval; your agent never pays.",
  },
  {
    tool: "get_quote_order",
    how: "with wait=25 answers once the buyer has paid or a first payment failed; repeat it until paid",
    also: [["list_order_events", "follows the order"]],
    person: "We roast and ship. Your agent follows the order, and so can you.",
  },
];

/** Without a key, also for clients that can only send GET. */
export const BY_PAGE: readonly BuyingStep[] = [
  CHOOSE,
  {
    tool: "build_quick_checkout_link",
    how: "with the bags, and a gift note or discount code if wanted: one page per recipient",
    own: { endpoints: "Add format=json." },
    after:
      "Tell the buyer the total, give checkout_url as plain text on its own line and keep it. The buyer enters " +
      "email and the recipient's address there and pays; you never do.",
  },
  {
    tool: "get_link_order",
    how: "with checkout_url and wait=25 answers once the buyer has paid or a first payment failed, later with tracking and refunds",
    after:
      "Never make a second page for a purchase that may be paid. To cancel or ask the shop, the buyer opens the " +
      "paid page again.",
  },
];

/** Each step in the caller's words. */
export const buyingSteps = (steps: readonly BuyingStep[], naming: Naming): string[] =>
  steps.map(({ tool, how, also = [], own, after }) => {
    const parts = [[tool, how] as const, ...also];
    const sentence = parts.map(([name, does]) => `${named(name, naming)} ${does}`).join("; ");
    return [`${sentence}.`, own?.[naming], after].filter(Boolean).join(" ");
  });

export const numbered = (steps: readonly string[]): string =>
  steps.map((text, i) => `${i + 1}. ${text}`).join("\n");

/** End of a tool's description: what to do with its answer, and the call that follows. */
export function afterCall(tool: ToolName, steps: readonly BuyingStep[] = BY_QUOTE): string {
  const at = steps.findIndex((step) => step.tool === tool);
  return `${steps[at]!.after} Then call ${steps[at + 1]!.tool}.`;
}
