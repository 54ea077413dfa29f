/** Beans as lines for `ask`, and the words by which questions name them and their facts. */
import { isExclusive, type Product } from "../catalog/catalog.ts";
import { stockInShort } from "../catalog/catalog-answer.ts";
import { display } from "../core/money.ts";
import type { Live } from "./sections.ts";
import { stem, terms, words } from "./text.ts";

/** Kinds of facts that count towards a finder key, with the words that ask for them. */
export const KINDS = {
  origin: "origin country region where grown continent africa african america american asia latin",
  process: "process processing washed natural honey fermented wet dry anaerobic decaffeinated",
  varieties: "variety varieties varietal cultivar species arabica heirloom",
  roast:
    "roast roasted level dark light medium acidity acidic acid sour bright brightness body bodied heavy light mild strong bold smooth intense delicate bitter silky mouthfeel",
  tasting_notes:
    "taste tasting notes flavor flavour flavored aroma profile sweet fruity fruit floral flower flowery nutty nut chocolate chocolatey berry berries citrus citrusy spicy spice caramel smoky earthy winey tea profile palate",
  brewing:
    "brew brewing recipe espresso pour over filter french press moka aeropress cold brew v60 chemex drip machine grind size dose ratio temperature degrees water extraction steep milk cream latte cappuccino prepare seconds shot iced",
  decaf: "decaffeinated caffeine",
  choose_if:
    "suit suits start new newbie try recommend recommendation best choose suggest favorite pick ideal beginner everyday compare difference",
} as const;

export type Kind = keyof typeof KINDS;

/** Fields of a bean in the index whose values a question can ask for. */
export const VALUE_FIELDS = [
  "origin",
  "process",
  "varieties",
  "roast",
  "tasting_notes",
  "brewing",
] as const;

export const BEAN_FIELDS = ["name", "choose_if", ...VALUE_FIELDS] as const;

type BeanDocument = Record<(typeof BEAN_FIELDS)[number], string>;

export function beanDocuments(products: readonly Product[]): BeanDocument[] {
  const facts = products.map((bean) => bean.facts);
  // A word that describes a bean names none: "Huila Washed" is not the only washed one.
  const describing = new Set(
    terms(facts.map((one) => `${one.process} ${one.roast} ${one.tasting_notes}`).join(" ")),
  );
  const names = products.map((bean) => nameTerms(bean, describing));
  const naming = new Set(names.flat());
  // A word that names a bean asks for no fact of it: "Is the Geisha good?" is no question about varieties.
  const unnamed = (text: string) =>
    words(text)
      .filter((word) => !naming.has(stem(word)))
      .join(" ");
  return products.map(({ facts, choose_if }, i) => ({
    name: names[i]!.join(" "),
    origin: unnamed(`${facts.country} ${facts.region}`),
    process: facts.process,
    varieties: unnamed(facts.varieties.join(" ")),
    roast: facts.roast,
    tasting_notes: facts.tasting_notes.join(" "),
    brewing: facts.brewing.map(({ method }) => method).join(" "),
    choose_if,
  }));
}

/** Words that mean this bean, or another of its country. */
const nameTerms = (bean: Product, describing: ReadonlySet<string>): string[] => [
  ...terms(`${bean.name} ${bean.name_to_use_with_humans} ${bean.facts.region}`).filter(
    (term) => !describing.has(term) && term !== "decaf",
  ),
  ...demonyms(bean.facts.country),
  ...(isExclusive(bean) ? terms("exclusive locked") : []),
  ...(bean.decaf ? ["decaf"] : []),
];

/** "Colombian", "Mexican", "Panamanian"; what is no word is never asked for. */
const demonyms = (country: string): string[] =>
  terms(country).flatMap((term) => [
    `${term}n`,
    `${term.replace(/[aeiou]+$/, "")}an`,
    `${term}nian`,
  ]);

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** A fact in words, for the sentence that states what was looked up. */
export function factText(bean: Product, kind: Kind): string {
  const { facts } = bean;
  const said: Record<Kind, () => string> = {
    origin: () => `from ${facts.region}, ${facts.country}`,
    process: () => `process: ${lower(facts.process)}`,
    varieties: () => `varieties: ${facts.varieties.join(", ")}`,
    roast: () => lower(facts.roast),
    tasting_notes: () => `tasting notes: ${facts.tasting_notes.join(", ")}`,
    brewing: () => `recipes for ${facts.brewing.map(({ method }) => method).join(", ")}`,
    decaf: () => (bean.decaf ? "decaffeinated" : "not decaffeinated"),
    choose_if: () => `choose it if: ${lower(bean.choose_if).replace(/\.$/, "")}`,
  };
  return said[kind]();
}

/** Name, price and stock. */
export function shortLine(bean: Product, { free, keyless }: Live): string {
  const isSold = !keyless || !isExclusive(bean);
  const stock = isSold ? stockInShort(bean, free.get(bean.product_id) ?? 0) : "not sold here";
  return `${bean.name_to_use_with_humans}, ${display(bean.price_minor)}, ${stock}.`;
}

/** Name, price and stock, with the facts that distinguish a bean from the others. */
export const otherLine = (bean: Product, live: Live): string =>
  `${shortLine(bean, live)} ${bean.roast_level} roast; ${lower(bean.facts.process)}. Tastes of ${bean.facts.tasting_notes.join(", ")}.`;

/** Every fact of a bean; with the terms of a question about brewing, its recipes, or those of the methods asked for. */
export function fullLine(bean: Product, live: Live, brewing: readonly string[] | null): string {
  const { facts } = bean;
  const isAsked = ({ method }: { method: string }) =>
    terms(method).every((one) => brewing?.includes(one));
  const recipes = facts.brewing.some(isAsked) ? facts.brewing.filter(isAsked) : facts.brewing;
  return [
    shortLine(bean, live),
    `${facts.region}, ${facts.country}; ${lower(facts.process)}; ${facts.varieties.join(", ")}.`,
    `${facts.roast}.`,
    `Tastes of ${facts.tasting_notes.join(", ")}.`,
    bean.choose_if,
    ...(brewing ? recipes.map(({ method, advice }) => `${method}: ${advice}`) : []),
  ].join(" ");
}
