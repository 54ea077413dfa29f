import { liveFacts } from "../agents/finder-verbs.ts";
import { sections } from "../ask/sections.ts";
import { isExclusive, type Product } from "../catalog/catalog.ts";
import {
  type CatalogAnswer,
  CatalogProduct,
  type ListedProduct,
  NOT_SOLD_HERE,
  STOCK_UNKNOWN,
  stockInWords,
} from "../catalog/catalog-answer.ts";
import { madeFrom } from "../catalog/live-catalog.ts";
import { sameFields } from "../core/answer.ts";
import { freeBagsOf } from "../core/bags.ts";
import { MerchantError } from "../core/errors.ts";
import { CURRENCY, display } from "../core/money.ts";
import { type Naming, step } from "../core/next-step.ts";
import { CONTRACT_VERSION, FIRST_ORDER_SETTING, firstOrderOn, LIMITS } from "../core/policy.ts";
import { KEYLESS_LIMITS, PURCHASE_LIMITS, publishedLimits } from "../core/rate-limits.ts";
import { type PolicyAnswer, pauseAt, pauseView, promises } from "../core/shop.ts";
import type { Context } from "../payments/provider.ts";
import { agentInfo, offers, policyOf } from "./agent-info.ts";
import { guide } from "./guide.ts";

const listed = (product: Product, baseUrl: string): ListedProduct => ({
  ...sameFields(CatalogProduct, product),
  roast: product.facts.roast,
  tasting_notes: product.facts.tasting_notes,
  brewing: product.facts.brewing,
  price_display: display(product.price_minor),
  image_url: `${baseUrl}/assets/coffee.jpg`,
  locked: isExclusive(product),
});

const WITHOUT_KEY = new WeakMap<CatalogAnswer, CatalogAnswer>();

/** The catalog where no key is taken: the exclusive bean is shown, and not sold. */
function withoutKey(catalog: CatalogAnswer): CatalogAnswer {
  const known = WITHOUT_KEY.get(catalog);
  if (known) return known;
  const products = catalog.products.map((product) => {
    if (!product.locked) return product;
    const { free_bags: _, ...shown } = product;
    return { ...shown, stock: NOT_SOLD_HERE };
  });
  const answer = Object.freeze({ ...catalog, products });
  WITHOUT_KEY.set(catalog, answer);
  return answer;
}

/** Limits that a buyer can run into; agent-info has all. A checkout page has one shipment. */
const PAGE_LIMITS = ["quantity_per_line", "bags_per_order", "gift_note_characters"] as const;
const ORDER_LIMITS = [...PAGE_LIMITS, "shipments_per_order", "lines_per_shipment"] as const;

/** Public information (contract §18). */
export function informationVerbs(context: Context) {
  const { catalog, baseUrl, store, provider, rateLimits } = context;
  const products = madeFrom(catalog, ({ products }) =>
    products.map((product) => listed(product, baseUrl)),
  );
  /** Free bags of each product. */
  const freeNow = async () => {
    const stock = await catalog.shownStock();
    return catalog.products.map(({ product_id }) => freeBagsOf(stock, product_id));
  };
  const beansWith = (free: readonly number[]) =>
    catalog.products.map((product, i) => ({
      product,
      free: free[i]!,
      view: { ...products()[i]!, ...stockInWords(product, free[i]!) },
    }));
  /** Null if the database is away: beans and prices are known without it, stock isn't. */
  const unknownStock = (error: unknown): null => {
    if (error instanceof MerchantError && error.code === "STORE_UNAVAILABLE") return null;
    throw error;
  };
  let last: { products: ListedProduct[]; now: string; answer: CatalogAnswer } | undefined;

  /** The same frozen object until a product or its free bags change, for all requests. */
  async function catalogNow(): Promise<CatalogAnswer> {
    const free = await freeNow().catch(unknownStock);
    const paused = pauseNow();
    const now = { products: products(), now: JSON.stringify([free, paused]) };
    if (last?.products === now.products && last.now === now.now) return last.answer;
    const answer = Object.freeze({
      contract_version: CONTRACT_VERSION,
      sells: promises(context.shop).sells,
      currency: CURRENCY,
      ...paused,
      products: free
        ? beansWith(free).map(({ view }) => view)
        : now.products.map((product) => ({ ...product, stock: STOCK_UNKNOWN })),
      next: [
        step("get_policy", "Shipping, delivery, and the discount codes that run."),
        step("ask", "Ask about origin, process, varieties, roast, tasting notes or brewing."),
        step("request_quote", "Get an exact price for a buyer. Register for the key; it is free."),
        step("build_quick_checkout_link", "Without a key: one page for each recipient."),
      ],
    });
    last = { ...now, answer };
    return answer;
  }
  const pauseNow = () => {
    const pause = pauseAt(context, context.clock());
    return pause ? { pause: pauseView(pause) } : {};
  };
  const firstOrderRuns = async () => firstOrderOn(await store.queries.setting(FIRST_ORDER_SETTING));
  const input = async () => ({
    ...context,
    mode: provider.mode,
    products: products(),
    firstOrderRuns: await firstOrderRuns(),
  });
  return {
    catalog: catalogNow,
    catalogWithoutKey: async () => withoutKey(await catalogNow()),
    beans: async () => beansWith(await freeNow()),
    /** Listed products, in stock or not. */
    get products() {
      return products();
    },
    firstOrderRuns,
    agentInfo: async (naming: Naming) => agentInfo(await input(), naming),
    /** `keyless`: for an interface that takes no key. */
    policy: async (keyless = false): Promise<PolicyAnswer> => ({
      ...policyOf(context.shop),
      ...(keyless && { gift_notes: promises(context.shop).one_gift_note }),
      mode: provider.mode,
      contact: context.supportEmail ?? `${context.baseUrl}/contact`,
      ...pauseNow(),
      offers: offers(await firstOrderRuns(), context.shop),
      limits: Object.fromEntries(
        (keyless ? PAGE_LIMITS : ORDER_LIMITS).map((name) => [name, LIMITS[name]]),
      ),
      passages: sections(await liveFacts(context, keyless)),
      rate_limits: publishedLimits(rateLimits, keyless ? KEYLESS_LIMITS : PURCHASE_LIMITS),
      next: [step("get_catalog", "See the beans and their prices.")],
    }),
    guide: async () => guide(await input(), sections(await liveFacts(context, false))),
  };
}
