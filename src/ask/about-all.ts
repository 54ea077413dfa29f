/**
 * Answers where the question names no bean: recommendations, filters and lists over all of them.
 */
import type { Product } from "../domain/catalog/catalog.ts";
import { describe, fact, nameOf, type Piece, piece } from "./describe.ts";
import { recommend } from "./recommend.ts";
import type { Settled } from "./settle.ts";
import { fold, join, lowerFirst, upperFirst } from "./text.ts";
import { holds, position } from "./traits.ts";
import { SCALE_WORDS } from "./vocabulary/flavours.ts";
import type { Value } from "./vocabulary/values.ts";
import { factsOf, hasWishes } from "./wishes.ts";

export function aboutAll(pool: readonly Product[], asked: Settled): Piece[] {
  const filtered = asked.values.length > 0 ? byValue(pool, asked) : [];
  if (hasWishes(asked)) {
    const matching = asked.values.length > 0 ? pool.filter((one) => fits(one, asked)) : pool;
    const from = matching.length > 0 ? matching : pool;
    const { superlative, subjects } = asked;
    const how = { decafWelcome: asked.decaf === true, superlative, subjects };
    return [...(matching.length > 0 ? [] : filtered), ...recommend(from, asked, how)];
  }
  const named = asked.values.length > 0 ? pool.filter((one) => fits(one, asked)) : [];
  // "What do the light roasts taste like?"
  if (named.length > 0 && asked.subjects.length > 0)
    return named.flatMap((one) => asked.subjects.map((subject) => describe(one, subject)));
  if (asked.values.length > 0) return filtered;
  if (asked.subjects.length > 0)
    return asked.subjects.flatMap((subject) =>
      subject === "brewing" ? [methods(pool)] : pool.map((product) => describe(product, subject)),
    );
  if (asked.topics.length > 0 || asked.elsewhere.length > 0) return [];
  if (asked.cues.has("RECOMMEND") || asked.unwanted.length > 0 || asked.decaf === false)
    return pool.map((product) => describe(product, "choose_if"));
  const everything = asked.cues.has("ABOUT") && asked.cues.has("EVERY");
  return everything || asked.cues.has("LIST") || asked.cues.has("COMPARE") ? [menu(pool)] : [];
}

const fits = (product: Product, { values }: Settled) =>
  values.every(({ value, wanted }) => holds(product, value) === wanted);

/** "Which are washed?", "any dark roast?": those that are, or plainly none, with what there is. */
function byValue(products: readonly Product[], asked: Settled): Piece[] {
  const fields = new Set(asked.values.map(({ value }) => value.field));
  const all = products.filter((product) => fits(product, asked));
  // "A washed light roast": both at once, where there is such a coffee.
  if (fields.size > 1 && fields.size === asked.values.length && all.length > 0)
    return all.flatMap((product) => [...fields].map((field) => describe(product, field)));
  return asked.values.flatMap(({ value, wanted }) => {
    const having = products.filter((product) => holds(product, value) === wanted);
    const label = value.field === "roast" ? `${value.label} roast` : value.label;
    if (having.length > 0) {
      const facts = factsOf(having.map((product) => describe(product, value.field)));
      return [
        piece(upperFirst(`${wanted ? "" : "not "}${label}: ${join(having.map(nameOf))}.`), facts),
      ];
    }
    const none = piece(wanted ? `We have no ${label} coffee.` : `All our coffees are ${label}.`);
    return [none, ...nearest(products, value).map((product) => describe(product, value.field))];
  });
}

/** What to show instead of a roast we do not have: the closest ones. Other values have no order. */
function nearest(products: readonly Product[], value: Value): readonly Product[] {
  const target = SCALE_WORDS.roast[fold(value.label).replace(" ", "-")];
  if (value.field !== "roast" || target === undefined) return products;
  const distance = (product: Product) => Math.abs((position(product, "roast") ?? 9) - target);
  const least = Math.min(...products.map(distance));
  return products.filter((product) => distance(product) === least);
}

function methods(products: readonly Product[]): Piece {
  const lines = products.map(
    (product) =>
      `${nameOf(product)}: ${join(product.facts.brewing.map(({ method }) => lowerFirst(method)))}`,
  );
  const facts = products.flatMap((product) =>
    product.facts.brewing.map(({ method, advice }) =>
      fact(product, "brewing", `${method}: ${advice}`),
    ),
  );
  return piece(
    `We have brewing advice for these. ${lines.join("; ")}. Name one for its recipe.`,
    facts,
  );
}

function menu(products: readonly Product[]): Piece {
  const lines = products.map((product) => {
    const roast = lowerFirst(product.roast_level);
    return `${nameOf(product)} (${roast} roast: ${join(product.facts.tasting_notes)})`;
  });
  const facts = products.flatMap((product) => [
    ...describe(product, "roast").facts,
    ...describe(product, "tasting_notes").facts,
  ]);
  return piece(`Our coffees: ${lines.join("; ")}.`, facts);
}
