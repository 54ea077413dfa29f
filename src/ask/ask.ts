/**
 * `ask` hands over the facts that a question needs (contract §9): lines of beans and passages of the policy.
 * The asker compares, excludes and adds up by itself. One search finds the beans, the kinds of facts and
 * the passages that the words of a question mean; the index is built once per published catalog.
 */
import MiniSearch, { type SearchResult } from "minisearch";
import { type Catalog, isExclusive, type Product } from "../catalog/catalog.ts";
import { madeFrom } from "../catalog/live-catalog.ts";
import { DEFAULT_SHOP } from "../core/shop.ts";
import {
  BEAN_FIELDS,
  beanDocuments,
  factText,
  fullLine,
  KINDS,
  type Kind,
  otherLine,
  recipesAsked,
  shortLine,
  VALUE_FIELDS,
} from "./beans.ts";
import { DECLINES, type DeclineReason, type Gates, gatesOf, type NotGiven } from "./gates.ts";
import { type Live, type Passage, passages, TOPICS } from "./passages.ts";
import { isStopWord, stem, terms, words } from "./text.ts";

export interface BeanLine {
  product_id: string;
  text: string;
}

export interface Answer {
  answer: string;
  beans?: BeanLine[];
  other_beans?: BeanLine[];
  policy?: Passage[];
  policy_topics: string;
  not_given?: NotGiven[];
  declined?: DeclineReason;
}

/** A fact that a question asks for. */
export interface Pair {
  product_id: string;
  kind: Kind;
}

/** The answer, with the facts for its next steps and for finder credit. */
export interface Reading {
  answer: Answer;
  /** Topics that the question is about, the best first. */
  topics: readonly string[];
  /** Beans that the question names. */
  named: readonly Product[];
  /** The answer reports progress to a finder key. */
  isAboutFinder: boolean;
  /** Empty if the question earns nothing; `unearned` says why. */
  pairs: readonly Pair[];
  unearned?: string;
}

export type Ask = (question: string, live: Live) => Reading;

const ALL_IN_FULL = 12;
const BEST_IN_FULL = 8;
const MOST_OTHERS = 40;
const MOST_PASSAGES = 4;
const MOST_LOOKUPS = 3;
/** Longer questions are read up to this many different words. */
const MOST_TERMS = 100;
const MOST_PARTS = 4;

const TOPIC_NAMES = TOPICS.map(({ topic }) => topic).join(", ");

/** The index is built with the first question after each publication. */
export function createAsk(catalog: Catalog): Ask {
  const engine = madeFrom(catalog, createEngine);
  return (question, live) => engine()(question, live);
}

function createEngine({ products }: Pick<Catalog, "products">): Ask {
  const { index, vocabulary } = createIndex(products);
  return (question, live) => {
    const said = words(question);
    const asked = terms(question).slice(0, MOST_TERMS);
    const results = search(index, vocabulary, asked);
    const gates = gatesOf(said);
    const found = beansFound(results, { said, asked }, products);
    const parts = partsOf(question).map((part) => terms(part).slice(0, MOST_TERMS));
    const ofParts = parts.length > 1 ? parts.map((part) => search(index, vocabulary, part)) : [];
    const topics = topicsFound(results, ofParts, gates, found);
    const asking = { topics, ...found };
    const policy = passagesOf(topics, live);
    const known = asked.filter((term) => vocabulary.has(term) || found.known.has(term)).length;
    return {
      answer: {
        answer: sentences(asking, gates, policy, products),
        ...lines(asking, products, live),
        ...(policy.length > 0 && { policy }),
        policy_topics: TOPIC_NAMES,
        ...(gates.notGiven.length > 0 && { not_given: gates.notGiven }),
        ...(gates.declined[0] && { declined: gates.declined[0] }),
      },
      topics,
      named: found.named,
      isAboutFinder: found.isAboutCoffee || topics[0] === "finder_key",
      ...earned(asking, gates, known, products),
    };
  };
}

