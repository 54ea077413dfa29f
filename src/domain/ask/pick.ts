/** Which bean for which wish: recommendations, and comparisons by a trait. */
import type { Product } from "../catalog.ts";
import type { Fact } from "./answer.ts";
import { describe, nameOf, type Piece, piece, recipe } from "./describe.ts";
import { join, lowerFirst, upperFirst } from "./text.ts";
import { adviceFor, has, matchingNotes, score } from "./traits.ts";
import type { Reading } from "./understand.ts";
import { METHOD_WORDS } from "./vocabulary/fields.ts";
import { FLAVOUR_FAMILIES, type Trait } from "./vocabulary/flavours.ts";

/** Scores closer than this are called a draw. */
const DRAW = 0.15;
/** The runner-up is worth naming from this share of the winner's score. */
const CLOSE = 0.55;

export type Wishes = Pick<Reading, "traits" | "flavours" | "methods">;

export const hasWishes = ({ traits, flavours, methods }: Wishes): boolean =>
  traits.length + flavours.length + methods.length > 0;

export const brewAdvice = (product: Product, method: string) =>
  adviceFor(product, method, METHOD_WORDS[method] ?? []);

/** How well a bean meets all wishes together. Undefined where a wish rules it out. */
export function suitability(product: Product, wishes: Wishes): number | undefined {
  let sum = 0;
  for (const { trait, wanted } of wishes.traits) {
    const points = score(product, trait);
    sum += wanted ? points : turnedRound(points, trait);
  }
  for (const { flavour, wanted } of wishes.flavours) {
    const points = flavourScore(product, flavour);
    if (!wanted && points >= 1) return undefined;
    sum += wanted ? 2 * points : 0.5;
  }
  if (wishes.methods.length > 0) {
    const known = wishes.methods.filter((method) => brewAdvice(product, method)).length;
    if (known === 0) return undefined;
    sum += known;
  }
  return sum;
}

const turnedRound = (points: number, { families }: Trait) =>
  families ? Math.max(0, 1 - points) : 1 - points;

/** 1 for the very flavour, a little for its family. */
export function flavourScore(product: Product, flavour: string): number {
  const { tasting_notes } = product.facts;
  const one = singular(flavour);
  if (tasting_notes.map(singular).some((note) => has(note, one) || has(one, note))) return 1;
  const families = Object.values(FLAVOUR_FAMILIES).filter((words) => words.includes(flavour));
  const kin = tasting_notes.filter((note) =>
    families.some((words) => words.some((word) => has(note, word))),
  );
  return Math.min(0.6, kin.length * 0.2);
}

const singular = (term: string) => term.replace(/ies\b/g, "y").replace(/(?<=[^s\Wu])s\b/g, "");

export interface Ranked {
  product: Product;
  points: number;
}

