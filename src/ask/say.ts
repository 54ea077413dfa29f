/** Sentences and the facts they rest on, made together: what is said of a bean stands in `facts`. */
import type { Fact, Field, Live } from "./answer.ts";
import { type Bean, type Beans, factsOf } from "./facts.ts";
import type { Wish, Wishes } from "./reading.ts";
import { join, lowerFirst, sentence } from "./text.ts";
import { FIELD_OF } from "./traits.ts";

export interface Piece {
  text: string;
  facts: readonly Fact[];
  /** Whom it is about, so that "it" has a meaning in what follows. */
  about: Beans;
  /** Only worth saying where nothing else is. */
  weak?: boolean;
}

export const piece = (text: string, facts: readonly Fact[] = [], about: Beans = []): Piece => ({
  text,
  facts,
  about,
});

export const merge = (pieces: readonly Piece[]): Piece => ({
  text: pieces.map(({ text }) => text).join(" "),
  facts: pieces.flatMap(({ facts }) => facts),
  about: [...new Set(pieces.flatMap(({ about }) => about))],
});

export const namesOf = (beans: Beans): string => join(beans.map(({ name }) => name));

const TITLES: Readonly<Record<Field, string>> = {
  country: "Origin",
  region: "Origin",
  process: "Process",
  varieties: "Varieties",
  roast: "Roast",
  tasting_notes: "Tasting notes",
  brewing: "Brewing methods",
  decaf: "Decaf",
  choose_if: "Choose",
  price_minor: "Price per 8 oz bag",
  availability: "Availability",
};

const SENTENCES: Partial<Record<Field, (name: string, value: string) => string>> = {
  country: (name, value) => `${name} comes from ${value}.`,
  tasting_notes: (name, value) => `${name} tastes of ${value}.`,
  price_minor: (name, value) => `${name} costs ${value} per 8 oz bag.`,
  choose_if: (name, value) => sentence(`Choose ${name} ${value}`),
  decaf: (name, value) => `${name} is ${value}.`,
};

/** One field of one bean, as it stands in a list. */
export function told(bean: Bean, field: Field, live: Live = {}): string {
  const { product, recipes } = bean;
  if (field === "brewing") return join(recipes.map(({ method }) => lowerFirst(method)));
  if (field === "decaf") return product.decaf ? "a decaf" : "not a decaf";
  if (field === "availability") return availability(bean, live);
  if (field === "country") return `${product.facts.region}, ${product.facts.country}`;
  if (field === "choose_if") return `if ${lowerFirst(product.choose_if).replace(/[.!\s]+$/, "")}`;
  const values = factsOf(bean, field).map(({ value }) => value);
  return join(field === "process" || field === "roast" ? values.map(lowerFirst) : values);
}

function availability({ id, product }: Bean, { free }: Live): string {
  const count = free?.get(id);
  const now = count === undefined ? "" : count > 0 ? "in stock now" : "sold out now";
  if (product.availability === "WAITLIST")
    return `${now || "sold while bags last"}, with a waitlist when they run out`;
  if (product.availability === "STOCKED") return now || "sold from stock";
  return `exclusive${now && `, ${now}`}: it needs a finder key, earned by three good questions here`;
}

/** The facts behind a field that is told. */
export const proof = (bean: Bean, field: Field): Fact[] => [
  ...(field === "country" ? factsOf(bean, "region") : []),
  ...factsOf(bean, field),
];

/** A field of some beans: a sentence for one, a list for several. */
export function tell(beans: Beans, field: Field, live: Live = {}): Piece {
  const one = (bean: Bean) => {
    const value = told(bean, field, live);
    return SENTENCES[field]?.(bean.name, value) ?? `${TITLES[field]} of ${bean.name}: ${value}.`;
  };
  const listed = beans.map((bean) => `${bean.name}: ${told(bean, field, live)}`).join("; ");
  const each = beans.length === 1 || field === "choose_if";
  const text = each ? beans.map(one).join(" ") : `${TITLES[field]}: ${listed}.`;
  return piece(
    text,
    beans.flatMap((bean) => proof(bean, field)),
    beans,
  );
}

export const DESCRIBED: readonly Field[] = [
  "country",
  "process",
  "varieties",
  "roast",
  "tasting_notes",
];

export function describe(bean: Bean): Piece {
  const { text, ...rest } = merge(DESCRIBED.map((field) => tell([bean], field)));
  const short = text
    .replaceAll(` of ${bean.name}:`, ":")
    .replace(`${bean.name} tastes`, "It tastes");
  return { ...rest, text: short };
}

const labelOf = ({ trait, not }: Pick<Wish, "trait" | "not">): string =>
  !not
    ? trait.label
    : `${/notes$|recipe$|caffeine/.test(trait.label) ? "no" : "not"} ${trait.label}`;

export const wishWords = (wishes: Wishes): string =>
  wishes
    .map((wish, at) => `${at === 0 ? "" : wish.or && !wish.not ? " or " : ", "}${labelOf(wish)}`)
    .join("");

/** The beans with what shows that they are meant. */
export function shown(beans: Beans, wishes: Wishes): { text: string; facts: Fact[] } {
  const wished = wishes.filter(({ not, trait }) => !not && trait.dimension !== "bean");
  const each = beans.map((bean) => {
    const mine = wished.flatMap(({ trait }) => trait.has.get(bean.id) ?? []);
    // Notes speak for themselves; a sentence is quoted where there is no note, a recipe of one bean only.
    const noted = mine.some(({ field }) => field === "tasting_notes");
    const unsaid = [
      "decaf",
      "availability",
      "country",
      noted ? "choose_if" : "",
      beans.length > 1 ? "brewing" : "",
    ];
    const quoted = mine.filter(({ field }) => !unsaid.includes(field));
    const values = quoted.map(({ field, value }) =>
      field === "region" ? value : lowerFirst(value).replace(/\.$/, ""),
    );
    const instead = wishes
      .slice(0, 1)
      .flatMap(({ trait }) => proof(bean, FIELD_OF[trait.dimension]));
    return {
      text: values.length > 0 ? `${bean.name} (${[...new Set(values)].join("; ")})` : bean.name,
      facts: mine.length > 0 ? mine : instead,
    };
  });
  return { text: join(each.map(({ text }) => text)), facts: each.flatMap(({ facts }) => facts) };
}