function createIndex(products: readonly Product[]) {
  const vocabulary = new Set<string>();
  const index = new MiniSearch<{ id: string }>({
    fields: ["title", "words", "text", ...BEAN_FIELDS],
    tokenize: words,
    processTerm: (word) => {
      if (isStopWord(word)) return null;
      const term = stem(word);
      vocabulary.add(term);
      return term;
    },
  });
  index.addAll([
    ...TOPICS.map(({ topic, words: said, text, promise }) => ({
      id: `topic:${topic}`,
      title: topic.replaceAll("_", " "),
      words: said,
      text: promise?.({ shop: DEFAULT_SHOP }) ?? (typeof text === "string" ? text : ""),
    })),
    ...Object.entries(KINDS).map(([kind, said]) => ({ id: `kind:${kind}`, words: said })),
    ...beanDocuments(products).map((document, i) => ({
      id: `bean:${products[i]!.product_id}`,
      ...document,
    })),
  ]);
  return { index, vocabulary };
}

/** Words of the index match exactly. Unknown words also match with typos or as prefixes. */
function search(
  index: MiniSearch,
  vocabulary: ReadonlySet<string>,
  asked: readonly string[],
): SearchResult[] {
  const isUnknown = (term: string) => !vocabulary.has(term);
  return index.search(asked.join(" "), {
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
    prefix: (term) => isUnknown(term) && term.length > 3,
    fuzzy: (term) => isUnknown(term) && (term.length > 7 ? 2 : term.length > 4 ? 1 : false),
    boost: { title: 1.5, words: 3, name: 3 },
    bm25: { k: 0.3, b: 0, d: 0.5 },
    weights: { prefix: 0.4, fuzzy: 0.4 },
  });
}

function named(results: readonly SearchResult[], prefix: string): [name: string, SearchResult][] {
  return results.flatMap((one): [string, SearchResult][] => {
    const id = String(one.id);
    return id.startsWith(prefix) ? [[id.slice(prefix.length), one]] : [];
  });
}

/** Beans that the question names, kinds of facts it asks for, and values ("jasmine") that it mentions. */
function beansFound(
  results: readonly SearchResult[],
  { said, asked }: { said: readonly string[]; asked: readonly string[] },
  products: readonly Product[],
) {
  const kinds = new Set(named(results, "kind:").map(([kind]) => kind as Kind));
  const byId = new Map(products.map((bean) => [bean.product_id, bean]));
  const ranked: Product[] = [];
  const byName: Product[] = [];
  const values: Pair[] = [];
  for (const [id, { match }] of named(results, "bean:")) {
    const bean = byId.get(id);
    if (!bean) continue;
    ranked.push(bean);
    const fields = new Set(Object.values(match).flat());
    if (fields.has("name")) byName.push(bean);
    for (const kind of VALUE_FIELDS) if (fields.has(kind)) values.push({ product_id: id, kind });
  }
  // "Where is it from?" has no word that is about coffee alone.
  if (byName.length > 0 && said.some((word) => word === "where" || word === "from"))
    kinds.add("origin");
  const isAboutCoffee = byName.length + kinds.size + values.length > 0;
  const known = new Set(results.flatMap(({ queryTerms }) => queryTerms));
  return { said, asked, kinds, ranked, named: byName, values, isAboutCoffee, known };
}

type Found = ReturnType<typeof beansFound>;

interface Question extends Found {
  topics: readonly string[];
}

const BUYING =
  /^(?:buy|buying|purchase|grind|ground|pounds?|lbs?|kilos?|kg|oz|ounces?|grams?|sell|pods?|capsules?)$/;

/** Places are too many to know: "ship it to Honolulu" is recognized by its verbs. */
const SENDING = / (?:ship|ships|deliver|delivers|send|mail|shipping|delivery) (?:[^ ]+ ){0,2}to /;
const PERCENT_OFF = / (?:percent|dollars|bucks) (?:off|discount) /;
const TOTAL = /^(?:total|sum|altogether|together|delivered|shipped|landed)$/;

/** Share of the best passage's score that the second, third and fourth need. */
const RELATED = [0, 0.55, 0.55, 0.65];
const LEAST_SCORE = 6;
const LEAST_SCORE_BESIDE_COFFEE = 14;

