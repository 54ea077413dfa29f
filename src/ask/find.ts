/** Which beans are meant, and which fit: wishes evaluated exactly over all of them. */

import { display } from "../core/money.ts";
import { shippingMinor } from "../quotes/pricing.ts";
import type { Bound } from "./amounts.ts";
import { type Bean, type Beans, fieldOf } from "./facts.ts";
import type { Scale } from "./lexicon.ts";
import type { Shown, Wish, Wishes } from "./reading.ts";
import type { Row } from "./say.ts";
import { exactly, type Trait } from "./traits.ts";

/** Three-valued: where the facts do not say, neither the wish nor its contrary holds. */
export function truth({ id }: Bean, { trait, not, typed }: Wish): "yes" | "no" | "unsaid" {
  const has = trait.has.has(id);
  // What needs a key is rare; of what needs none it is not told.
  if (!has && (trait.unsure?.has(id) || /^rare/.test(typed)))
    return not && /text|note|decaf/.test(trait.kind) ? "yes" : "unsaid";
  return (not ? !has && !trait.near?.has(id) : has) ? "yes" : "no";
}

/** A bean by its name, "the decaf", "that Colombian": this one is meant, not any of its kind. */
export const isDefinite = ({ named, refers, determined }: Wish): boolean =>
  named || (refers && determined);

/** "2 Huila and a Guji": of each it is told how many. */
export const areCounted = (wishes: Wishes): boolean =>
  wishes.every(({ refers, bags }) => refers && bags !== null);

/** Those spoken of: "the Huila and the decaf" are two, "the Colombian decaf" is one. */
export function spoken(beans: Beans, wishes: Wishes): Bean[] {
  const is = (bean: Bean) => (wish: Wish) => truth(bean, wish) === "yes";
  const runs: Wish[][] = [];
  for (const wish of wishes.filter(({ refers }) => refers)) {
    const run = [...(runs.at(-1) ?? []), wish];
    // No bean is both, but there are some of each: they are two.
    const both = beans.some((bean) => run.every(is(bean)));
    const apart = !both && run.every((one) => beans.some((bean) => is(bean)(one)));
    if (wish.or || (apart && !wish.from) || runs.length === 0) runs.push([wish]);
    else runs.at(-1)!.push(wish);
  }
  return beans.filter((bean) => runs.some((run) => run.every(is(bean))));
}

/** Alternatives of each other: joined by "or", or of a kind of which a bean has only one, as a roast. */
function groupsOf(wishes: Wishes): Wish[][] {
  const groups: Wish[][] = [];
  for (const wish of wishes) {
    const only = /^(?:roast|acidity|body)$/.test(wish.trait.kind);
    const alike = ({ trait }: Wish) => only && trait.kind === wish.trait.kind;
    const open = wish.not ? [] : groups.filter((group) => group.every(({ not }) => !not));
    const group = open.find((some) => some.some(alike)) ?? (wish.or ? open.at(-1) : undefined);
    if (group) group.push(wish);
    else groups.push([wish]);
  }
  return groups;
}

/** `strict`: also what has only a little of what nearly all have. */
export function fitting(beans: Beans, wishes: Wishes, strict = false) {
  // "Natural or decaf": what is an alternative to a claim is one itself.
  const naming = wishes.filter(({ refers, or }, at) => {
    const [before, next] = [wishes[at - 1], wishes[at + 1]];
    return refers && !(or && before?.refers === false) && !(next?.or && !next.refers);
  });
  const groups = groupsOf(wishes.filter((wish) => !naming.includes(wish)));
  const fit = (naming.length > 0 ? spoken(beans, naming) : [...beans]).filter((bean) =>
    groups.every((group) => group.some((wish) => truth(bean, wish) === "yes")),
  );
  const [note, ...others] = wishes.filter(({ trait, not }) => trait.kind === "note" && !not);
  if (strict || others.length > 0 || !note?.trait.broad) return fit;
  // Every coffee has some fruit: who wishes for it means those where it stands out.
  const { has, field } = note.trait;
  const factsOf = ({ id }: Bean) => has.get(id) ?? [];
  const much = fit.filter(
    (bean) => factsOf(bean).filter((fact) => fact.field === field).length > 1,
  );
  return (much.length > 0 ? much : fit).sort((a, b) => factsOf(b).length - factsOf(a).length);
}

