/** Second thoughts on a reading: what words mean beside other words. */
import type { Catalog } from "../domain/catalog/catalog.ts";
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

const SUPERLATIVE = /^(most|least|more|.{3,}est)$/;
const NO_SUPERLATIVE =
  /^(suggest|request|interest|latest|honest|harvest|guest|modest|west|forest)$/;

/** Words that set beans beside each other. */
const JOINING = ["OR", "AND", "COMPARE", "THAN"] as const;

export function settle(reading: Reading, catalog: Catalog): Settled {
  const { words, cues } = reading;
  const settled: Settled = {
    ...reading,
    superlative: words.some((word) => SUPERLATIVE.test(word) && !NO_SUPERLATIVE.test(word)),
    better: words.includes("better"),
    specific: false,
  };
  settleQuestionWords(settled);
  settlePlace(settled);
  settleDecaf(settled, catalog);
  settleOthers(settled, catalog);
  settled.subjects = settleSubjects(settled);
  if (settled.traits.length + settled.flavours.length + settled.methods.length > 0)
    settled.topics = settled.topics.filter((topic) => topic !== "ordering");
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
    settled.specific &&= hasContent({ ...settled, subjects: [] });
  return settled;
}

/**
 * "Where" asks for the origin, unless it goes with ordering or a price; "who for" for the choice.
 */
function settleQuestionWords(settled: Settled): void {
  const { words, topics, beans, declines } = settled;
  const said = words.join(" ");
  const named = beans.length > 0 || settled.decaf === true;
  if (words.includes("where") && topics.length === 0) add(settled.subjects, "origin");
  else if (/\bproduced\b|\bhow\b.*\b(made|decaffeinated)\b/.test(said) && named)
    add(settled.subjects, "process");
  if (/\bhow\b.*\bdecaffeinated\b|\bdecaffeinat(ion|ing|e)\b/.test(said))
    add(settled.subjects, "process");
  if (words[0] === "who" && beans.length > 0 && declines.length === 0)
    add(settled.subjects, "choose_if");
  if (/\bdecaf\b.*\bcaff?eine\b/.test(said)) {
    add(settled.subjects, "decaf");
    add(settled.topics, "caffeine");
  }
}

/**
 * "Is the Guji from Ethiopia?", "is the Geisha Ethiopian?": the first bean's origin answers both.
 */
function settlePlace(settled: Settled): void {
  const { words, cues, beans, topics } = settled;
  const joined = JOINING.some((cue) => cues.has(cue));
  if (!/^(is|are|does|do|isnt|was)$/.test(words[0] ?? "") || joined) return;
  if (beans.length === 0 || hasContent(settled) || topics.length > 0) return;
  if (!words.some((word) => word === "from" || word === "in") && beans.length < 2) return;
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
  const { beans, cues } = settled;
  const named = beans.some((id) => decafs.includes(id));
  const joined = JOINING.some((cue) => cues.has(cue));
  const content = hasContent(settled);
  if (beans.length === 0 || (!named && joined && (content || !settled.yesNo || cues.has("THAN"))))
    add(beans, ...decafs);
  else if (!content && (!named || (settled.yesNo && beans.length === 1)))
    add(settled.subjects, "decaf");
}

const hasContent = ({ subjects, traits, flavours, methods, values }: Settled): boolean =>
  [subjects, traits, flavours, methods, values].some((part) => part.length > 0);

/** "How does the Geisha compare to the others?" */
function settleOthers(settled: Settled, catalog: Catalog): void {
  const { words, cues, beans } = settled;
  if (beans.length !== 1 || !words.some((word) => /^(others?|rest)$/.test(word))) return;
  if (!cues.has("COMPARE") && !cues.has("THAN")) return;
  cues.delete("THAN");
  add(beans, ...catalog.products.map(({ product_id }) => product_id));
}

/** A general word beside the particular one it stands for says nothing more. */
function settleSubjects(settled: Settled): Subject[] {
  const tasteful =
    settled.flavours.length > 0 || settled.traits.some(({ trait }) => trait.families);
  return settled.subjects.filter((subject) => {
    if (subject === "tasting_notes") return !tasteful;
    // "The process of ordering" is none of a coffee's.
    if (subject === "process" && settled.beans.length === 0)
      return !settled.topics.some((topic) => topic === "ordering" || topic === "rules");
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
