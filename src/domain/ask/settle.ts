/** Second thoughts on a reading: what words mean beside other words. */
import type { Catalog } from "../catalog.ts";
import type { Subject } from "./answer.ts";
import type { Reading } from "./understand.ts";

export interface Settled extends Reading {
  /** Asks which is the most of something, rather than for advice. */
  superlative: boolean;
  /** "Which is better": wants to know whom each suits. */
  better: boolean;
  /** Asks for some fact by name, so that a declined part leaves something to answer. */
  specific: boolean;
}

/** Words that set beans beside each other. */
const JOINING = ["OR", "AND", "COMPARE", "THAN"] as const;

export function settle(reading: Reading, catalog: Catalog): Settled {
  const { words, cues } = reading;
  const settled: Settled = {
    ...reading,
    superlative: words.some((word) => /^(which|whats|what|most|least)$|[^t]est$/.test(word)),
    better: words.includes("better"),
    specific: false,
  };
  if (settled.cues.has("RECOMMEND") && !words.some((word) => /(.{3,}est|most|least)$/.test(word)))
    settled.superlative = false;
  settleQuestionWords(settled);
  settlePlace(settled);
  settleDecaf(settled, catalog);
  settled.subjects = settleSubjects(settled);
  if (settled.topics.includes("species")) add(settled.subjects, "varieties");
  if (settled.topics.includes("bitterness") && settled.beans.length > 0)
    add(settled.subjects, "roast", "tasting_notes");
  if (settled.topics.includes("caffeine") && settled.beans.length > 0)
    add(settled.subjects, "decaf");
  settled.specific =
    settled.subjects.length + settled.traits.length + settled.flavours.length > 0 ||
    settled.methods.length + settled.values.length > 0 ||
    cues.has("ABOUT");
  // "How high is it grown?" names no bean: every bean's origin would be no answer to that.
  const { beans, subjects } = settled;
  if (beans.length === 0 && subjects.every((subject) => subject === "origin"))
    settled.specific &&= settled.traits.length + settled.flavours.length > 0;
  return settled;
}

/** "Where" asks for the origin, unless it goes with ordering or a price; "who for" for the choice. */
function settleQuestionWords(settled: Settled): void {
  const { words, topics } = settled;
  if (words.includes("where") && topics.length === 0) add(settled.subjects, "origin");
  if (words.includes("how") && words.includes("decaffeinated")) add(settled.subjects, "process");
  if (words.includes("who") && words.at(-1) === "for") add(settled.subjects, "choose_if");
}

/** "Is the Guji from Ethiopia?", "is the Geisha Ethiopian?": the first bean's origin answers both. */
function settlePlace(settled: Settled): void {
  const { words, cues, beans, subjects, traits, flavours, methods, values, topics } = settled;
  const joined = JOINING.some((cue) => cues.has(cue));
  const others = [subjects, traits, flavours, methods, values, topics];
  if (!/^(is|are|does|do|isnt|was)$/.test(words[0] ?? "") || joined) return;
  if (beans.length === 0 || others.some((list) => list.length > 0)) return;
  if (!words.includes("from") && beans.length < 2) return;
  if (settled.decaf !== undefined) return;
  settled.beans = beans.slice(0, 1);
  settled.subjects = ["origin"];
}

/** A decaf may be the bean that is asked about, a wish, or the question itself. */
function settleDecaf(settled: Settled, catalog: Catalog): void {
  const decafs = catalog.products.filter(({ decaf }) => decaf).map(({ product_id }) => product_id);
  if (settled.decaf === undefined) return;
  if (settled.decaf === false) {
    add(settled.unwanted, ...decafs);
    return;
  }
  const joined = JOINING.some((cue) => settled.cues.has(cue));
  if (settled.beans.length === 0 || (joined && !settled.yesNo)) add(settled.beans, ...decafs);
  else if (joined && settled.cues.has("OR")) add(settled.beans, ...decafs);
  else if (settled.yesNo || !settled.beans.every((id) => decafs.includes(id)))
    add(settled.subjects, "decaf");
}

/** A general word beside the particular one it stands for says nothing more. */
function settleSubjects(settled: Settled): Subject[] {
  const tasteful = settled.traits.length + settled.flavours.length > 0;
  return settled.subjects.filter((subject) => {
    if (subject === "tasting_notes") return !tasteful;
    // "What soil does it grow in": the growing is spoken of, not the country.
    if (subject === "origin" && settled.topics.includes("growing"))
      return settled.words.includes("where");
    if (subject === "brewing") return settled.methods.length === 0;
    return settled.values.every(({ value }) => value.field !== subject);
  });
}

function add<T>(to: T[], ...items: readonly T[]): void {
  for (const item of items) if (!to.includes(item)) to.push(item);
}
