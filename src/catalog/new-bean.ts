import type { z } from "zod";
import type { Product } from "./catalog.ts";
import { ProductFields } from "./catalog.ts";

const { facts } = ProductFields.shape;
const { product_id, name, summary, choose_if, decaf, availability } = ProductFields.shape;

/** A new bean: what only the owner knows. Everything else is derived, and can be edited. */
export const NewBeanFields = ProductFields.pick({
  name_to_use_with_humans: true,
  price_minor: true,
  opening_stock: true,
  roast_level: true,
}).extend({
  product_id: product_id.optional(),
  name: name.optional(),
  summary: summary.optional(),
  choose_if: choose_if.optional(),
  decaf: decaf.optional(),
  availability: availability.optional(),
  facts: facts.partial().extend({ tasting_notes: facts.shape.tasting_notes }),
});

type NewBean = z.infer<typeof NewBeanFields>;

/** Countries of two words that coffee comes from; others are the first word of a bean's name. */
const LONG_COUNTRIES = [
  ...["Costa Rica", "El Salvador", "Papua New Guinea", "Dominican Republic", "East Timor"],
  ...["Sierra Leone", "Ivory Coast", "Puerto Rico", "Saudi Arabia", "Sri Lanka", "Timor-Leste"],
];

const FACT_CHARACTERS = 60;

/** Fills in what the owner left out. `taken`: ids of other beans. */
export function derivedBean(typed: NewBean, taken: readonly string[]): Product {
  const { name_to_use_with_humans: called, roast_level, facts } = typed;
  const first = /^[\p{L}'’-]+/u.exec(called)?.[0] ?? called;
  const known = LONG_COUNTRIES.find((one) => called.includes(one));
  const country = facts.country ?? known ?? first.slice(0, FACT_CHARACTERS);
  const tastes = inWords(facts.tasting_notes.slice(0, 3));
  const roast = roast_level.toLowerCase();
  return {
    name: called,
    summary: `${called}, a ${roast} roast that tastes of ${tastes}.`,
    choose_if: `You like ${tastes}.`,
    decaf: /\bdecaf/i.test(called),
    availability: "STOCKED",
    ...given(typed),
    name_to_use_with_humans: called,
    price_minor: typed.price_minor,
    opening_stock: typed.opening_stock,
    roast_level,
    product_id: typed.product_id ?? freeId(called, taken),
    facts: {
      country,
      region: "",
      process: "",
      varieties: [],
      roast: `A ${roast} roast.`,
      brewing: [],
      ...given(facts),
      tasting_notes: facts.tasting_notes,
    },
  };
}

/** Without absent fields, which must not replace derived ones. */
const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const inWords = (notes: readonly string[]): string =>
  new Intl.ListFormat("en-US").format(notes.map((note) => note.toLowerCase()));

/** `Colombia Huila` → `colombia-huila`, with a number if another bean has that. */
function freeId(called: string, taken: readonly string[]): string {
  const plain = called.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const id =
    plain
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 50) || "bean";
  for (let number = 1; ; number++) {
    const named = number === 1 ? id.replace(/-$/, "") : `${id}-${number}`;
    if (!taken.includes(named)) return named;
  }
}
