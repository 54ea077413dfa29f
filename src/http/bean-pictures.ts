import type { Express } from "express";
import type { Product } from "../domain/catalog/catalog.ts";
import { MerchantError } from "../domain/shared/errors.ts";
import type { Api } from "./api.ts";
import { bagPicture } from "./pages/bag/bag.ts";
import { Representation, sendRepresentation } from "./representation.ts";
import { mountGet } from "./request-context.ts";

/** Seconds that browsers keep a picture without asking. */
const KEPT = 300;

/** A bag for every bean, drawn from its facts (contract §1). */
export function mountBeanPictures(app: Express, { service }: Api): void {
  const drawn = new WeakMap<Product, Representation>();
  mountGet(app, "/assets/beans/:picture", async (req, res) => {
    const [, id = ""] = /^([a-z0-9-]{1,60})\.svg$/.exec(String(req.params.picture)) ?? [];
    const product = service.merchant.catalog.known(id);
    if (!product) throw new MerchantError("NOT_FOUND", "There is no picture of such a bean.");
    const picture = drawn.get(product) ?? new Representation("image/svg+xml", bagPicture(product));
    drawn.set(product, picture);
    await sendRepresentation(req, res, picture, `public, max-age=${KEPT}`);
  });
}