/** Best first; an ordinary bean before a decaf or the exclusive one where they draw. */
export function rank(products: readonly Product[], wishes: Wishes): Ranked[] {
  const wanted = wishes.flavours.filter((one) => one.wanted).map(({ flavour }) => flavour);
  const having = products.filter((one) => wanted.some((taste) => flavourScore(one, taste) === 1));
  return (having.length > 0 ? having : products)
    .map((product) => ({ product, points: suitability(product, wishes) ?? 0 }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points || rarity(a.product) - rarity(b.product));
}

const rarity = ({ decaf, availability }: Product) =>
  Number(decaf) * 2 + Number(availability === "EXCLUSIVE");

/** The facts a wish is judged by. */
export function grounds(product: Product, wishes: Wishes): Piece {
  const pieces: Piece[] = [];
  const { traits, flavours, methods } = wishes;
  const byNotes = flavours.length > 0 || traits.some(({ trait }) => trait.families);
  const byRoast = traits.some(({ trait }) => trait.scales);
  const byAdvice = traits.some(({ trait }) => !trait.families && !trait.scales);
  if (byRoast) pieces.push(describe(product, "roast"));
  if (byNotes) pieces.push(describe(product, "tasting_notes"));
  if (byAdvice) pieces.push(ownWord(product, wishes));
  for (const method of methods) {
    const advice = brewAdvice(product, method);
    if (advice) pieces.push(recipe(product, advice));
  }
  if (methods.length > 0 && pieces.length === 0) pieces.push(describe(product, "tasting_notes"));
  return { text: pieces.map(({ text }) => text).join(" "), facts: factsOf(pieces) };
}

/** The merchant's own sentence that speaks for the bean: whom it suits, or a recipe. */
function ownWord(product: Product, { traits }: Wishes): Piece {
  const evidence = traits.flatMap(({ trait }) => trait.evidence ?? []);
  const speaks = (text: string) => evidence.some((word) => has(text, word));
  const advice = product.facts.brewing.find((one) => speaks(one.advice));
  return speaks(product.choose_if) || !advice
    ? describe(product, "choose_if")
    : recipe(product, advice);
}

export const factsOf = (pieces: readonly Piece[]): Fact[] => pieces.flatMap(({ facts }) => facts);

/** "Which is fruitier, the X or the Y": the named beans ranked by each trait or flavour. */
export function compareBy(products: readonly Product[], wishes: Wishes): Piece[] {
  const verdicts = wishes.traits.map(({ trait, wanted }) =>
    piece(verdict(products, trait, wanted)),
  );
  const tasted = wishes.flavours.map(({ flavour }) => piece(whichHave(products, flavour)));
  return [...verdicts, ...tasted, ...products.map((product) => grounds(product, wishes))];
}

function verdict(products: readonly Product[], trait: Trait, wanted: boolean): string {
  const sign = wanted ? 1 : -1;
  const ranked = products
    .map((product) => ({ product, points: score(product, trait) * sign }))
    .sort((a, b) => b.points - a.points);
  const [first, second] = ranked;
  if (!first || !second) return "";
  if (ranked.every(({ points }) => points === 0))
    return `Nothing in our facts calls any of them ${trait.label}.`;
  if (first.points - second.points < DRAW) return "There is little between them in that.";
  const crowd = products.length === 2 ? "of the two" : "of them";
  const word = wanted ? trait.more : `less ${trait.label}`;
  if (products.length === 2) return `${nameOf(first.product)} is the ${word} ${crowd}.`;
  return `${nameOf(first.product)} is the ${degree(trait, wanted)} ${crowd}.`;
}

function whichHave(products: readonly Product[], flavour: string): string {
  const having = products.filter((product) => flavourScore(product, flavour) === 1);
  if (having.length === 0) return `None of them has ${flavour} among its notes.`;
  return `${upperFirst(flavour)} is among the notes of ${join(having.map(nameOf))}.`;
}

/** One bean against a wish: "is the Colombia fruity?", "does it taste of mango?". */
export function check(product: Product, wishes: Wishes, yesNo: boolean): Piece[] {
  const verdicts = [
    ...wishes.traits.map(({ trait, wanted }) => judged(product, trait, wanted)),
    ...wishes.flavours.map(({ flavour }) => {
      const yes = flavourScore(product, flavour) === 1;
      return `${yes ? "Yes" : "No"}: ${flavour} is ${yes ? "" : "not "}among its notes.`;
    }),
  ];
  const answer = piece(yesNo || wishes.flavours.length > 0 ? verdicts.join(" ") : "");
  return [answer, grounds(product, { ...wishes, methods: [] })];
}

function judged(product: Product, trait: Trait, wanted: boolean): string {
  const found = matchingNotes(product, trait);
  const strong = score(product, trait) >= (trait.families && !trait.scales ? 0.5 : 0.65);
  const yes = strong === wanted;
  if (!yes) return "Not especially.";
  return found.length > 0 && wanted ? `Yes: ${join(found)}.` : "Yes.";
}

/** The best bean for the wishes, what comes close, and an honest word where nothing fits. */
export function recommend(
  products: readonly Product[],
  wishes: Wishes,
  how: { decafWelcome: boolean; superlative: boolean },
): Piece[] {
  const ranked = rank(products, wishes);
  const best = ranked[0];
  if (!best) return [nothingFits(products, wishes)];
  const awake = ranked.find(({ product }) => !product.decaf);
  // Who asks for a strong coffee seldom means a decaf; who asks which is strongest gets the truth.
  const stepAside = best.product.decaf && !how.decafWelcome && !how.superlative;
  const first = stepAside && awake && awake.points >= best.points * 0.4 ? awake : best;
  const others = ranked.filter(({ product }) => product !== first.product);
  const close = others.filter(
    ({ points, product }) =>
      points >= first.points * CLOSE || (how.superlative && best.product.decaf && !product.decaf),
  )[0];
  const opening = openingFor(first.product, wishes, how.superlative);
  return [
    piece(missing(products, wishes)),
    piece(opening),
    grounds(first.product, wishes),
    ...(close
      ? [runnerUp(close.product, wishes, first.product.decaf ? "With caffeine" : "Also")]
      : []),
  ];
}

function openingFor(product: Product, wishes: Wishes, superlative: boolean): string {
  const tasted = wishes.flavours
    .filter(({ flavour, wanted }) => wanted && flavourScore(product, flavour) === 1)
    .map(({ flavour }) => flavour);
  if (tasted.length > 0) return `${nameOf(product)} has ${join(tasted)} among its notes.`;
  return superlative ? theMost(product, wishes) : suggestion(product);
}

const suggestion = (product: Product) =>
  `I would suggest ${nameOf(product)}${product.decaf ? ", our decaf" : ""}.`;

function theMost(product: Product, { traits }: Wishes): string {
  const [first] = traits;
  if (!first) return suggestion(product);
  const words = degree(first.trait, first.wanted);
  return `${nameOf(product)} is the ${words} of our coffees${product.decaf ? "; it is a decaf" : ""}.`;
}

/** "fruitier" → "fruitiest", "more floral" → "most floral", "lower in acidity" → "lowest in …". */
const degree = ({ label, more }: Trait, wanted: boolean): string =>
  wanted
    ? more
        .replace(/^more\b/, "most")
        .replace(/^better\b/, "best")
        .replace(/^(\p{L}+)er\b/u, "$1est")
    : `least ${label}`;

function runnerUp(product: Product, wishes: Wishes, besides: string): Piece {
  const { text, facts } = grounds(product, { ...wishes, methods: wishes.methods.slice(0, 1) });
  const lead = product.decaf ? "If a decaf is welcome: " : `${besides}: `;
  return piece(lead + (text.startsWith("Choose ") ? lowerFirst(text) : text), facts);
}

/** Flavours nobody has: said before what comes near. */
function missing(products: readonly Product[], { flavours }: Wishes): string {
  const absent = flavours
    .filter(({ flavour, wanted }) => {
      return wanted && products.every((product) => flavourScore(product, flavour) < 1);
    })
    .map(({ flavour }) => flavour);
  return absent.length > 0 ? `None of our coffees has ${join(absent, "or")} among its notes.` : "";
}

function nothingFits(products: readonly Product[], wishes: Wishes): Piece {
  const absent = missing(products, wishes);
  if (absent !== "") return piece(absent);
  const method = wishes.methods.find((name) => !products.some((one) => brewAdvice(one, name)));
  if (method === undefined) return piece("Nothing in our facts fits that.");
  const known = [...new Set(products.flatMap(({ facts }) => facts.brewing.map((b) => b.method)))];
  return piece(
    `We have no advice for brewing with ${/^[aeiou]/.test(method) ? "an" : "a"} ${method}. ` +
      `There is advice for ${join(known.map(lowerFirst))}.`,
  );
}
