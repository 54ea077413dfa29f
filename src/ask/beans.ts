/** Beans as lines for `ask`, and what a question's words say about them. */
import { isExclusive, type Product } from "../catalog/catalog.ts";
import { stockInShort } from "../catalog/catalog-answer.ts";
import { contentWords, isForm, isFunctionSlip, words } from "../catalog/words.ts";
import { display } from "../core/money.ts";
import type { Live } from "./sections.ts";

/** Kinds of facts that count towards a finder key, with more words that ask for them. */
export const KINDS = {
  origin: "country region grown continent africa america asia latin",
  process: "washed natural honey fermented wet dry anaerobic",
  varieties: "variety cultivar species arabica heirloom plant",
  roast:
    "level dark light medium acid sour bright body heavy mild strong bold smooth intense delicate bitter silky",
  tasting_notes:
    "taste notes flavor aroma sweet fruity floral flower nut nutty chocolate berry citrus spicy caramel smoky earthy winey tea",
  brewing:
    "brew recipe espresso pour filter french press moka aeropress cold v60 chemex drip grind dose ratio temperature water extraction steep iced",
  decaf: "caffeine chemical solvent",
  choose_if:
    "suit start beginner recommend best choose suggest favorite ideal everyday milk cream oat latte cappuccino compare difference",
} as const;

export type Kind = keyof typeof KINDS;

/** Words that ask for no more than the coffees beside a word about these. */
const BESIDE_COFFEE = new Set(words("where price cost stock available hot size time yield"));

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

/** Beans and facts that a question names. */
export type Meaning = ReturnType<ReturnType<typeof createReader>>;

export function createReader(products: readonly Product[]) {
  const entries = new Map<string, Entry[]>();
  const add = (all: readonly string[], entry: Entry) => {
    for (const word of all) entries.set(word, [...(entries.get(word) ?? []), entry]);
  };
  // A word that asks for a fact names no bean: "Huila Washed" is not the only washed one.
  const asking = new Set(words(Object.entries(KINDS).join(" ")));
  for (const bean of products) {
    const { name, name_to_use_with_humans, facts, decaf } = bean;
    const own = `${name} ${name_to_use_with_humans} ${facts.region} ${facts.country}`;
    const naming = contentWords(own).filter((word) => !asking.has(word));
    add(decaf ? [...naming, "decaf"] : naming, { bean });
  }
  // A word that names a bean asks for no fact of it: "Is the Geisha good?" is no question about varieties.
  const naming = new Set(entries.keys());
  for (const bean of products) {
    const { process, varieties, roast, tasting_notes } = bean.facts;
    const texts = { process, varieties, roast, tasting_notes, brewing: methodsOf(bean) };
    for (const [kind, text] of Object.entries(texts)) {
      const values = contentWords(String(text)).filter((word) => !naming.has(word));
      add(values, { bean, kind: kind as Kind });
    }
  }
  for (const [kind, more] of Object.entries(KINDS))
    add(words(`${kind} ${more}`), { kind: kind as Kind });
  const allMethods = [...new Set(products.flatMap(methodsOf))];
  const entriesOf = (word: string): Entry[] =>
    entries.get(word) ?? [...entries].flatMap(([own, some]) => (isForm(word, own) ? some : []));

  /** `stated`: words of the policy. */
  return (question: string, stated: readonly string[]) => {
    const meanings = new Map(contentWords(question).map((word) => [word, entriesOf(word)]));
    const asked = [...meanings.keys()];
    const found = [...meanings.values()].flat();
    const named = products.filter((one) => found.some(({ bean, kind }) => bean === one && !kind));
    const kinds = new Set(found.flatMap(({ bean, kind }) => (kind && !bean ? kind : [])));
    // "Where is it from?" has no word that is about coffee alone.
    if (named.length > 0 && asked.includes("where")) kinds.add("origin");
    const values = found.flatMap(({ bean, kind }): Pair[] =>
      bean && kind ? [{ product_id: bean.product_id, kind }] : [],
    );
    /** Brewing methods asked for: "moka" is enough for the moka pot. */
    const methods = allMethods.filter((method) =>
      words(method)
        .slice(0, 1)
        .some((own) => asked.some((word) => isForm(word, own))),
    );
    const others = asked.filter((word) => !entries.has(word) && !BESIDE_COFFEE.has(word));
    // A mistyped word may resemble both: "recipt" is a receipt, "roastd" is no word of the policy.
    const ofPolicy = others.filter((word) =>
      stated.some((own) => isForm(word, own) && entriesOf(own).length === 0),
    );
    const ofCoffee = asked.filter((word) => meanings.get(word)!.length > 0);
    const unknown = others.filter((word) => !ofCoffee.includes(word) && !isFunctionSlip(word));
    // Only names and exact words are a sure sign: "express" is no espresso.
    const exact = asked.flatMap((word) => entries.get(word)?.[0] ?? []);
    const isOnlyAboutCoffee =
      named.length + exact.length > 0 &&
      ofPolicy.length === 0 &&
      unknown.length <= exact.filter(({ kind }) => kind).length;
    // With no other fact asked for, the recipes of a coffee may be meant.
    const isOpen = named.length === 1 && [...kinds].every((kind) => kind === "choose_if");
    const isAboutBrewing =
      (isOpen && ofPolicy.length === 0) ||
      (kinds.has("brewing") && (named.length > 0 || isOnlyAboutCoffee));
    return {
      named,
      kinds,
      values,
      methods,
      isAboutCoffee: found.length > 0,
      isOnlyAboutCoffee,
      isAboutBrewing,
      /** Has more words of the policy than of the coffees. */
      isAboutPolicy: ofPolicy.length > ofCoffee.length,
      isMostlyUnknown: unknown.length * 2 > words(question).length,
    };
  };
}