export const methodsOf = (wishes: Wishes): Wishes =>
  wishes.filter(({ trait, not }) => trait.kind === "method" && !not);

/** Those of the methods that are wished, or all; of limits on recipes, those within. */
export function recipesOf(bean: Bean, wishes: Wishes): Bean["recipes"] {
  const methods = methodsOf(wishes);
  const without = wishes.filter(({ trait, not }) => not && trait.kind === "method");
  const limits = wishes.filter(
    ({ trait: { field, kind } }) => field === "brewing" && !/^(?:methods?|text)$/.test(kind),
  );
  return bean.recipes.filter(({ fact }) => {
    const isBy = ({ trait }: Wish) => trait.has.get(bean.id)?.includes(fact);
    return (
      !without.some(isBy) && limits.every(isBy) && (methods.length === 0 || methods.some(isBy))
    );
  });
}

/** A wish that something is so of beans. */
export const claimed = (trait: Trait, or = false): Wish => ({
  trait,
  or,
  typed: trait.label,
  not: false,
  except: false,
  named: false,
  refers: false,
  at: -1,
  from: false,
  joined: false,
  determined: false,
  bags: null,
  level: 0,
});

/** What is within a limit, by the recipes that are wished. */
export function limit(bound: Bound, beans: Beans, wishes: Wishes, shipped: boolean): Wish {
  const { scale, least, most, at, bags = 1 } = bound;
  const fee = (sum: number) => (shipped && scale === "price" ? shippingMinor(sum) : 0);
  const isWithin = (value: number) => {
    const sum = value * bags;
    return sum >= least && sum + fee(sum) <= most;
  };
  const level = least === 0 ? -1 : most === Number.POSITIVE_INFINITY ? 1 : 0;
  const each = bags > 1 ? ` for ${bags} bags` : "";
  const words =
    bound.words ??
    `${inWords(bound)}${each}${shipped && scale === "price" ? " with shipping" : ""}`;
  const trait = measured(scale, words, beans, wishes, isWithin);
  return { ...claimed({ ...trait, kind: scale }, bound.or), at, level };
}

/** "But not the $65 one." */
export const skipped = (text: string, all: Beans): Wish[] =>
  [...text.matchAll(/\bnot (?:the |that )?\$(\d+(?:\.\d\d)?)/g)].map(([said, sum]) => {
    const price = Math.round(Number(sum) * 100);
    const trait = measured("price", display(price), all, [], (value) => value === price);
    return { ...claimed(trait), not: true, at: text.indexOf(said) };
  });

const MANY: readonly [RegExp, (count: number, told: number) => boolean][] = [
  [/\bnot? (?:more than|over)$|(?:at most|up to)$/, (count, told) => count <= told],
  [/\bnot? (?:(?:less|fewer) than|under)$|at least$/, (count, told) => count >= told],
  [/(?:more than|over)$/, (count, told) => count > told],
  [/(?:(?:less|fewer) than|under)$/, (count, told) => count < told],
  [/(?:exactly|only|just)$/, (count, told) => count === told],
  [/$/, (count, told) => count >= told],
];

/** "More than two fruit notes": those that have so many. */
export function counted(wish: Wish, said: readonly string[], beans: Beans): Wish {
  const { trait, bags, at, not } = wish;
  if (trait.kind !== "note" || bags === null || said[at + 1] !== "note") return wish;
  const before = said.slice(Math.max(0, at - 4), at - 1).join(" ");
  const [words, isMeant] = MANY.find(([one]) => one.test(before))!;
  const has = beans.flatMap(({ id, facts }) => {
    const found = trait.has.get(id)?.filter(({ field }) => field === trait.field) ?? [];
    const shown = found.length > 0 ? found : facts[trait.field];
    return isMeant(found.length, bags) ? [[id, shown] as const] : [];
  });
  const notes = bags === 1 ? trait.label.replace(/s$/, "") : trait.label;
  const label = `${words.exec(before)![0] || "at least"} ${bags} ${notes}`;
  return { ...claimed({ kind: "measure", field: trait.field, label, has: new Map(has) }), at, not };
}

