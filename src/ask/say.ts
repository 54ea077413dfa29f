/** Sentences and the facts they rest on, made together: what is said of a bean stands in `facts`. */
import type { Fact, Field, Live } from "./answer.ts";
import type { Bean, Beans } from "./facts.ts";
import type { Wish, Wishes } from "./reading.ts";
import { join, lowerFirst } from "./text.ts";

export interface Piece {
  text: string;
  facts: readonly Fact[];
  /** Whom it is about, so that "it" has a meaning in what follows. */
  about: Beans;
  /** Only worth saying where nothing else is. */
  weak?: boolean;
}

/** A bean, what is said of it, and what that rests on. */
export interface Row {
  bean: Bean;
  said: string;
  facts: readonly Fact[];
}

export const plainly = (text: string, about: Beans = []): Piece => ({ text, facts: [], about });

/** "Tasting notes: Kenya Nyeri (blackcurrant), …": every answer about beans has this form. */
export const say = (head: string, rows: readonly Row[]): Piece => ({
  text: `${head}: ${join(rows.map(({ bean, said }) => (said ? `${bean.name} (${said})` : bean.name)))}.`,
  facts: rows.flatMap(({ facts }) => facts),
  about: [...new Set(rows.map(({ bean }) => bean))],
});

export const merge = (pieces: readonly Piece[]): Piece => ({
  text: pieces.map(({ text }) => text).join(" "),
  facts: pieces.flatMap(({ facts }) => facts),
  about: [...new Set(pieces.flatMap(({ about }) => about))],
});

const TITLES: Readonly<Record<Field, string>> = {
  country: "Origin",
  region: "Region",
  process: "Process",
  varieties: "Varieties",
  roast: "Roast",
  tasting_notes: "Tasting notes",
  brewing: "Brewing methods",
  decaf: "Decaf",
  choose_if: "Choose if",
  price_minor: "Price per 8 oz bag",
  availability: "Availability",
};

/** One field of one bean, in words. */
function told(bean: Bean, field: Field, live: Live = {}): string {
  const { product, recipes } = bean;
  if (field === "brewing") return join(recipes.map(({ method }) => lowerFirst(method)));
  if (field === "decaf") return product.decaf ? "a decaf" : "not a decaf";
  if (field === "availability") return availability(bean, live);
  if (field === "country") return `${product.facts.region}, ${product.facts.country}`;
  const values = bean.facts[field].map(({ value }) => value.replace(/[.!\s]+$/, ""));
  return join(/process|roast|choose/.test(field) ? values.map(lowerFirst) : values);
}

function availability({ id, product }: Bean, { free }: Live): string {
  const count = free?.get(id);
  const now = count === undefined ? "" : count > 0 ? "in stock now" : "sold out now";
  if (product.availability === "WAITLIST")
    return `${now || "sold while bags last"}, with a waitlist when they run out`;
  if (product.availability === "STOCKED") return now || "sold from stock";
  return `exclusive${now && `, ${now}`}: it needs a finder key, earned by three good questions here`;
}

export const row = (bean: Bean, field: Field, live: Live = {}): Row => ({
  bean,
  said: told(bean, field, live),
  facts: [...(field === "country" ? bean.facts.region : []), ...bean.facts[field]],
});

export const tell = (beans: Beans, field: Field, live: Live = {}): Piece =>
  say(
    TITLES[field],
    beans.map((bean) => row(bean, field, live)),
  );

export const DESCRIBED = ["country", "process", "varieties", "roast", "tasting_notes"] as const;

/** Whatever buyers want to know first. */
export const describe = (beans: Beans): Piece =>
  say(
    "About",
    beans.map((bean) => {
      const rows = DESCRIBED.map((field) => ({ field, ...row(bean, field) }));
      const said = rows.map((one) => `${TITLES[one.field].toLowerCase()}: ${one.said}`).join("; ");
      return { bean, said, facts: rows.flatMap(({ facts }) => facts) };
    }),
  );

/** What the catalog says of the bean on the very matter; `full`: recipes too. */
export function evidence(bean: Bean, wishes: Wishes, full: boolean): Row {
  const rows = wishes.map(({ trait: { dimension, field, has } }): Row => {
    const own = has.get(bean.id) ?? [];
    const notes = own.filter((fact) => fact.field === "tasting_notes");
    // Notes speak for themselves; a sentence is quoted where there is no note.
    const facts = notes.length > 0 ? notes : own;
    // Of "walnut or almond", and of "nuts but no chocolate", what it has.
    const shows = wishes.some(({ trait }) => trait.field === field && trait.has.has(bean.id));
    const other = own.length === 0 && shows;
    if (dimension === "bean" || other) return { bean, said: "", facts };
    if (
      facts.length === 0 ||
      /decaf|avail|origin/.test(dimension) ||
      (dimension === "method" && !full)
    )
      return row(bean, field);
    const quoted = facts.filter((fact) => full || fact.field !== "brewing");
    const said = quoted.map(({ value }) => lowerFirst(value).replace(/\.$/, ""));
    return { bean, said: said.join(", "), facts };
  });
  return {
    bean,
    said: [...new Set(rows.map(({ said }) => said))].filter((said) => said !== "").join("; "),
    facts: rows.flatMap(({ facts }) => facts),
  };
}

/** "washed, no nut notes or not decaf". */
export const wishWords = (wishes: Wishes): string =>
  wishes
    .map(({ trait: { label }, not, or }: Wish, at) => {
      const joint = at === 0 ? "" : or && !not ? " or " : ", ";
      const no = not ? (/notes$|recipe$|caffeine/.test(label) ? "no " : "not ") : "";
      return `${joint}${no}${label}`;
    })
    .join("");
