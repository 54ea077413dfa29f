import { z } from "zod";
import { CatalogAnswer } from "../src/domain/catalog/catalog-answer.ts";
import { publicRead } from "../src/operations/operation.ts";

export const getCatalog = publicRead({
  name: "get_catalog",
  title: "Read the catalog",
  description:
    "The beans for sale in 8 oz bags: product_id for quotes, price, taste, and whether bags are free now.",
  tag: "Information",
  http: { method: "GET", path: "/v1/catalog", status: 200 },
  limits: ["catalog"],
  input: z.strictObject({}),
  output: CatalogAnswer,
  run: (_call, { information }) => information.catalog(),
});
