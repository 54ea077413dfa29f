/** Recommendations: the best bean for the wishes, and what comes close. */
import type { Product } from "../domain/catalog/catalog.ts";
import type { Subject } from "./answer.ts";
import { degree } from "./compare.ts";
import { describe, nameOf, type Piece, piece } from "./describe.ts";
import { join, lowerFirst } from "./text.ts";
import { brewAdvice, flavourScore, grounds, rank, type Wishes } from "./wishes.ts";

/** The runner-up is worth naming from this share of the winner's score. */
const CLOSE = 0.55;

export interface How {
  decafWelcome: boolean;
  /** Asks which is the most of something, rather than for advice. */
  superlative: boolean;
  /** What else to tell of the bean that is picked. */
  subjects: readonly Subject[];
}

/** The best bean for the wishes, what comes close, and an honest word where nothing fits. */
export function recommend(products: readonly Product[], wishes: Wishes, how: How): Piece[] {
  const chosen = choose(products, wishes, how);
  if (!chosen) return [nothingFits(products, wishes)];
  const { first, close } = chosen;
  const opening = openingFor(first, wishes, how.superlative);
  return [
    piece(missing(products, wishes)),
    piece(opening),
    grounds(first, wishes),
    // Asked for besides: "the finest you have, and how do I brew it?"
    ...how.subjects.map((subject) => describe(first, subject)),
    ...(close ? [runnerUp(close, wishes, first.decaf ? "With caffeine" : "Also")] : []),
  ];
}

function choose(products: readonly Product[], wishes: Wishes, how: How) {
  const ranked = rank(products, wishes);
  const best = ranked[0];
  if (!best) return undefined;
  const awake = ranked.find(({ product }) => !product.decaf);
  // Who asks for a strong coffee seldom means a decaf; who asks which is strongest gets the truth.
  const stepAside = best.product.decaf && !how.decafWelcome && !how.superlative;
  const first = stepAside && awake && awake.points >= best.points * 0.4 ? awake : best;
  const others = ranked.filter(({ product }) => product !== first.product);
  const close = others.filter(
    ({ points, product }) =>
      points >= first.points * CLOSE || (how.superlative && best.product.decaf && !product.decaf),
  )[0];
  return { first: first.product, close: close?.product };
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
  const aside = product.decaf ? "; it is a decaf" : "";
  return `${nameOf(product)} is the ${words} of our coffees${aside}.`;
}

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
