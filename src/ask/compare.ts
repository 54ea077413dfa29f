/** Verdicts on named beans: which is the fruitier, and is this one fruity at all. */
import type { Product } from "../domain/catalog/catalog.ts";
import { nameOf, type Piece, piece } from "./describe.ts";
import { join, upperFirst } from "./text.ts";
import { matchingNotes, score } from "./traits.ts";
import type { Trait } from "./vocabulary/traits.ts";
import { flavourScore, grounds, type Wishes } from "./wishes.ts";

/** Scores closer than this are called a draw. */
const DRAW = 0.15;

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

/** "fruitier" → "fruitiest", "more floral" → "most floral", "lower in acidity" → "lowest in …". */
export const degree = ({ label, more }: Trait, wanted: boolean): string =>
  wanted
    ? more
        .replace(/^more\b/, "most")
        .replace(/^better\b/, "best")
        .replace(/^(\p{L}+)er\b/u, "$1est")
    : `least ${label}`;
