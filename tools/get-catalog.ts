import { z } from "zod";
import { publicRead } from "../src/api/operation.ts";
import { CatalogAnswer } from "../src/catalog/catalog-answer.ts";

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
