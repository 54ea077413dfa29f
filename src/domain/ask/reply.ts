/** From a reading of the question to the answer: the order in which things are looked at. */
import type { Catalog, Product } from "../catalog.ts";
import { aboutBeans } from "./about-beans.ts";
import type { Answer, DeclineReason, Fact } from "./answer.ts";
import { describe, fact, nameOf, type Piece, piece } from "./describe.ts";
import { factsOf, hasWishes, recommend } from "./pick.ts";
import type { Settled } from "./settle.ts";
import { fold, join, lowerFirst, upperFirst } from "./text.ts";
import { holds, position } from "./traits.ts";
import { DECLINE_SAYS } from "./vocabulary/declines.ts";
import type { Value } from "./vocabulary/fields.ts";
import { SCALE_WORDS } from "./vocabulary/flavours.ts";
import { TOPICS } from "./vocabulary/topics.ts";

/** The last resort when no word was understood: a search over the facts. */
export type Search = (words: readonly string[]) => Piece[];

const ASK_ME =
  "Ask me about origin, process, variety, roast, tasting notes or brewing of any of our coffees";

/** Reasons that rule the whole question out; beside the others the rest of it is still answered. */
const WHOLLY: readonly DeclineReason[] = ["KEY_REQUEST", "CODES", "PROMPT_INJECTION", "OFF_TOPIC"];

export function reply(catalog: Catalog, asked: Settled, search: Search): Answer {
  if (asked.declines.length > 0) return decline(catalog, asked);
  const pieces = [...elsewhere(catalog, asked), ...body(catalog, asked), ...topics(asked)];
  if (pieces.length > 0) return answerOf(catalog, pieces);
  if (asked.cues.has("GREETING") || asked.words.length === 0)
    return answerOf(catalog, [help(catalog)]);
  const found = search(asked.unread);
  return answerOf(catalog, found.length > 0 ? found : [unknown(catalog)]);
}

function answerOf(catalog: Catalog, pieces: readonly Piece[], declined?: DeclineReason): Answer {
  const texts = pieces.map((one) => one.text).filter((one) => one !== "");
  const text = withPronouns(texts, catalog.products.map(nameOf)).join(" ");
  const facts = unique(factsOf(pieces));
  return declined ? { answer: text, facts, declined } : { answer: text, facts };
}

/** A bean named in the piece before, and alone there, is "it" in the next. */
function withPronouns(texts: readonly string[], names: readonly string[]): string[] {
  return texts.map((text, index) => {
    const before = texts[index - 1] ?? "";
    const named = names.filter((name) => before.includes(name));
    const [name] = named;
    if (named.length !== 1 || name === undefined) return text;
    if (text.startsWith(`Choose ${name} `)) return `Choose it${text.slice(7 + name.length)}`;
    return text.startsWith(`${name} `) ? `It${text.slice(name.length)}` : text;
  });
}

function unique(facts: readonly Fact[]): Fact[] {
  const seen = new Map(facts.map((one) => [`${one.product_id}\n${one.field}\n${one.value}`, one]));
  return [...seen.values()];
}

function decline(catalog: Catalog, asked: Settled): Answer {
  const [reason, ...others] = asked.declines;
  const alone = asked.declines.some((one) => WHOLLY.includes(one));
  const said = alone ? [reason!] : [reason!, ...others];
  const rest = alone || !asked.specific ? [] : body(catalog, asked);
  return answerOf(
    catalog,
    [
      ...said.map((one) => piece(DECLINE_SAYS[one])),
      ...(rest.length > 0 ? rest : [piece(`${ASK_ME}.`)]),
    ],
    reason,
  );
}

function body(catalog: Catalog, asked: Settled): Piece[] {
  const all = catalog.products.filter(({ product_id }) => !asked.unwanted.includes(product_id));
  const beans = asked.beans.flatMap((id) => catalog.find(id) ?? []);
  if (beans.length > 0) return aboutBeans(beans, all, asked);
  const pool = asked.decaf === false ? all.filter(({ decaf }) => !decaf) : all;
  const filtered = asked.values.length > 0 ? byValue(pool, asked) : [];
  if (hasWishes(asked)) {
    const matching = asked.values.length > 0 ? pool.filter((one) => fits(one, asked)) : pool;
    const from = matching.length > 0 ? matching : pool;
    const how = { decafWelcome: asked.decaf === true, superlative: asked.superlative };
    return [...(matching.length > 0 ? [] : filtered), ...recommend(from, asked, how)];
  }
  if (asked.values.length > 0) return filtered;
  if (asked.subjects.length > 0)
    return asked.subjects.flatMap((subject) =>
      subject === "brewing" ? [methods(pool)] : pool.map((product) => describe(product, subject)),
    );
  if (asked.topics.length > 0 || asked.elsewhere.length > 0) return [];
  if (asked.cues.has("RECOMMEND") || asked.unwanted.length > 0 || asked.decaf === false)
    return pool.map((product) => describe(product, "choose_if"));
  return asked.cues.has("LIST") || asked.cues.has("COMPARE") ? [menu(pool)] : [];
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
  const lines = products.map(
    (product) =>
      `${nameOf(product)} (${lowerFirst(product.roast_level)} roast: ${join(product.facts.tasting_notes)})`,
  );
  const facts = products.flatMap((product) => [
    ...describe(product, "roast").facts,
    ...describe(product, "tasting_notes").facts,
  ]);
  return piece(`Our coffees: ${lines.join("; ")}.`, facts);
}

/** A coffee place nothing here comes from: said plainly, with what there is. */
function elsewhere(catalog: Catalog, asked: Settled): Piece[] {
  return asked.elsewhere.map(({ place, near }) => {
    const beans = catalog.products.filter(({ product_id }) => {
      return near.length === 0 || near.includes(product_id);
    });
    const told = beans.map((product) => describe(product, "origin"));
    const nothing = `None of our coffees is listed as coming from ${place}.`;
    if (near.length > 0)
      return piece([nothing, ...told.map((t) => t.text)].join(" "), factsOf(told));
    return piece(`${nothing} We have ${join(beans.map(nameOf))}.`, factsOf(told));
  });
}

const topics = (asked: Settled): Piece[] => asked.topics.map((topic) => piece(TOPICS[topic].says));

const help = (catalog: Catalog): Piece =>
  piece(`Hello! ${ASK_ME}: ${join(catalog.products.map(nameOf))}.`);

const unknown = (catalog: Catalog): Piece =>
  piece(
    `I did not find that in our catalog's facts, so I cannot say. ${ASK_ME}, in English: ` +
      `${join(catalog.products.map(nameOf))}.`,
  );