/** Topics of one part of a question, the best first. */
function topicsOf(results: readonly SearchResult[]): string[] {
  const isFact = ({ id, match }: SearchResult) =>
    !String(id).startsWith("topic:") &&
    Object.values(match).some((fields) => fields.join() !== "choose_if");
  const coffee = new Set(results.filter(isFact).flatMap(({ queryTerms }) => queryTerms));
  // A word about coffee brings no topic by itself: "roast" is no question about roast dates.
  const scored = named(results, "topic:").filter(([, { queryTerms }]) =>
    queryTerms.some((term) => !coffee.has(term)),
  );
  const best = scored[0]?.[1].score ?? 0;
  const least = coffee.size > 0 ? LEAST_SCORE_BESIDE_COFFEE : LEAST_SCORE;
  return scored
    .slice(0, MOST_PASSAGES)
    .filter(([, { score }], i) => score >= Math.max(least, best * RELATED[i]!))
    .map(([topic]) => topic);
}

/** Topics of the whole question and the best one of each part, with those of buying and of what is declined. */
function topicsFound(
  whole: readonly SearchResult[],
  parts: readonly (readonly SearchResult[])[],
  { declined }: Gates,
  { said, named: beans }: Pick<Found, "said" | "named">,
): string[] {
  const [best, ...others] = topicsOf(whole);
  const ofParts = parts.flatMap((part) => topicsOf(part).slice(0, 1));
  const own = [...new Set([...(best ? [best] : []), ...ofParts, ...others])];
  const text = ` ${said.join(" ")} `;
  const isAboutBags = said.includes("bag") || said.includes("bags");
  const isBuying = said.some((word) => BUYING.test(word)) || (isAboutBags && own.length === 0);
  const isTotal = beans.length > 0 && said.some((word) => TOTAL.test(word));
  const isLocked = beans.some(isExclusive) && (isBuying || own.length > 0);
  const added = [
    ...(declined.includes("HAGGLING") ? ["prices", "discounts"] : []),
    ...(declined.includes("KEY_REQUEST") || isLocked ? ["finder_key"] : []),
    ...(SENDING.test(text) ? ["ship_to"] : []),
    ...(PERCENT_OFF.test(text) ? ["discounts"] : []),
    ...(isTotal ? ["shipping", "discounts"] : []),
    ...(isBuying && !isTotal ? ["product", "limits"] : []),
  ];
  const room = MOST_PASSAGES - added.filter((topic) => !own.includes(topic)).length;
  return [...new Set([...own.slice(0, Math.max(room, 1)), ...added])].slice(0, MOST_PASSAGES);
}

/** Sentences of a question; of more than a few, the rest is one part. */
function partsOf(question: string): string[] {
  const parts = question.split(/[.?!;\n]+(?=\s)|, | and /).filter((part) => terms(part).length > 0);
  if (parts.length <= MOST_PARTS) return parts;
  return [...parts.slice(0, MOST_PARTS - 1), parts.slice(MOST_PARTS - 1).join(" ")];
}

function passagesOf(topics: readonly string[], live: Live): Passage[] {
  const all = passages(live);
  return topics.flatMap((topic) => all.find((one) => one.topic === topic) ?? []);
}

const COMPARING =
  / (?:others?|else|than|similar|instead|alternatives?|compare[ds]?|most|least|more|less|rest|another|which (?:coffees?|beans?|ones?|of)|all (?:of|your|the|coffees|beans)|(?!best |request |test |west |guest |interest )[a-z]+est) /;

