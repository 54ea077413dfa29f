import type { Product } from "../domain/catalog/catalog.ts";
import type { CatalogAnswer, CatalogProduct } from "../domain/catalog/catalog-answer.ts";
import { FIRST_ORDER_SETTING } from "../domain/quote/quote-rules.ts";
import { freeBags } from "../domain/shared/bags.ts";
import { CURRENCY, display } from "../domain/shared/money.ts";
import { step } from "../domain/shared/next-step.ts";
import { CONTRACT_VERSION, LIMITS } from "../domain/shared/policy.ts";
import type { PolicyAnswer } from "../domain/shared/policy-answer.ts";
import { publishedLimits } from "../domain/shared/rate-limits.ts";
import { agentInfo, offers, policy, unpaidHolds } from "./agent-info.ts";
import type { Context } from "./context.ts";
import { guide } from "./guide.ts";

const productView = (product: Product, baseUrl: string): CatalogProduct => ({
  product_id: product.product_id,
  name: product.name,
  name_to_use_with_humans: product.name_to_use_with_humans,
  price_minor: product.price_minor,
  price_display: display(product.price_minor),
  currency: CURRENCY,
  roast_level: product.roast_level,
  summary: product.summary,
  choose_if: product.choose_if,
  image_url: `${baseUrl}/assets/coffee.jpg`,
  decaf: product.decaf,
  availability: product.availability,
  locked: product.availability === "EXCLUSIVE",
});

/** What everybody may read without a key (contract §18). */
export function informationVerbs(context: Context) {
  const { catalog, baseUrl, store, provider, supportEmail, rateLimits } = context;
  const products = catalog.products.map((product) => productView(product, baseUrl));
  const answer: CatalogAnswer = {
    contract_version: CONTRACT_VERSION,
    currency: CURRENCY,
    products,
    next: [
      step("ask", "Ask about origin, process, varieties, roast, tasting notes or brewing."),
      step("request_quote", "Get an exact, immutable price for a buyer."),
    ],
  };
  const firstOrderRuns = async () => (await store.queries.setting(FIRST_ORDER_SETTING)) !== "off";
  const input = async () => ({
    baseUrl,
    catalog,
    products,
    firstOrderRuns: await firstOrderRuns(),
    supportEmail,
    paymentMode: provider.mode,
    rateLimits,
  });
  return {
    catalog: () => answer,
    /** The beans as they are now, each with the bags that are not held. */
    async beans(): Promise<{ product: Product; free: number }[]> {
      const stock = await store.queries.stock();
      return catalog.products.map((product) => {
        const row = stock.find(({ product_id }) => product_id === product.product_id);
        return { product, free: freeBags(row) };
      });
    },
    product: (productId: string) => products.find((p) => p.product_id === productId),
    firstOrderRuns,
    agentInfo: async () => agentInfo(await input()),
    policy: async (): Promise<PolicyAnswer> => ({
      ...policy(),
      mode: provider.mode,
      contact: supportEmail ?? null,
      offers: offers(await firstOrderRuns()),
      limits: LIMITS,
      unpaid_holds: unpaidHolds(),
      rate_limits: publishedLimits(rateLimits),
      next: [step("get_catalog", "See the beans and their prices.")],
    }),
    guide: async () => guide(await input()),
  };
}