/** What those have whose place on a scale is such; where it is told nowhere, the facts do not say. */
export function measured(
  scale: Scale,
  label: string,
  beans: Beans,
  wishes: Wishes,
  is: (value: number) => boolean,
): Trait {
  const found = beans.map(
    (bean) => [bean, measures(bean, scale, recipesOf(bean, wishes))] as const,
  );
  const has = found.flatMap(([{ id }, all]) => {
    const facts = all.flatMap(({ value, facts }) => (is(value) ? facts : []));
    return facts.length > 0 ? [[id, facts] as const] : [];
  });
  const unsure = found.flatMap(([{ id }, all]) => (all.length > 0 ? [] : id));
  const field = fieldOf(scale);
  return { kind: "measure", field, label, has: new Map(has), unsure: new Set(unsure) };
}

/** "washed, no nut notes or not decaf, up to $23.00". */
export function wanted(wishes: Shown): string {
  const alike = Map.groupBy(wishes, ({ trait: { label }, not }) => `${label} ${not}`);
  const said = [...alike.values()]
    .map(([first]) => first!)
    .map(({ trait: { label, denied = label }, not, or }, at) => {
      const joint = at === 0 ? "" : or && !not ? " or " : ", ";
      const none = /notes$|recipe$|caffeine/.test(label) ? "no" : "not";
      return joint + (not ? `${none} ${denied}` : label);
    });
  return said.join("");
}

/** "Neither light nor dark": medium-dark comes near dark, but is not it. */
export const loosely = (wishes: Wishes): Wish[] =>
  wishes.map((wish) =>
    wish.not && wish.trait.kind === "roast" ? { ...wish, trait: exactly(wish.trait) } : wish,
  );

/** The same above those that are told: where what has little of it is left out, that it is several. */
export const wantedOf = (wishes: Wishes, told: Beans, beans: Beans): string =>
  fitting(beans, wishes, true).length > told.length
    ? wanted(wishes).replace(/(?<!no )fruit notes/, "several fruit notes")
    : wanted(wishes);

const UNITS: Readonly<Record<string, string>> = {
  time: " seconds",
  temperature: " °C",
  dose: " g",
  notes: " tasting notes",
  methods: " brewing methods",
  varieties: " varietals",
};

/** "over $20.00", "at least", "under", "up to", "$20.00 to $25.00". */
function inWords({ least, most, scale }: Bound): string {
  const [from, to] = [least, most].map((value) =>
    scale === "price"
      ? display(Math.round(value))
      : `${Math.round(value)}${UNITS[scale] ?? ""}`.replace(/^1 (.*)s$/, "1 $1"),
  );
  if (most === Number.POSITIVE_INFINITY)
    return `${least > Math.round(least) ? "over" : "at least"} ${from}`;
  if (least === 0) return `${most < Math.round(most) ? "under" : "up to"} ${to}`;
  return from === to ? `${from}` : `${from} to ${to}`;
}

/** A bean's place on a scale, with what the catalog says there. */
export type Measure = Row & { value: number };

/** One for each bean, but one for each recipe on the scales of recipes; none where nothing is said. */
export function measures(bean: Bean, scale: Scale, recipes: Bean["recipes"]): Measure[] {
  if (typeof scale !== "string") {
    const shown = scale.has.get(bean.id);
    return [{ bean, facts: shown ?? bean.facts[scale.field], value: shown?.length ?? 0 }];
  }
  const value = bean.numbers[scale];
  if (value !== undefined) return [{ bean, facts: bean.facts[fieldOf(scale)], value }];
  return recipes.flatMap(({ fact, numbers: { [scale]: number } }) =>
    number === undefined ? [] : [{ bean, value: number, facts: [fact] }],
  );
}
