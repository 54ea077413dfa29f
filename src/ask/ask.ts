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

const MOST_IN_FULL = 8;
const MOST_OTHERS = 40;
/** Longer questions are read up to this many different words. */
const MOST_TERMS = 100;
/** Share of the best section's score from which another one is meant, too. */
const STRONG = 0.4;
/** Related sections are added below `usual` characters of policy, and any section while beans and policy stay below `most`. */
const CHARACTERS = { usual: 1200, most: 3300 };

const PRICES = "Prices and discounts";
const EXCLUSIVE = "The exclusive coffee";
const NOT_SAID = "What the shop does not say";
/** Most questions are about these: they fill an answer when the question's words match too few sections. */
const USUAL = ["Shipping and delivery", "After the order", "Ordering and payment", NOT_SAID];

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
    const titles = titlesMeant(asking, search.sections);
    const isUnclear = !coffee.isAboutCoffee && !titles.isKnown;
    const all = sections(live);
    const described = coffee.isAboutCoffee ? beanLines(asking, products, live) : [];
    const room = CHARACTERS.most - described.map(({ text }) => text).join().length;
    const policy = sectionsFor(
      titles,
      coffee.isAboutCoffee ? titles.meant : titles.related,
      room,
      all,
    );
    const isPriced = !coffee.isAboutCoffee && (isUnclear || policy[0]?.topic === PRICES);
    const beans = isPriced
      ? linesOf(products.slice(0, MOST_OTHERS), (bean) => shortLine(bean, live))
      : described;
    const others = all.filter((one) => !policy.includes(one));
    return {
      answer: {
        answer: sentences(asking, policy, beans, live),
        ...(beans.length > 0 && { beans }),
        ...(policy.length > 0 && { policy }),
        policy_topics: others.map(({ topic }) => topic).join(", "),
        ...(gates.notGiven.length > 0 && { not_given: gates.notGiven }),
        ...(gates.declined[0] && { declined: gates.declined[0] }),
      },
      isUnclear,
      named: coffee.named,
      isAboutFinder: coffee.isAboutCoffee || policy[0]?.topic === EXCLUSIVE,
      ...earned(asking, titles, search.knows, products),
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
    return finder(index, (term) => !vocabulary.has(term));
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
const finder =
  (index: MiniSearch, isUnknown: (term: string) => boolean) =>
  (asked: readonly string[], only: (term: string) => string[] | null = () => null) =>
    index
      .search(
        {
          combineWith: "OR",
          queries: asked.map((term) => {
            const fields = only(term);
            return { queries: [term], ...(fields && { fields }) };
          }),
        },
        {
          tokenize: (text) => [text],
          processTerm: (term) => term,
          prefix: (term) => isUnknown(term) && term.length > 3,
          fuzzy: (term) => isUnknown(term) && (term.length > 7 ? 2 : term.length > 4 ? 1 : false),
          boost: { title: 2 },
        },
      )
      .filter(({ terms: matched, queryTerms }) =>
        matched.some((term) =>
          queryTerms.some((one) => one === term || (isUnknown(one) && one[0] === term[0])),
        ),
      );

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

/** Sections that the question means, and others that it may mean, the best first. */
function titlesMeant(
  { said, asked, named, kinds, values, coffeeTerms, isAboutCoffee, gates }: Asking,
  find: Search["sections"],
) {
  // A word about coffee brings no section by its text: "roast" is no question about roast dates.
  const found = find(asked, (term) => (coffeeTerms.has(term) ? ["title", "synonyms"] : null));
  const known = new Set([...coffeeTerms, ...found.flatMap(({ queryTerms }) => queryTerms)]);
  const isUnknown = (term: string) => !known.has(term) && !/^\d/.test(term);
  // No fact of a coffee answers these.
  const isWhoOrWhen = isAboutCoffee && said.some((word) => word === "who" || word === "when");
  const least = STRONG * (found[0]?.score ?? 0);
  const strong = found.flatMap(({ id, score }) => (score >= least ? [String(id)] : []));
  const meant = [
    ...(gates.declined.includes("HAGGLING") ? [PRICES] : []),
    ...(gates.declined.includes("KEY_REQUEST") ? [EXCLUSIVE] : []),
    ...(named.some(isExclusive) && kinds.size + values.length === 0 ? [EXCLUSIVE] : []),
    ...strong.slice(0, 2),
    // A word that no section has usually asks for what the shop does not say.
    ...(asked.some(isUnknown) || isWhoOrWhen ? [NOT_SAID] : []),
    ...strong.slice(2),
  ];
  return {
    meant: new Set(meant),
    related: new Set([...meant, ...found.map(({ id }) => String(id)), ...USUAL]),
    isKnown: found.length > 0,
    isPricing: find(asked, () => ["title", "synonyms"]).some(({ id }) => id === PRICES),
  };
}

type Titles = ReturnType<typeof titlesMeant>;

/** Sections that are meant, the best one however long the beans are, and others up to the usual length. */
function sectionsFor(
  { meant }: Titles,
  titles: ReadonlySet<string>,
  room: number,
  all: readonly PolicySection[],
): PolicySection[] {
  let characters = 0;
  return [...titles].flatMap((title) => {
    const section = all.find(({ topic }) => topic === title);
    if (!section || (characters > 0 && characters + section.text.length > room)) return [];
    if (!meant.has(title) && characters > CHARACTERS.usual) return [];
    characters += section.text.length;
    return [section];
  });
}

const COMPARING = new Set(
  words(
    "other others else than similar instead alternative compare most least more less rest another which all",
  ),
);

const linesOf = (beans: readonly Product[], describe: (bean: Product) => string): BeanLine[] =>
  beans.map((bean) => ({ product_id: bean.product_id, text: describe(bean) }));

/** Named beans in full; or all, the best in full. */
function beanLines(
  { said, asked, ranked, named, kinds }: Asking,
  products: readonly Product[],
  live: Live,
): BeanLine[] {
  const inFull = (beans: readonly Product[]) =>
    linesOf(beans, (bean) => fullLine(bean, live, kinds.has("brewing") ? asked : null));
  const isComparing = said.some((word) => COMPARING.has(word) || /..est$/.test(word));
  if (named.length > 0 && named.length <= MOST_IN_FULL && !isComparing) return inFull(named);
  const inOrder = [...new Set([...named, ...ranked, ...products])];
  const others = inOrder.slice(MOST_IN_FULL, MOST_IN_FULL + MOST_OTHERS);
  return [
    ...inFull(inOrder.slice(0, MOST_IN_FULL)),
    ...linesOf(others, (bean) => otherLine(bean, live)),
  ];
}

/** Says what is declined or withheld, states facts of named beans, and names the fields with the rest. */
function sentences(
  { named, kinds, values, gates }: Asking,
  policy: readonly PolicySection[],
  beans: readonly BeanLine[],
  live: Live,
): string {
  const lookups = named.slice(0, 3).flatMap((bean) => {
    const own = values.filter(({ product_id }) => product_id === bean.product_id);
    const asked = new Set([...kinds, ...own.map(({ kind }) => kind)]);
    asked.delete("choose_if");
    const facts = [...asked].slice(0, 3).map((kind) => factText(bean, kind));
    return facts.length > 0 ? `${bean.name_to_use_with_humans}: ${facts.join("; ")}.` : [];
  });
  return [
    ...gates.declined.map((reason) => declineText(reason, live)),
    ...gates.notGiven.map(
      (what) => `The ${what} of a coffee is not given out: the shop's records don't hold it.`,
    ),
    ...lookups,
    ...(beans.length > 0 && lookups.length === 0 ? ["See beans."] : []),
    ...(policy.length > 0 ? [`See policy: ${policy.map(({ topic }) => topic).join("; ")}.`] : []),
  ].join(" ");
}

/** Pairs of a bean and a kind of fact; a value counts for the few beans that have it. */
function earned(
  { said, named, kinds, values, gates }: Asking,
  { isPricing }: Titles,
  knows: (word: string) => boolean,
  products: readonly Product[],
): Pick<Reading, "pairs" | "unearned"> {
  const nothing = (unearned: string) => ({ pairs: [], unearned });
  if (gates.declined.length > 0) return nothing("declined questions never count");
  if (gates.notGiven.length > 0) return nothing("what is not given out never counts");
  if (isPricing) return nothing("questions about prices and discounts never count");
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
