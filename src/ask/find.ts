/** Which beans are meant, and which fit: wishes evaluated exactly over all of them. */
import { display } from "../domain/shared/money.ts";
import type { Bean, Beans } from "./facts.ts";
import type { Bound, Reading, Wish, Wishes } from "./reading.ts";
import { merge, type Piece, piece, shown, tell, wishWords } from "./say.ts";
import { upperFirst } from "./text.ts";
import { EXCLUSIVE, measures, scaleWords } from "./traits.ts";

export type Truth = "yes" | "no" | "unsaid";

/** Three-valued: where the facts do not say, neither the wish nor its contrary holds. */
export function truth({ id }: Bean, { trait, not }: Pick<Wish, "trait" | "not">): Truth {
  const has = trait.has.has(id);
  if (!has && trait.unsure?.has(id)) return trait.dimension === "text" && not ? "yes" : "unsaid";
  return (not ? !has && !trait.near?.has(id) : has) ? "yes" : "no";
}

export const refers = ({ trait, not }: Wish): boolean =>
  !not && /^(?:bean|origin|decaf)$/.test(trait.dimension);

/** A bean by its own name. */
export const isNamed = ({ trait, not }: Wish): boolean => trait.dimension === "bean" && !not;

/** Those spoken of by name: "the Huila and the decaf" are two, "the Colombian decaf" is one. */
export function meant(beans: Beans, wishes: Wishes): Bean[] {
  const runs: Wish[][] = [];
  for (const wish of wishes.filter(refers)) {
    if (wish.joined || runs.length === 0) runs.push([wish]);
    else runs.at(-1)!.push(wish);
  }
  const isMeant = (bean: Bean) =>
    runs.some((run) => run.every((wish) => truth(bean, wish) === "yes"));
  return beans.filter((bean) => runs.length === 0 || isMeant(bean));
}

/** Alternatives of each other: joined by "or", or of a kind of which a bean has only one. */
function groupsOf(wishes: Wishes): Wish[][] {
  const groups: Wish[][] = [];
  for (const wish of wishes) {
    const { dimension } = wish.trait;
    const alike = (one: Wish) => one.trait.dimension === dimension && EXCLUSIVE.includes(dimension);
    const open = wish.not ? [] : groups.filter((group) => group.every(({ not }) => !not));
    const group = open.find((some) => some.some(alike)) ?? (wish.or ? open.at(-1) : undefined);
    if (group) group.push(wish);
    else groups.push([wish]);
  }
  return groups;
}

/** `strictly`: also what has only a little of what nearly all have. */
export function fitting(
  beans: Beans,
  wishes: Wishes,
  bound: Bound | null = null,
  strictly = false,
): Bean[] {
  const groups = groupsOf(wishes);
  const fit = beans.filter(
    (bean) =>
      groups.every((group) => group.some((wish) => truth(bean, wish) === "yes")) &&
      within(bean, bound, wishes),
  );
  const [note, ...others] = wishes.filter(({ trait, not }) => trait.dimension === "note" && !not);
  const broad = strictly || others.length > 0 || !note?.trait.broad ? undefined : note.trait;
  if (!broad) return fit;
  // Every coffee has some fruit: who wishes for it means those where it stands out.
  const amount = ({ id }: Bean) => broad.has.get(id)?.length ?? 0;
  const much = fit.filter((bean) => amount(bean) > 1);
  return (much.length > 0 ? much : fit).sort((a, b) => amount(b) - amount(a));
}

const within = (bean: Bean, bound: Bound | null, wishes: Wishes): boolean =>
  bound === null ||
  measures(bean, bound.scale, methodsOf(wishes)).some(
    ({ value }) => value >= bound.least && value <= bound.most,
  );

export const methodsOf = (wishes: Wishes): string[] =>
  wishes
    .filter(({ trait, not }) => trait.dimension === "method" && !not)
    .map(({ trait }) => trait.label.replace(/ recipe$/, ""));

function boundWords({ least, most, scale }: Bound): string {
  const said = (value: number) =>
    scale === "price" ? display(Math.round(value)) : String(Math.round(value));
  if (most === Number.POSITIVE_INFINITY) return `over ${said(least)}`;
  if (least === most) return `exactly ${said(least)}`;
  return least > 0 ? `${said(least)} to ${said(most)}` : `at most ${said(most)}`;
}

/** What was wished, in words. */
export const wanted = (wishes: Wishes, bound: Bound | null): string =>
  [wishWords(wishes), bound ? boundWords(bound) : ""].filter((text) => text !== "").join(", ");

/** The beans that fit, or a plain no with what comes near. */
export function find({ wishes, bound, cues, question }: Reading, beans: Beans): Piece {
  const fit = fitting(beans, wishes, bound, cues.has("ALL"));
  const label = wanted(wishes, bound);
  if (fit.length === 0) return none(label, wishes, beans);
  const { text, facts } = shown(fit, wishes);
  const advised = (cues.has("RECOMMEND") || !question) && fit.length <= 2;
  return merge([
    piece(`${upperFirst(label)}: ${text}.`, facts, fit),
    ...(bound?.scale === "price" ? [tell(fit, "price_minor")] : []),
    ...(advised ? [tell(fit, "choose_if")] : []),
  ]);
}

function none(label: string, wishes: Wishes, beans: Beans): Piece {
  const said = `None of our coffees fits: ${label}.`;
  const is =
    (dimension: string) =>
    ({ trait, not }: Wish) =>
      trait.dimension === dimension && !not;
  if (wishes.length > 0 && wishes.every(is("method")))
    return piece(`Our facts do not say anything about: ${label}.`);
  if (wishes.some(is("text"))) return piece(`Our facts do not say of any coffee: ${label}.`);
  const [only, ...more] = wishes;
  if (only && more.length === 0 && is("roast")(only) && only.level !== 0) {
    const { level } = only;
    const edge = Math.max(...beans.map(({ roast = 0 }) => roast * level));
    const nearest = beans.filter(({ roast = 0 }) => roast * level === edge);
    const words = upperFirst(scaleWords("roast", level, "sup"));
    return merge([piece(`${said} ${words}:`), tell(nearest, "roast")]);
  }
  const broad = wishes.find(({ not, trait }) => not && trait.broad);
  // Every coffee has a fruit note: those with a single one are nearest to none.
  const rest = broad
    ? fitting(
        beans,
        wishes.filter((wish) => wish !== broad),
      )
    : [];
  const least = rest.filter(({ id }) => broad?.trait.has.get(id)?.length === 1);
  if (broad && least.length > 0) {
    const near = shown(least, [{ ...broad, not: false }]);
    return piece(`${said} With a single one: ${near.text}.`, near.facts, least);
  }
  const apart =
    more.length === 0 || wishes.some(({ not }) => not)
      ? []
      : wishes.map((wish) => ({ wish, have: fitting(beans, [wish]) }));
  return merge([
    piece(said),
    ...apart.flatMap(({ wish, have }) => {
      const { text, facts } = shown(have, [wish]);
      return have.length > 0 ? [piece(`${upperFirst(wish.trait.label)}: ${text}.`, facts)] : [];
    }),
  ]);
}