/** Named beans in full, or all; where only the policy is asked for, names, prices and stock. */
function lines(
  { said, asked, topics, kinds, ranked, named, isAboutCoffee }: Question,
  products: readonly Product[],
  { free }: Live,
): Pick<Answer, "beans" | "other_beans"> {
  const line = (bean: Product, describe: (bean: Product, free: number) => string): BeanLine => ({
    product_id: bean.product_id,
    text: describe(bean, free.get(bean.product_id) ?? 0),
  });
  const inOrder = [...new Set([...ranked, ...products])];
  if (!isAboutCoffee && topics.length > 0)
    return { other_beans: products.slice(0, MOST_OTHERS).map((bean) => line(bean, shortLine)) };
  const isFew = named.length > 0 && named.length <= BEST_IN_FULL;
  const isNarrow = isFew && !COMPARING.test(` ${said.join(" ")} `);
  const areAll = products.length <= ALL_IN_FULL;
  const best = [...new Set([...named, ...inOrder])].slice(0, BEST_IN_FULL);
  const inFull = isNarrow ? named : areAll ? products : best;
  const others = inOrder.filter((bean) => !inFull.includes(bean)).slice(0, MOST_OTHERS);
  const recipes = kinds.has("brewing") ? recipesAsked(products, asked) : null;
  return {
    beans: inFull.map((bean) => line(bean, (one, bags) => fullLine(one, bags, recipes))),
    ...(others.length > 0 && { other_beans: others.map((bean) => line(bean, otherLine)) }),
  };
}

const NOT_GIVEN_SAYS = "not given out: the shop's records don't hold";

/** States only what was declined or withheld, facts of named beans, or the best passage. */
function sentences(
  { named, kinds, values }: Question,
  { declined, notGiven }: Gates,
  policy: readonly Passage[],
  products: readonly Product[],
): string {
  const lookups = named.slice(0, MOST_LOOKUPS).flatMap((bean) => {
    const own = values.filter(({ product_id }) => product_id === bean.product_id);
    const asked = new Set([...kinds, ...own.map(({ kind }) => kind)]);
    const facts = [...asked].slice(0, MOST_LOOKUPS).map((kind) => factText(bean, kind));
    return facts.length > 0 ? `${bean.name_to_use_with_humans}: ${facts.join("; ")}.` : [];
  });
  const said = [
    ...declined.map((reason) => DECLINES[reason]),
    ...notGiven.map((what) => `The ${what} of a coffee is ${NOT_GIVEN_SAYS} it.`),
    ...lookups,
  ];
  if (said.length > 0) return said.join(" ");
  if (policy[0] && named.length + kinds.size === 0) return beginning(policy[0].text);
  const names = named.map((bean) => bean.name_to_use_with_humans).join(" and ");
  const all = products.length <= ALL_IN_FULL ? "all coffees" : "the coffees that fit best";
  const which = named.length > 0 && named.length <= MOST_LOOKUPS ? names : all;
  return `All stated facts of ${which} are in beans.`;
}

/** The first sentences of a passage, which `policy` has as a whole. */
const beginning = (text: string): string => /^.{60,}?[.](?= |$)|^.*$/.exec(text)?.[0] ?? text;

const PRICING =
  /^(?:prices?|costs?|cheap\w*|expensive|discounts?|coupons?|dollars?|deals?|afford)$/;
const HOW_MUCH = / how much (?:is|are|do|does|for|would|will) /;

/** Pairs of a bean and a kind of fact; a value counts for the few beans that have it. */
function earned(
  { said, named, kinds, values, asked }: Question,
  { declined, notGiven }: Gates,
  known: number,
  products: readonly Product[],
): Pick<Reading, "pairs" | "unearned"> {
  const nothing = (unearned: string) => ({ pairs: [], unearned });
  if (declined.length > 0) return nothing("declined questions never count");
  if (notGiven.length > 0) return nothing("what is not given out never counts");
  if (said.some((word) => PRICING.test(word)) || HOW_MUCH.test(` ${said.join(" ")} `))
    return nothing("questions about prices and discounts never count");
  if (known * 2 < asked.length) return nothing("most of its words are unknown");
  const beans =
    named.length > 0
      ? named.map(({ product_id }) => product_id)
      : [...new Set(values.map(({ product_id }) => product_id))];
  if (beans.length >= products.length || beans.length > products.length / 2 + 1)
    return nothing("a question about every coffee is about none: name one or two");
  const pairs =
    named.length > 0
      ? beans.flatMap((product_id) =>
          [...new Set([...kinds, ...values.map(({ kind }) => kind)])].map((kind) => ({
            product_id,
            kind,
          })),
        )
      : values;
  if (pairs.length === 0)
    return nothing("name a coffee and a kind of fact, such as its process or its tasting notes");
  return { pairs };
}
