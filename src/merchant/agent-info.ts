import type { Catalog } from "../catalog/catalog.ts";
import type { ListedProduct } from "../catalog/catalog-answer.ts";
import { type PaymentMode, playMoney } from "../core/answer.ts";
import { CURRENCY } from "../core/money.ts";
import { type Naming, named, placeOf, type ToolName } from "../core/next-step.ts";
import {
  CONTRACT_VERSION,
  FIRST_ORDER,
  HOUR_MS,
  LIMITS,
  POLICY_VERSION,
  RETENTION_DAYS,
  TIMES,
} from "../core/policy.ts";
import { publishedLimits } from "../core/rate-limits.ts";
import { promises, type Shop, waitingRule } from "../core/shop.ts";
import { years } from "../core/time.ts";
import type { Context } from "../payments/provider.ts";
import { BY_PAGE, BY_QUOTE, buyingSteps } from "./buying.ts";

/** The policy in words, made from the numbers that the rules use (contract §17). */
export function policyOf(shop: Shop) {
  const said = promises(shop);
  return {
    policy_version: POLICY_VERSION,
    ship_to: SHIP_TO,
    substitutions: said.substitutions,
    refunds: said.refunds,
    cancellation: said.cancellation,
    delivery: said.delivery,
    shipping: {
      rule: said.shipping,
      per_address_minor: shop.shipping_per_address_minor,
      free_from_minor: shop.free_shipping_from_minor,
      currency: CURRENCY,
    },
    gift_notes: said.gift_notes,
    courtesies: said.courtesies,
    tax: said.tax,
    payment: `${said.approval} ${said.charge}`,
  };
}

const SHIP_TO = ["US"];

export function offers(firstOrderRuns: boolean, shop: Shop) {
  const { code } = FIRST_ORDER;
  const { first_order, spend } = promises(shop);
  return [
    { kind: "FIRST_ORDER", code, active: firstOrderRuns, rule: first_order },
    { kind: "SPEND", code: null, active: true, rule: spend },
  ];
}

const erasedAfter = (count: number | undefined): string =>
  count === undefined
    ? ""
    : ` A customer's names, addresses and emails are erased ${years(count)} after the last order.`;

export interface AgentInfoInput
  extends Pick<
    Context,
    | "baseUrl"
    | "offersUcp"
    | "supportEmail"
    | "privacyUrl"
    | "termsUrl"
    | "rateLimits"
    | "shop"
    | "customerDataYears"
    | "mailer"
  > {
  catalog: Pick<Catalog, "products">;
  mode: PaymentMode;
  products: ListedProduct[];
  firstOrderRuns: boolean;
}

/** GET /agent-info: everything an agent needs to know before it starts, every key of contract §18. */
export const agentInfo = (input: AgentInfoInput, naming: Naming) => ({
  ...aboutTheShop(input, naming),
  // An agent with tools needs no addresses.
  ...(naming === "endpoints" && {
    catalog: `${input.baseUrl}/v1/catalog`,
    openapi: `${input.baseUrl}/openapi.json`,
    mcp: `${input.baseUrl}/mcp`,
    errors: `${input.baseUrl}/errors`,
  }),
});

function aboutTheShop(input: AgentInfoInput, naming: Naming) {
  const { catalog, products, shop } = input;
  const at = (tool: ToolName) => named(tool, naming);
  const notice = playMoney(input.mode);
  const said = promises(shop);
  const locked = products.filter((p) => p.locked);
  return {
    merchant: {
      name: shop.name,
      sells: said.sells,
      payment_mode: input.mode,
      ...(notice !== null && { notice }),
      certified: "A local contract, not certified against any external standard.",
      ...(input.privacyUrl && { privacy_policy: input.privacyUrl }),
      ...(input.termsUrl && { terms_of_service: input.termsUrl }),
    },
    contract_version: CONTRACT_VERSION,
    support: {
      email: input.supportEmail ?? null,
      how: `Use ${at("send_feedback")}, with order_id if it is about an order; ${at("request_cancellation")} to cancel.`,
    },
    currency: CURRENCY,
    ship_to: SHIP_TO,
    approval_policy: {
      rule: said.approval,
      steps: buyingSteps(BY_QUOTE, naming),
      quick_checkout: `Without a key: ${buyingSteps(BY_PAGE, naming).slice(1).join(" ")}`,
    },
    gifting: {
      rule: said.gift_notes,
      how: "shipments[].gift_notes in a quote request: the first note goes with the first bag, and so on.",
      several_recipients:
        "One entry in shipments per destination; shipping is counted per address.",
    },
    brewing: catalog.products.map(({ product_id, facts }) => ({
      product_id,
      advice: facts.brewing,
    })),
    choosing_guide: products.map(({ product_id, choose_if }) => ({ product_id, choose_if })),
    // The catalog has all fields.
    beans: products.map(({ product_id, name_to_use_with_humans, price_minor, price_display }) => ({
      product_id,
      name_to_use_with_humans,
      price_minor,
      price_display,
    })),
    ...(locked.length > 0 && {
      exclusive_bean: {
        product_ids: locked.map((p) => p.product_id),
        rule:
          "Listed but locked: quotes and checkout need a finder key, earned by three good questions at " +
          `${at("ask")} with your key. Send it as ${placeOf("finder_key", naming)}.`,
      },
    }),
    policy: policyOf(shop),
    offers: offers(input.firstOrderRuns, shop),
    limits: LIMITS,
    rate_limits: publishedLimits(input.rateLimits),
    retention: {
      rule:
        "Orders with their quotes, events and payments, the audit log and incidents are kept. The rest is " +
        "deleted after these days: unpaid quotes and keys that end count from their end, other rows " +
        `from their creation.${erasedAfter(input.customerDataYears)}`,
      days: RETENTION_DAYS,
      idempotency_hours: TIMES.idempotency_ms / HOUR_MS,
    },
    ...howTo(waitingRule(input.mailer !== undefined), at),
  };
}

/** Actions besides buying. */
const howTo = (waiting: string, at: (tool: ToolName) => string) => ({
  waitlist: {
    rule: `For beans with availability WAITLIST. A quote for more bags than are in stock is WAITLIST_OFFERED. Joining returns status_url, the page for the buyer. ${waiting}`,
    join: at("join_waitlist"),
    eta: null,
  },
  ask: {
    how: `${at("ask")} with q: the question. No key needed.`,
    scope:
      "The catalog's facts (origin, process, varieties, roast, tasting notes, brewing), its prices and " +
      "the policy. Not for hunting deals.",
  },
  feedback: {
    how: `${at("send_feedback")} {message, order_id?}; at most ${LIMITS.feedback_characters} characters.`,
    rule: "Never send card numbers, keys or other secrets; such messages are refused.",
  },
  bulk_leads: {
    how: `${at("send_bulk_lead")} {email, purpose, quantity?, organization?}.`,
    rule: "The merchant follows up by email; no pricing, availability or timing is promised.",
  },
});
