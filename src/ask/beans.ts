/** Beans as lines for `ask`, and what a question's words say about them. */
import { isExclusive, type Product } from "../catalog/catalog.ts";
import { stockInShort } from "../catalog/catalog-answer.ts";
import { contentWords, isForm, isFunctionSlip, words } from "../catalog/words.ts";
import { display } from "../core/money.ts";
import type { Live } from "./sections.ts";

/** Kinds of facts that count towards a finder key, with the words that ask for them. */
export const KINDS = {
  origin: "origin country region grown continent africa america asia latin",
  process: "process washed natural honey fermented wet dry anaerobic",
  varieties: "variety varieties varietal cultivar species arabica heirloom plant",
  roast:
    "roast level dark light medium acid sour bright body heavy mild strong bold smooth intense delicate bitter silky",
  tasting_notes:
    "taste notes flavor flavour aroma sweet fruity floral flower nut nutty chocolate berry citrus spicy caramel smoky earthy winey tea",
  brewing:
    "brew recipe espresso pour filter french press moka aeropress cold v60 chemex drip grind dose ratio temperature water extraction steep iced",
  decaf: "decaf decaffeinated caffeine chemical solvent",
  choose_if:
    "suit start beginner recommend best choose suggest favorite ideal everyday milk cream oat latte cappuccino compare difference",
} as const;

export type Kind = keyof typeof KINDS;

/** Words that ask for no more than the coffees beside one of brewing, or beside a name. */
const BESIDE_BREWING = new Set(words("hot size time yield"));
const BESIDE_NAMES = new Set(words("where price cost stock available"));

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
  // Advice is prose, which has words of every kind.
  const prose = new Set(
    products.flatMap(({ choose_if, facts: { brewing } }) =>
      contentWords([choose_if, ...brewing.map(({ advice }) => advice)].join(" ")),
    ),
  );
  const allMethods = [...new Set(products.flatMap(methodsOf))];
  const entriesOf = (word: string): Entry[] =>
    entries.get(word) ?? [...entries].flatMap(([own, some]) => (isForm(word, own) ? some : []));

  return (question: string, isInPolicy: (word: string) => boolean) => {
    const asked = contentWords(question).slice(0, MOST_WORDS);
    const found = asked.flatMap(entriesOf);
    const named = products.filter((one) => found.some(({ bean, kind }) => bean === one && !kind));
    const kinds = new Set(found.flatMap(({ bean, kind }) => (kind && !bean ? kind : [])));
    // "Where is it from?" has no word that is about coffee alone.
    if (named.length > 0 && asked.includes("where")) kinds.add("origin");
    const values = found.flatMap(({ bean, kind }): Pair[] =>
      bean && kind ? [{ product_id: bean.product_id, kind }] : [],
    );
    const others = asked.filter(
      (word) =>
        entriesOf(word).length === 0 &&
        !(kinds.has("brewing") && BESIDE_BREWING.has(word)) &&
        !(named.length > 0 && BESIDE_NAMES.has(word)) &&
        (isInPolicy(word) || !(prose.has(word) || isFunctionSlip(word))),
    );
    const policy = others.filter(isInPolicy).length;
    const coffee = asked.filter((word) => entriesOf(word).length > 0).length;
    return {
      named,
      kinds,
      values,
      /** Brewing methods asked for. */
      methods: allMethods.filter((method) =>
        words(method).every((own) => asked.some((word) => isForm(word, own))),
      ),
      isAboutCoffee: found.length > 0,
      isOnlyAboutCoffee: found.length > 0 && others.length === 0,
      /** Has as many words of the policy as of the coffees. */
      isAboutPolicy: policy > 0 && policy >= coffee,
      isMostlyUnknown: others.length * 2 > words(question).length,
    };
  };
}

const methodsOf = ({ facts }: Product): string[] => facts.brewing.map(({ method }) => method);

/** In the middle of a sentence; "AeroPress" stays. */
const lower = (text: string): string =>
  /^\p{Lu}\p{Ll}*(?:\P{L}|$)/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Facts of a bean. With the meaning of a question, all of them; of the recipes, those that it asks for. */
export function beanLine(bean: Product, { free, keyless }: Live, meaning: Meaning | null): string {
  const { region, country, process, varieties, roast, tasting_notes } = bean.facts;
  const isSold = !keyless || !isExclusive(bean);
  const stock = isSold ? stockInShort(bean, free.get(bean.product_id) ?? 0) : "not sold here";
  const spoken = bean.name_to_use_with_humans;
  const name = bean.decaf && !/decaf/i.test(spoken) ? `${spoken} (decaf)` : spoken;
  const origin = [region, country].filter((place) => !spoken.includes(place));
  return [
    `${name}, ${display(bean.price_minor)}, ${stock}.`,
    `${meaning ? roast : `${bean.roast_level} roast`}. Tastes of ${tasting_notes.join(", ")}.`,
    ...(meaning ? [`${[...origin, lower(process), varieties.join(", ")].join("; ")}.`] : []),
    ...(meaning ? recipes(bean, meaning) : []),
    `Choose it if ${lower(bean.choose_if)}`,
  ].join(" ");
}

/** Recipes for the methods that a question names, all for one about brewing, else their names. */
function recipes(bean: Product, { kinds, methods, named, isOnlyAboutCoffee }: Meaning): string[] {
  const isBrewing = kinds.has("brewing") && (named.length > 0 || isOnlyAboutCoffee);
  const wanted = methods.length > 0 ? methods : isBrewing ? methodsOf(bean) : [];
  if (wanted.length === 0 || (named.length > 0 && !named.includes(bean)))
    return [`Recipes: ${methodsOf(bean).map(lower).join(", ")}.`];
  return wanted.map((one) => {
    const recipe = bean.facts.brewing.find(({ method }) => method === one);
    return recipe ? `${one}: ${recipe.advice}` : `No recipe for ${lower(one)}.`;
  });
}
