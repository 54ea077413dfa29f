/** Beans as lines for `ask`, and what a question's words say about them. */
import { isExclusive, type Product } from "../catalog/catalog.ts";
import { stockInShort } from "../catalog/catalog-answer.ts";
import { contentWords, isForm, words } from "../catalog/words.ts";
import { display } from "../core/money.ts";
import type { Live } from "./sections.ts";

/** Kinds of facts that count towards a finder key, with the words that ask for them. */
export const KINDS = {
  origin: "origin country region grown continent africa america asia latin",
  process: "process washed natural honey fermented wet dry anaerobic",
  varieties: "variety varieties varietal cultivar species arabica heirloom",
  roast:
    "roast level dark light medium acid sour bright body heavy mild strong bold smooth intense delicate bitter silky",
  tasting_notes:
    "taste notes flavor flavour aroma sweet fruity floral flower nut nutty chocolate berry citrus spicy caramel smoky earthy winey tea",
  brewing:
    "brew recipe espresso pour filter french press moka aeropress cold v60 chemex drip grind dose ratio temperature water extraction steep iced",
  decaf: "decaf decaffeinated caffeine",
  choose_if:
    "suit start beginner recommend best choose suggest favorite ideal everyday milk latte cappuccino compare difference",
} as const;

export type Kind = keyof typeof KINDS;

/** A fact that a question asks for. */
export interface Pair {
  product_id: string;
  kind: Kind;
}

/** A word that names a bean, a kind of fact, or (with both) a value of a bean's fact. */
interface Entry {
  bean?: Product;
  kind?: Kind;
}

/** What the words of a question say about the beans. */
export type Meaning = ReturnType<ReturnType<typeof createReader>>;

/** Longer questions are read up to this many different words. */
const MOST_WORDS = 100;

export function createReader(products: readonly Product[]) {
  const entries = new Map<string, Entry[]>();
  const add = (text: string, entry: Entry) => {
    for (const word of contentWords(text)) entries.set(word, [...(entries.get(word) ?? []), entry]);
  };
  const facts = products.map((bean) => bean.facts);
  // A word that describes a bean names none: "Huila Washed" is not the only washed one.
  const describing = new Set(
    facts.flatMap((one) => contentWords(`${one.process} ${one.roast} ${one.tasting_notes} decaf`)),
  );
  for (const bean of products) {
    const { name, name_to_use_with_humans, decaf } = bean;
    const own = `${name} ${name_to_use_with_humans} ${bean.facts.region} ${bean.facts.country}`;
    add(
      contentWords(own)
        .filter((word) => !describing.has(word))
        .join(" "),
      { bean },
    );
    if (decaf) add("decaf", { bean });
  }
  // A word that names a bean asks for no fact of it: "Is the Geisha good?" is no question about varieties.
  const naming = new Set(entries.keys());
  for (const bean of products) {
    const { process, varieties, roast, tasting_notes } = bean.facts;
    const texts = { process, varieties, roast, tasting_notes, brewing: methodsOf(bean) };
    for (const [kind, text] of Object.entries(texts)) {
      const values = contentWords(String(text)).filter((word) => !naming.has(word));
      add(values.join(" "), { bean, kind: kind as Kind });
    }
  }
  for (const [kind, said] of Object.entries(KINDS)) add(said, { kind: kind as Kind });
  // Advice on choosing is prose, which has words of every kind.
  const prose = new Set(products.flatMap((bean) => contentWords(bean.choose_if)));
  const allMethods = [...new Set(products.flatMap(methodsOf))];
  const entriesOf = (word: string): Entry[] =>
    entries.get(word) ?? [...entries].flatMap(([own, some]) => (isForm(word, own) ? some : []));

  return (question: string) => {
    const asked = contentWords(question).slice(0, MOST_WORDS);
    const found = asked.flatMap(entriesOf);
    const named = products.filter((one) => found.some(({ bean, kind }) => bean === one && !kind));
    const kinds = new Set(found.flatMap(({ bean, kind }) => (kind && !bean ? kind : [])));
    // "Where is it from?" has no word that is about coffee alone.
    const isWhere = named.length > 0 && asked.includes("where");
    if (isWhere) kinds.add("origin");
    const values = found.flatMap(({ bean, kind }): Pair[] =>
      bean && kind ? [{ product_id: bean.product_id, kind }] : [],
    );
    const unknown = asked.filter(
      (word) => entriesOf(word).length === 0 && !prose.has(word) && !(isWhere && word === "where"),
    );
    return {
      named,
      kinds,
      values,
      /** Brewing methods asked for. */
      methods: allMethods.filter((method) =>
        words(method).every((own) => asked.some((word) => isForm(word, own))),
      ),
      isAboutCoffee: found.length > 0,
      isOnlyAboutCoffee: found.length > 0 && unknown.length === 0,
      isMostlyUnknown: unknown.length * 2 > words(question).length,
    };
  };
}

const methodsOf = ({ facts }: Product): string[] => facts.brewing.map(({ method }) => method);

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Name, price, stock, roast and taste. */
export function shortLine(
  bean: Product,
  { free, keyless }: Live,
  roast = `${bean.roast_level} roast`,
) {
  const isSold = !keyless || !isExclusive(bean);
  const stock = isSold ? stockInShort(bean, free.get(bean.product_id) ?? 0) : "not sold here";
  const name = `${bean.name_to_use_with_humans}${bean.decaf ? " (decaffeinated)" : ""}`;
  const taste = bean.facts.tasting_notes.join(", ");
  return `${name}, ${display(bean.price_minor)}, ${stock}. ${roast}. Tastes of ${taste}.`;
}

/**
 * The facts of a bean. A question about coffee also gets advice on choosing and the names of the recipes; one
 * about brewing, the recipes themselves, or those of the methods that it names.
 */
export function fullLine(bean: Product, live: Live, meaning: Meaning): string {
  const { kinds, methods, named, isOnlyAboutCoffee } = meaning;
  const { region, country, process, varieties, roast, brewing } = bean.facts;
  const isBrewing = kinds.has("brewing") && (named.length > 0 || isOnlyAboutCoffee);
  const wanted = methods.length > 0 ? methods : isBrewing ? methodsOf(bean) : [];
  const recipes = wanted.map((one) => {
    const recipe = brewing.find(({ method }) => method === one);
    return recipe ? `${one}: ${recipe.advice}` : `No recipe for ${lower(one)}.`;
  });
  const choosing = `Recipes only for ${methodsOf(bean).map(lower).join(", ")}. Choose it if ${lower(bean.choose_if)}`;
  return [
    shortLine(bean, live, roast),
    `${region}, ${country}; ${lower(process)}; ${varieties.join(", ")}.`,
    ...(recipes.length > 0 ? recipes : named.length > 0 || isOnlyAboutCoffee ? [choosing] : []),
  ].join(" ");
}
