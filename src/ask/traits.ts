/**
 * How well a bean answers a wish, from its tasting notes, its roast sentence and its own advice.
 */
import type { Product } from "../domain/catalog/catalog.ts";
import { fold } from "./text.ts";
import { FLAVOUR_FAMILIES, SCALE_WORDS, type Scale } from "./vocabulary/flavours.ts";
import type { Trait } from "./vocabulary/traits.ts";
import type { Value } from "./vocabulary/values.ts";

/** Notes are written strongest first; each place counts a little less. */
const PLACE_DISCOUNT = 0.1;
/** The merchant's own sentence says so: as good as half a note. */
const EVIDENCE = 0.5;

export const has = (text: string, term: string): boolean =>
  ` ${fold(text)} `.includes(` ${fold(term)} `);

/** 0 where nothing speaks for it; comparable between beans for one trait, not between traits. */
export function score(product: Product, trait: Trait): number {
  const notes = matchingNotes(product, trait).reduce((sum, note) => {
    const place = product.facts.tasting_notes.indexOf(note);
    return sum + Math.max(0.3, 1 - place * PLACE_DISCOUNT);
  }, 0);
  const own = ownWords(product);
  const evidence = (trait.evidence ?? []).filter((word) => has(own, word)).length;
  return notes + Math.min(evidence, 3) * EVIDENCE + scaleScore(product, trait);
}

const ownWords = ({ choose_if, facts }: Product) =>
  [choose_if, facts.roast, ...facts.brewing.map(({ advice }) => advice)].join(" . ");

export function matchingNotes(product: Product, trait: Trait): string[] {
  const words = (trait.families ?? []).flatMap((family) => FLAVOUR_FAMILIES[family] ?? []);
  return product.facts.tasting_notes.filter((note) => words.some((word) => has(note, word)));
}

function scaleScore(product: Product, { scales }: Trait): number {
  if (!scales) return 0;
  const parts = scales
    .map(({ scale, end }) => ({ at: position(product, scale), end }))
    .map(({ at, end }) => (at === undefined ? 0 : end === 1 ? at : 1 - at));
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

/** Where a bean stands on a scale, 0 to 1; undefined where its facts do not say. */
export function position(product: Product, scale: Scale): number | undefined {
  const words = SCALE_WORDS[scale];
  if (scale === "roast") return words[product.roast_level.toLowerCase().replace(/ roast$/, "")];
  const said = new RegExp(`([\\p{L}-]+)[ -](?:${scale}|${scale.replace("y", "ied")})`, "iu");
  const found = said.exec(product.facts.roast)?.[1]?.toLowerCase();
  return found === undefined ? undefined : words[found];
}

/** Does the bean's fact hold this value? "Medium" must not be found in "Medium-dark". */
export function holds(product: Product, { field, label, written }: Value): boolean {
  if (field === "roast") return fold(product.roast_level).replace(/ roast$/, "") === fold(label);
  const { process, varieties } = product.facts;
  const texts = field === "process" ? [process] : varieties;
  return texts.some((text) => written.some((way) => has(text, way)));
}

/** The advice for a method; "filter" people and "pour over" files mean the same. */
export function adviceFor(product: Product, method: string, said: readonly string[]) {
  return product.facts.brewing.find(({ method: name }) =>
    [method, ...said].some((term) => fold(name).replace(/s$/, "") === fold(term).replace(/s$/, "")),
  );
}
