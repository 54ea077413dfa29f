/**
 * `ask` hands over the facts that a question needs (contract §9): lines of beans and sections of the policy.
 * The asker compares, excludes and adds up by itself. One search finds beans and kinds of facts, another
 * finds sections; both indexes are built once per published catalog.
 */
import MiniSearch, { type SearchResult } from "minisearch";
import { type Catalog, isExclusive, type Product } from "../catalog/catalog.ts";
import { madeFrom } from "../catalog/live-catalog.ts";
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
import { type DeclineReason, declineText, type Gates, gatesOf, type NotGiven } from "./gates.ts";
import { type Live, type PolicySection, sectionDocuments, sections } from "./sections.ts";
import { isStopWord, stem, terms, words } from "./text.ts";

export interface BeanLine {
  product_id: string;
  text: string;
}

export interface Answer {
  answer: string;
  beans?: BeanLine[];
  policy?: PolicySection[];
  /** Titles of the other sections. */
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
  /** Neither a coffee nor a section is clearly meant. */
  isUnclear: boolean;
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
const MOST_LOOKUPS = 3;
/** Longer questions are read up to this many different words. */
const MOST_TERMS = 100;

/** The indexes are built with the first question after each publication. */
export function createAsk(catalog: Catalog): Ask {
  const engine = madeFrom(catalog, createEngine);
  return (question, live) => engine()(question, live);
}

function createEngine({ products }: Pick<Catalog, "products">): Ask {
  const search = createSearch(products);
  return (question, live) => {
    const said = words(question);
    const asked = terms(question).slice(0, MOST_TERMS);
    const gates = gatesOf(said);
    const coffee = coffeeMeant(search.beans(asked), said, products);
    const asking = { said, asked, gates, ...coffee };
    const { titles, isUnclear } = titlesMeant(asking, search);
    const all = sections(live);
    const policy = titles.flatMap((title) => all.find(({ topic }) => topic === title) ?? []);
    const others = all.filter(({ topic }) => !titles.includes(topic));
    const isBesidePolicy = policy.length > 1;
    const beans = beanLines(asking, { isUnclear, isBesidePolicy }, products, live);
    return {
      answer: {
        answer: sentences(asking, { policy, beans, live }),
        ...(beans.length > 0 && { beans }),
        ...(policy.length > 0 && { policy }),
        policy_topics: others.map(({ topic }) => topic).join(", "),
        ...(gates.notGiven.length > 0 && { not_given: gates.notGiven }),
        ...(gates.declined[0] && { declined: gates.declined[0] }),
      },
      isUnclear,
      named: asking.named,
      isAboutFinder: asking.isAboutCoffee || titles[0] === "The exclusive coffee",
      ...earned(asking, search.knows, products),
    };
  };
}

/** Indexes of the beans and of the policy's sections. A word in either is known. */
function createSearch(products: readonly Product[]) {
  const vocabulary = new Set<string>();
  const indexOf = (fields: readonly string[], documents: readonly { id: string }[]) => {
    const index = new MiniSearch<{ id: string }>({
      fields: [...fields],
      tokenize: words,
      processTerm: (word) => {
        if (isStopWord(word)) return null;
        const term = stem(word);
        vocabulary.add(term);
        return term;
      },
    });
    index.addAll(documents);
    return (asked: readonly string[]) => find(index, asked, (term) => !vocabulary.has(term));
  };
  const beans = beanDocuments(products).map((document, i) => ({
    id: `bean:${products[i]!.product_id}`,
    ...document,
  }));
  const kinds = Object.entries(KINDS).map(([kind, said]) => ({ id: `kind:${kind}`, words: said }));
  return {
    beans: indexOf(["words", ...BEAN_FIELDS], [...kinds, ...beans]),
    sections: indexOf(["title", "synonyms", "text"], sectionDocuments(products)),
    knows: (word: string) => isStopWord(word) || vocabulary.has(stem(word)),
  };
}

type Search = ReturnType<typeof createSearch>;

/** Known words match exactly. Unknown words also match with typos or as prefixes. */
function find(
  index: MiniSearch,
  asked: readonly string[],
  isUnknown: (term: string) => boolean,
): SearchResult[] {
  const found = index.search(asked.join(" "), {
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
    prefix: (term) => isUnknown(term) && term.length > 3,
    fuzzy: (term) => isUnknown(term) && (term.length > 7 ? 2 : term.length > 4 ? 1 : false),
    bm25: { k: 1.2, b: 0, d: 0 },
    weights: { prefix: 0.4, fuzzy: 0.4 },
  });
  const isAlike = (term: string, query: readonly string[]) =>
    query.some((one) => one === term || (isUnknown(one) && one[0] === term[0]));
  return found.filter(({ terms: matched, queryTerms }) =>
    matched.some((one) => isAlike(one, queryTerms)),
  );
}

/** Beans that the question names, kinds of facts it asks for, and values ("jasmine") that it mentions. */
function coffeeMeant(
  results: readonly SearchResult[],
  said: readonly string[],
  products: readonly Product[],
) {
  const kinds = new Set<Kind>();
  const ranked: Product[] = [];
  const named: Product[] = [];
  const values: Pair[] = [];
  const coffeeTerms = new Set<string>();
  for (const { id, match, queryTerms } of results) {
    const [type, name = ""] = String(id).split(":");
    // "Por favor" asks for no flavor.
    if (type === "kind" && queryTerms.some((term) => match[term])) kinds.add(name as Kind);
    const bean = products.find(({ product_id }) => type === "bean" && product_id === name);
    const fields = new Set(Object.values(match).flat());
    if (bean) {
      ranked.push(bean);
      if (fields.has("name")) named.push(bean);
      for (const kind of VALUE_FIELDS)
        if (fields.has(kind)) values.push({ product_id: bean.product_id, kind });
    }
    // `choose_if` is prose, which has words of every kind.
    for (const term of queryTerms) if (match[term]?.join() !== "choose_if") coffeeTerms.add(term);
  }
  // "Where is it from?" has no word that is about coffee alone.
  if (named.length > 0 && said.some((word) => word === "where" || word === "from"))
    kinds.add("origin");
  const isAboutCoffee = named.length + kinds.size + values.length > 0;
  return { kinds, ranked, named, values, coffeeTerms, isAboutCoffee };
}

interface Asking extends ReturnType<typeof coffeeMeant> {
  said: readonly string[];
  asked: readonly string[];
  gates: Gates;
}

/** Score of a section by a word that few sections have. */
const TELLING = 4;
const LEAST = 2;
/** Share of the score that a section with every word of the question would have, to be sure of it. */
const SURE = 0.55;
const MOST_IF_SURE = 2;
const MOST_IF_UNSURE = 4;
/** An unknown word asks for what the shop does not say, more often than not. */
const NOT_SAID = "What the shop does not say";
/** Sections that most questions are about, for those that match too little. */
const USUAL = ["After the order", "Shipping and delivery", "Ordering and payment", NOT_SAID];

/** Phrases that ask for a section though none of their words does so alone. */
const ASKED: readonly [title: string, RegExp][] = [
  [
    "Shipping and delivery",
    / (?:when (?:will|would|does|do|can|could|should) (?:[^ ]+ ){1,4}(?:get|have|be|come|here)|how soon|(?:by|in time for|before) (?:tomorrow|tonight|next|the|my|his|her|our|monday|tuesday|wednesday|thursday|friday|saturday|sunday|christmas)|(?:ship|ships|deliver|send|mail) (?:[^ ]+ ){0,3}to|(?:final|total|whole) (?:cost|price)|(?:total|altogether|delivered) (?:if|for|of|would)) /,
  ],
  [
    "After the order",
    / (?:where(?:s| is| are) (?:my|our|the|his|her) (?!coffees? |beans? )|order \d+ |(?:my|our|paid|existing) (?:paid )?order )/,
  ],
  ["Contact and privacy", / in (?:english|french|german|spanish|italian|portuguese|chinese) /],
  ["What we sell", / (?:most|many|number of|\d{3,}) (?:[^ ]+ )?bags? /],
  ["Prices and discounts", / \d+ (?:dollars |bucks |percent )?off /],
  [NOT_SAID, / (?:when|where|who) (?:[^ ]+ ){0,4}roast/],
  ["Stock and waitlist", / (?:sold out|out of stock|back in stock|available again) /],
];

/** Sections that the question means, the best first. */
function titlesMeant(asking: Asking, search: Search): { titles: string[]; isUnclear: boolean } {
  const { said, gates, isAboutCoffee, named, kinds, values } = asking;
  const { ranked, perfect, hasUnknown } = rankSections(asking, search);
  const best = ranked[0]?.score ?? 0;
  const text = ` ${said.join(" ")} `;
  const isExclusiveMeant =
    named.some(isExclusive) && (best >= TELLING || kinds.size + values.length === 0);
  const certain = [
    ...(gates.declined.includes("HAGGLING") ? ["Prices and discounts"] : []),
    ...(gates.declined.includes("KEY_REQUEST") || isExclusiveMeant ? ["The exclusive coffee"] : []),
    ...ASKED.flatMap(([title, pattern]) => (pattern.test(text) ? [title] : [])),
  ];
  const first = (titles: readonly string[], most: number) => [...new Set(titles)].slice(0, most);
  const telling = ranked.filter(({ score }) => score >= TELLING).map(({ title }) => title);
  const unsaid = hasUnknown ? [NOT_SAID] : [];
  if (isAboutCoffee)
    return { titles: first([...certain, ...telling, ...unsaid], MOST_IF_SURE), isUnclear: false };
  const isClear = certain.length > 0 || best >= LEAST;
  if (isClear && (certain.length > 0 || best >= SURE * perfect)) {
    const related = ranked.filter(({ score }) => score >= best / 10).map(({ title }) => title);
    const titles = [...certain, ...related, ...unsaid, ...USUAL];
    return { titles: first(titles, MOST_IF_SURE), isUnclear: false };
  }
  const most = isClear ? MOST_IF_UNSURE - unsaid.length : 1;
  const likely = ranked.slice(0, most).map(({ title }) => title);
  const titles = asking.asked.length > 0 ? [...likely, ...unsaid, ...USUAL] : [];
  return { titles: first(titles, MOST_IF_UNSURE), isUnclear: !isClear };
}

/** Sections by the squares of their words' scores: a telling word counts more than common ones. */
function rankSections({ asked, coffeeTerms }: Asking, search: Search) {
  const scores = new Map<string, number>();
  let perfect = 0;
  let hasUnknown = false;
  for (const term of asked) {
    const isCoffee = coffeeTerms.has(term);
    // A word about coffee brings no section by its text: "roast" is no question about roast dates.
    const found = search.sections([term]).filter(
      ({ match }) =>
        !isCoffee ||
        Object.values(match)
          .flat()
          .some((field) => field !== "text"),
    );
    for (const { id, score } of found) scores.set(id, (scores.get(id) ?? 0) + score ** 2);
    if (found.length === 0 && !isCoffee) hasUnknown = true;
    if (found.length > 0 || !isCoffee) perfect += (found[0]?.score ?? 2) ** 2;
  }
  const ranked = [...scores].map(([title, score]) => ({ title, score }));
  return { ranked: ranked.sort((a, b) => b.score - a.score), perfect, hasUnknown };
}

const COMPARING =
  / (?:others?|else|than|similar|instead|alternatives?|compare[ds]?|most|least|more|less|rest|another|which (?:coffees?|beans?|ones?|of)|all (?:of|your|the|coffees|beans)|(?!best |request |test |west |guest |interest )[a-z]+est) /;

const PRICES =
  / (?:cheapest|priciest|most expensive|price list|how much (?:is|are|for|does) (?:a|one|the|your|each)|(?:bags?|coffees?|beans?) costs?|(?:price|cost)s? (?:of|for|per) (?:[^ ]+ )?(?:bags?|coffees?|beans?)) /;

/** Named beans in full, or all; of an unclear question or one about prices, names, prices and stock. */
function beanLines(
  { said, asked, kinds, ranked, named, isAboutCoffee }: Asking,
  { isUnclear, isBesidePolicy }: { isUnclear: boolean; isBesidePolicy: boolean },
  products: readonly Product[],
  live: Live,
): BeanLine[] {
  const lines = (beans: readonly Product[], describe: (bean: Product) => string) =>
    beans.map((bean) => ({ product_id: bean.product_id, text: describe(bean) }));
  if (isUnclear || (!isAboutCoffee && PRICES.test(` ${said.join(" ")} `)))
    return lines(products.slice(0, MOST_OTHERS), (bean) => shortLine(bean, live));
  if (!isAboutCoffee) return [];
  const inOrder = [...new Set([...named, ...ranked, ...products])];
  const isNarrow =
    named.length > 0 && named.length <= BEST_IN_FULL && !COMPARING.test(` ${said.join(" ")} `);
  const recipes = kinds.has("brewing") ? recipesAsked(products, asked) : null;
  const inFull = (beans: readonly Product[]) =>
    lines(beans, (bean) => fullLine(bean, live, recipes));
  const inShort = (beans: readonly Product[]) => lines(beans, (bean) => otherLine(bean, live));
  if (isNarrow) return inFull(named);
  // Beside the policy, a few facts of each bean are enough.
  if (isBesidePolicy) return inShort(inOrder.slice(0, MOST_OTHERS));
  const most = products.length <= ALL_IN_FULL ? ALL_IN_FULL : BEST_IN_FULL;
  return [...inFull(inOrder.slice(0, most)), ...inShort(inOrder.slice(most, most + MOST_OTHERS))];
}

/** What is declined or withheld, then facts of named beans, then where the rest of the answer is. */
function sentences(
  { named, kinds, values, gates }: Asking,
  { policy, beans, live }: { policy: PolicySection[]; beans: BeanLine[]; live: Live },
): string {
  const lookups = named.slice(0, MOST_LOOKUPS).flatMap((bean) => {
    const own = values.filter(({ product_id }) => product_id === bean.product_id);
    const asked = new Set([...kinds, ...own.map(({ kind }) => kind)]);
    asked.delete("choose_if");
    const facts = [...asked].slice(0, MOST_LOOKUPS).map((kind) => factText(bean, kind));
    return facts.length > 0 ? `${bean.name_to_use_with_humans}: ${facts.join("; ")}.` : [];
  });
  const titles = policy.map(({ topic }) => topic).join("; ");
  return [
    ...gates.declined.map((reason) => declineText(reason, live)),
    ...gates.notGiven.map(
      (what) => `The ${what} of a coffee is not given out: the shop's records don't hold it.`,
    ),
    ...lookups,
    ...(beans.length > 0 && lookups.length === 0 ? ["See beans."] : []),
    ...(titles === "" ? [] : [`See policy: ${titles}.`]),
  ].join(" ");
}

const PRICING =
  / (?:prices?|costs?|cheap\w*|expensive|discounts?|coupons?|dollars?|deals?|afford|how much (?:is|are|do|does|for|would|will)) /;

/** Pairs of a bean and a kind of fact; a value counts for the few beans that have it. */
function earned(
  { said, named, kinds, values, gates }: Asking,
  knows: Search["knows"],
  products: readonly Product[],
): Pick<Reading, "pairs" | "unearned"> {
  const nothing = (unearned: string) => ({ pairs: [], unearned });
  if (gates.declined.length > 0) return nothing("declined questions never count");
  if (gates.notGiven.length > 0) return nothing("what is not given out never counts");
  if (PRICING.test(` ${said.join(" ")} `))
    return nothing("questions about prices and discounts never count");
  if (said.filter(knows).length * 2 < said.length) return nothing("most of its words are unknown");
  const beans = new Set((named.length > 0 ? named : values).map(({ product_id }) => product_id));
  if (beans.size >= products.length || beans.size > products.length / 2 + 1)
    return nothing("a question about every coffee is about none: name one or two");
  const asked = new Set([...kinds, ...values.map(({ kind }) => kind)]);
  const pairs =
    named.length > 0
      ? [...beans].flatMap((product_id) => [...asked].map((kind) => ({ product_id, kind })))
      : values;
  if (pairs.length === 0)
    return nothing("name a coffee and a kind of fact, such as its process or its tasting notes");
  return { pairs };
}
