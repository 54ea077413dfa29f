/** What a question wishes for, how well a bean meets it, and the facts that show it. */
import type { Product } from "../domain/catalog/catalog.ts";
import type { Fact } from "./answer.ts";
import { describe, type Piece, recipe } from "./describe.ts";
import { adviceFor, has, score } from "./traits.ts";
import type { Reading } from "./understand.ts";
import { METHOD_WORDS } from "./vocabulary/fields.ts";
import { FLAVOUR_FAMILIES } from "./vocabulary/flavours.ts";
import type { Trait } from "./vocabulary/traits.ts";

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
