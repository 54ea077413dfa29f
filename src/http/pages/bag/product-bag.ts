import type { Product } from "../../../domain/catalog/catalog.ts";
import { bagPicture } from "./bag.ts";

/** The picture of a bean of the catalog, as SVG. */
export const productBag = ({
  name_to_use_with_humans: name,
  roast_level,
  decaf,
  facts,
}: Product): string =>
  bagPicture({
    name,
    country: facts.country,
    region: facts.region,
    process: facts.process,
    roastLevel: roast_level,
    notes: facts.tasting_notes,
    decaf,
  });
