import { z } from "zod";
import { isExclusive } from "../catalog/catalog.ts";
import { NOT_SOLD_HERE } from "../catalog/catalog-answer.ts";
import { isForm, words } from "../catalog/words.ts";
import { MerchantError, unknownTo } from "../core/errors.ts";
import { text, whole } from "../core/fields.ts";
import { CURRENCY } from "../core/money.ts";
import { LIMITS } from "../core/policy.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { type Content, info, type Message } from "./envelope.ts";

type Bean = Awaited<ReturnType<Merchant["information"]["beans"]>>[number];

const usd = (amount: number) => ({ amount, currency: CURRENCY.toUpperCase() });

export const picture = (baseUrl: string, productId: string): string =>
  `${baseUrl}/assets/beans/${productId}.svg`;

/** A bean has one size, so a product and its only variant share an id. */
function product({ product: bean, free, view }: Bean, baseUrl: string, inputs?: object[]) {
  const { product_id: id, name_to_use_with_humans: title, summary, choose_if, price_minor } = bean;
  const price = usd(price_minor);
  const inStock = isOnSale(bean, free);
  return {
    id,
    title,
    description: { plain: summary },
    url: `${baseUrl}/beans/${id}`,
    price_range: { min: price, max: price },
    media: [{ type: "image", url: picture(baseUrl, id), alt_text: `A bag of ${title}` }],
    variants: [
      {
        id,
        title: "8 oz bag, whole bean",
        description: { plain: `${choose_if} ${isExclusive(bean) ? NOT_SOLD_HERE : view.stock}` },
        price,
        availability: { available: inStock, status: inStock ? "in_stock" : "out_of_stock" },
        ...(inputs && { inputs }),
      },
    ],
  };
}

/** The locked bean is listed, and sold only to agents with a finder key. */
const isOnSale = (bean: Bean["product"], free: number): boolean => !isExclusive(bean) && free > 0;

const PAGE = { usual: 10, most: 50 } as const;

/** In cents. */
const Price = whole({ least: 0, most: 1_000_000_000 });

export const SearchInput = z
  .looseObject({
    query: text({ what: "The query", most: LIMITS.question_characters, least: 0 })
      .nullish()
      .describe('Any of its words may match; "coffee" or "*" lists all.'),
    filters: z
      .looseObject({
        price: z.looseObject({ min: Price.nullish(), max: Price.nullish() }).nullish(),
        available: z.boolean().nullish(),
      })
      .nullish(),
    pagination: z
      .looseObject({
        limit: whole({ least: 1, most: 1_000_000 })
          .nullish()
          .describe(`Of at most ${PAGE.most}; usually ${PAGE.usual}.`),
        cursor: text({
          what: "The cursor",
          most: 7,
          least: 0,
          rules: [
            (value) => (/^o\d{1,6}$/.test(value) ? null : "Send the cursor of the last page."),
          ],
        }).nullish(),
      })
      .nullish(),
  })
  .refine(({ query, filters }) => (query ?? filters ?? null) !== null, "Send query or filters.");

export async function search(
  merchant: Merchant,
  { query, filters, pagination }: z.output<typeof SearchInput>,
): Promise<Content> {
  const wanted = words(query ?? "").filter((word) => !EVERYWHERE.has(word));
  const { min, max } = filters?.price ?? {};
  const available = filters?.available ?? null;
  const beans = (await merchant.information.beans()).map((bean) => ({
    ...bean,
    score: matches(wanted, bean.product),
  }));
  const inOrder = beans.toSorted((one, other) => other.score - one.score);
  const found = inOrder.filter(
    ({ product: bean, free, score }) =>
      (wanted.length === 0 || score > 0) &&
      (min ?? 0) <= bean.price_minor &&
      bean.price_minor <= (max ?? Infinity) &&
      (available === null || available === isOnSale(bean, free)),
  );
  const limit = Math.min(pagination?.limit ?? PAGE.usual, PAGE.most);
  const from = Number(pagination?.cursor?.slice(1) ?? 0);
  const next = from + limit;
  const more = next < found.length;
  const { price: _, available: __, ...ignored } = filters ?? {};
  return {
    uses: ["catalog.search"],
    products: found.slice(from, next).map((bean) => product(bean, merchant.baseUrl)),
    pagination: {
      has_next_page: more,
      total_count: found.length,
      ...(more && { cursor: `o${next}` }),
    },
    messages: Object.keys(ignored)
      .slice(0, LIMITS.problems)
      .map((name) => info("filter_ignored", `There is no filter "${name.slice(0, 40)}" here.`)),
  };
}

/** The number of the query's words that the bean has. */
function matches(query: readonly string[], bean: Bean["product"]): number {
  const { name, name_to_use_with_humans, summary, roast_level, choose_if, facts } = bean;
  const { country, region, process, varieties, tasting_notes } = facts;
  const texts = [name, name_to_use_with_humans, summary, roast_level, choose_if, country, region];
  const own = words([...texts, process, ...varieties, ...tasting_notes].join(" "));
  return query.filter((word) => own.some((one) => one.startsWith(word) || isForm(word, one)))
    .length;
}

/** Words that fit every bean, or say nothing about one. */
const EVERYWHERE = new Set(
  words(
    "a an the and or of for from in on at to with without by is are be do does have has i me my we you your " +
      "it that this some any all best good great nice new buy get find show list give want need like please " +
      "what which who how much can could would coffee coffees bean beans roast roasts roasted roaster " +
      "whole single origin origins specialty gourmet bag bags pack 8 oz ounce ounces product products shop store",
  ),
);

/** Each known bean once, in the order in which it was asked for. */
export async function lookup(
  merchant: Merchant,
  { ids }: { ids: readonly string[] },
): Promise<Content> {
  if (ids.length > PAGE.most) {
    throw new MerchantError("LIMIT_EXCEEDED", `At most ${PAGE.most} ids in one lookup.`);
  }
  const beans = await merchant.information.beans();
  const messages: Message[] = [];
  const products = [...new Set(ids)].flatMap((id) => {
    const bean = beans.find((one) => one.product.product_id === id);
    if (bean) return [product(bean, merchant.baseUrl, [{ id, match: "exact" }])];
    messages.push(info("not_found", `There is no product "${id.slice(0, 80)}".`));
    return [];
  });
  return { uses: ["catalog.lookup"], products, messages };
}

export async function getProduct(merchant: Merchant, { id }: { id: string }): Promise<Content> {
  const beans = await merchant.information.beans();
  const bean = beans.find((one) => one.product.product_id === id);
  if (!bean) throw unknownTo("product");
  return { uses: ["catalog.lookup"], product: product(bean, merchant.baseUrl) };
}