const methodsOf = ({ facts }: Product): string[] => facts.brewing.map(({ method }) => method);

/** A line about a bean. Without `meaning` it is short; a question about brewing gets recipes instead of the taste. */
export function beanLine(bean: Product, { free, keyless }: Live, meaning: Meaning | null): string {
  const { choose_if, facts, name_to_use_with_humans: spoken } = bean;
  const { region, country, process, varieties, roast, tasting_notes } = facts;
  const isSold = !keyless || !isExclusive(bean);
  const stock = isSold ? stockInShort(bean, free.get(bean.product_id) ?? 0) : "not sold here";
  const name = bean.decaf && !/decaf/i.test(spoken) ? `${spoken} (decaf)` : spoken;
  const origin = [region, country].filter((place) => place !== "").join(", ");
  const known = [origin && `From ${origin}`, process, varieties.join(", ")].filter(
    (fact) => fact !== "",
  );
  const hasAllRecipes =
    meaning?.isAboutBrewing && meaning.named.length + meaning.methods.length === 0;
  return [
    `${name}, ${display(bean.price_minor)}, ${stock}.`,
    `${meaning ? roast : `${bean.roast_level} roast`}.`,
    ...(hasAllRecipes ? [] : [`Tastes of ${tasting_notes.join(", ")}.`]),
    ...(meaning && known.length > 0 ? [`${known.join("; ")}.`] : []),
    ...(meaning ? recipes(bean, meaning) : []),
    ...(hasAllRecipes
      ? []
      : [`Choose it if ${choose_if.charAt(0).toLowerCase()}${choose_if.slice(1)}`]),
  ].join(" ");
}

/** Recipes for the methods that a question names, all for one about brewing or one coffee, else their names. */
function recipes(bean: Product, { methods, named, isAboutBrewing }: Meaning): string[] {
  const wanted = methods.length > 0 ? methods : isAboutBrewing ? methodsOf(bean) : [];
  if (wanted.length === 0 || (named.length > 0 && !named.includes(bean))) {
    const own = methodsOf(bean).join(", ");
    return own === "" ? [] : [`Recipes: ${own}.`];
  }
  return wanted.map((one) => {
    const recipe = bean.facts.brewing.find(({ method }) => method === one);
    return recipe ? `${one}: ${recipe.advice}` : `No recipe for ${one}.`;
  });
}
