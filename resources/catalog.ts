import type { Resource } from "../src/api/resource.ts";
import { refusal } from "../src/core/errors.ts";
import { step } from "../src/core/next-step.ts";
import type { Merchant } from "../src/merchant/merchant.ts";

const cache = { ttlMs: 60_000, cacheScope: "public" } as const;

const products = ({ information }: Merchant) => information.products;

export const catalog: Resource = {
  uri: "coffee://catalog",
  name: "catalog",
  title: "Catalog",
  description: "The beans for sale in 8 oz bags, with prices in cents of usd.",
  access: "public",
  cache,
  read: async (_call, { information }) => information.catalog(),
};

export const catalogProduct: Resource = {
  uri: "coffee://catalog/{product_id}",
  name: "product",
  title: "One bean",
  description: "One bean of the catalog: its price, roast, taste and use.",
  access: "public",
  cache,
  list: (merchant) =>
    products(merchant).map(({ product_id, name_to_use_with_humans }) => ({
      uri: `coffee://catalog/${product_id}`,
      name: product_id,
      title: name_to_use_with_humans,
    })),
  async read({ params }, merchant) {
    const beans = await merchant.information.beans();
    const bean = beans.find(({ view }) => view.product_id === params.product_id);
    if (bean) return bean.view;
    throw refusal("NOT_FOUND", "There is no such bean.", step("get_catalog", "See the beans."));
  },
};
