/** One part of a question, read: what is wished and not, what is asked, compared and counted. */
import { amountsOf, bagsBefore, isCount, isLimit } from "./amounts.ts";
import type { Field } from "./ask.ts";
import { isEnglish } from "./correct.ts";
import { type Degree, degreeOf, levelIn, yardsticksOf } from "./degree.ts";
import { fieldOf } from "./facts.ts";
import type { Ask, Lexicon } from "./lexicon.ts";
import { type Item, opensQuestion, phrasesOf } from "./phrases.ts";
import { singular } from "./text.ts";
import { exactly } from "./traits.ts";

type Items = readonly Item[];
type Words = readonly string[];

export type Reading = ReturnType<typeof read>;
export type Wishes = ReturnType<typeof wishesOf>;
export type Wish = Wishes[number];
/** As much of wishes as is told of beans. */
export type Shown = readonly Pick<Wish, "trait" | "not" | "or">[];

const POLITE =
  /^(?:is it (?:true|right|correct|so)(?: that)?|(?:can|could|would|will) you (?:please )?(?:tell|explain|say|let|give|show|recommend|suggest|list|name|share|send|describe)(?: me| us)?(?: know)?(?: if| whether)?) /;
const OPENERS =
  /^(?:so|and|but|then|also|ok|okay|please|hi|hello|hey|well|that|right|if|[,.!?;:¿])$/;

/** "Can I get a coffee that is fruity?" asks for one. */
const GETS =
  /\b(?:can|could) (?:i|we) (?:get|have|buy|find) (?:an?|any|some) (?:coffee|bean|bag|one)\b/;

/** What is set beside what, and the limits of numbers and of steps. */
function comparedIn(items: Items, said: Words, unread: Words, text: string) {
  const thans = thansIn(items);
  // "More than two dollars cheaper than the Guji": the second.
  const than = (thans.find(({ end }) => !isCount(said[end])) ?? thans[0])?.at ?? -1;
  // "The most common roast" is not the darkest: the word beside it is what there is most of.
  const words = unread.flatMap((run) => run.split(" ")).filter(isEnglish);
  const ofUnread = ({ cues, end }: Item) =>
    cues?.includes("MOST") && words.includes(said[end] ?? "");
  const graded = items.filter((item) => item.form || !(isLimit(said, item) || ofUnread(item)));
  // "Darker than the lightest" compares with the first on a scale.
  const after = graded.filter(({ at }) => than >= 0 && at > than);
  const last = degreeOf(after);
  const mark = last?.form === "sup" ? last : null;
  const ranked = degreeOf(mark ? graded.slice(0, -after.length) : graded);
  const yardsticks = mark ? [] : yardsticksOf(graded);
  const amounts = amountsOf(said, text);
  const isOne = amounts.bound === null && yardsticks.length === 0;
  const level = isOne ? levelIn(items, said, ranked, than) : null;
  const isLimited = ranked?.form === "comp" && level?.scale === ranked.scale;
  return {
    ranked,
    level,
    ...amounts,
    bound: level ?? amounts.bound,
    degree: isLimited ? null : ranked,
    /** "Sweeter and lighter than the Huila": where there are several. */
    yardsticks,
    /** Where "than" stands; what follows is what is compared with. */
    than,
    mark,
  };
}

export function read(part: string, typed: Words, lexicon: Lexicon) {
  const polite = POLITE.exec(typed.join(" "))?.[0] ?? "";
  const tokens = typed.slice(polite.split(" ").length - 1);
  const said = tokens.map(singular);
  const text = said.join(" ");
  const { items, cues, unread } = phrasesOf(said, lexicon);
  const [first = "", next = ""] = tokens.slice(said.findIndex((word) => !OPENERS.test(word)));
  const wh = said.some((word) => /^(?:what|which|how|where|who|when|why|whose|whom)$/.test(word));
  const opens = opensQuestion(first, next);
  const exists =
    /^(?:there|any|you|we|i)$/.test(next) && (!/^(?:can|could)$/.test(first) || GETS.test(text));
  // "Washed, right?" "The Huila is a decaf?"
  const tag = /.(right|correct|(?<!that )(is|are) (?!there|.* too ).*) [?]$/.test(text);
  // "From cheapest to most expensive", "from light to dark", "darkest first".
  const isEnd = (word = "") => /^(?:from|to)$/.test(word);
  const ends = items.filter(({ form, dir, at }) => form === "sup" || (dir && isEnd(said[at - 1])));
  const leads = ends.some(({ end }) => said[end] === "first");
  if (leads || (ends.length > 1 && ends.every(({ scale }) => scale === ends[0]!.scale)))
    cues.add("RANK");
  const { ranked, level, ...compared } = comparedIn(items, said, unread, text);
  const { degree, bound, mark, yardsticks } = compared;
  const wishes = wishesOf(items, said, [ranked, mark, ...yardsticks], cues).filter(
    ({ at }) => at !== level?.at,
  );
  return {
    /** As it was typed. */
    part,
    said,
    text,
    items,
    ...wishing(wishes),
    /** More is wished than a bean. */
    specific: degree !== null || bound !== null || wishes.some(({ named }) => !named),
    asks: asksOf(items, wishes, degree, said),
    ...compared,
    /** Every scale that is mentioned. */
    scales: items.flatMap(({ scale }) => scale ?? []),
    cues,
    /** Asks whether something is so. */
    yesNo: (opens && !exists) || (tag && !wh) || /^is|if|whether/.test(polite),
    /** Asks anything: not a mere statement. */
    question: wh || said.includes("?") || opens || polite !== "",
    unread,
  };
}

/** Each "than". */
export const thansIn = (items: Items): Item[] => items.filter(({ cues }) => cues?.includes("THAN"));

/** It is asked for what stands in this field. */
export const asksFor = ({ asks }: Pick<Reading, "asks">, wanted: Field): boolean =>
  asks.some(({ field }) => field === wanted);

/** Of what is none of our beans nothing is told: "is the Yirga washed?" */
export const isStranger = ({ yesNo, text, unread }: Reading): boolean =>
  yesNo && unread.some((run) => RegExp(`^\\w+ (the )?${run}\\b`, "u").test(text));

/** Wishes, and whether a bean is named in them, or is at least spoken of. */
export const wishing = (wishes: Wishes) => ({
  wishes,
  named: wishes.some(({ named }) => named),
  refers: wishes.some(({ refers }) => refers),
});

/** "I am from Poland", "my aunt in Hawaii" tells of people, "can I order it to Norway?" where it goes. */
const ELSEWHERE =
  /\b(?:i|we|she|he) (?:am|are|is|come|live) (?:\w+ )?(?:from|in)$|\b(?:my|our) \w+ in$|\b(?:order|buy|get|send|ship|deliver|mail|post)\b.* to$/;
const WISHED = /^(?:like|love|want|prefer|enjoy|need|hate|dislike|stand)$/;
const DETERMINER = /^(?:the|your|that|this|those|both|two|all|every|each|do|is|are)$/;
const JOINT = /^(?:and|or|than|vs|versus|,|nor|to|with|from)$/;

function wishesOf(
  items: Items,
  said: Words,
  degrees: (Degree | null)[],
  cues: ReadonlySet<string>,
) {
  const graded = ({ at, scale }: Item) =>
    degrees.some(
      (one) => one && (one.at === at || (one.scale === scale && Math.abs(at - one.at) < 4)),
    );
  return items.flatMap((item, index) => {
    const { at, trait: first, other, scale, ask, dir = 0 } = item;
    // "Which should I avoid if I hate nuts?" asks for those that have them.
    const opposed = cues.has("OPPOSITE") && item.trait?.kind !== "bean";
    // "Which should I avoid for espresso?" asks for those that have no recipe for it.
    const not = cues.has("AVOID")
      ? !item.not && item.trait?.kind === "method"
      : item.not || opposed;
    const before = said[at - 1] ?? "";
    const upTo = said.slice(0, at).join(" ");
    if (!first || graded(item) || before === "how") return [];
    // "Acidity" alone is only what is spoken of.
    const idle = ask && !not && !WISHED.test(before);
    if (idle && /^(?:acidity|body)$/.test(first.kind)) return [];
    if (first.kind === "origin" && ELSEWHERE.test(upTo)) return [];
    // "I never drink espresso" tells a habit, "it is too hot for pour over" the weather.
    if (first.kind === "method" && not && /^(?:i|we|its?)$/.test(said[0] ?? "")) return [];
    const last = items.slice(0, index).findLast((one) => one.trait);
    // "Honey as a flavour" is no process.
    const mixed = other?.kind === "note" && !first.label.endsWith("notes");
    const flavour = mixed && items.some((one) => one.ask?.field === "tasting_notes");
    // "Is it a Geisha?" means the kind, "from Boquete" the place, not the bean of that name.
    const is = /\b(?:is|are|was)\b/.test(upTo);
    const one = /^an?$/.test(before) && (!is || said.includes("than") || said.some(isCount));
    const kind = other && first.kind === "bean" && /^(?:an?|any|from|in)$/.test(before) && !one;
    const trait = kind || flavour ? other! : first;
    // "Not a light roast" may be medium-light; for "no light roasts" it comes too near.
    const exact = trait.kind === "roast" && (item.except || /^(?:an?|arent|isnt|be)$/.test(before));
    return {
      trait: exact ? exactly(trait) : trait,
      typed: item.typed,
      not,
      /** "All except the Guji". */
      except: item.except,
      /** A bean by its own name. */
      named: !not && trait.kind === "bean",
      /** It can tell which beans are spoken of. */
      refers: !not && /^(?:bean|origin|decaf)$/.test(trait.kind) && trait.label !== "caffeine",
      at,
      /** "A decaf from Colombia": one bean, not two. */
      from: /^(?:coffee |bean )?from$/.test(said.slice(last?.end, at).join(" ")),
      /** Joined to the one before by "or". */
      or: said.slice(items[index - 1]?.at ?? 0, at).some((word) => /^n?or$/.test(word)),
      /** "and", "or", "than" or a comma stands between it and the one before. */
      joined: last !== undefined && said.slice(last.end, at).some((word) => JOINT.test(word)),
      /** "the Colombian", "both light roasts": beans that something is said of. */
      determined: DETERMINER.test(before),
      /** How many bags of it, where a number stands before it. */
      bags: bagsBefore(said, at),
      /** Of a place on a scale, which end it is; else 0. */
      level: typeof scale === "string" ? dir : (0 as const),
    };
  });
}

/** An ask beside a wish or a degree of the same field only names its kind: "chocolate notes". */
function asksOf(items: Items, wishes: Wishes, degree: Degree | null, said: Words) {
  const isKind = (field: Field, at: number) => (wish: Wish) =>
    wish.trait.field === field &&
    Math.abs(wish.at - at) <= 4 &&
    !/decaf|text|bean|method/.test(wish.trait.kind);
  return items.flatMap(({ at, end, ask, scale, not, typed }): Ask[] => {
    // "How hot", "how acidic".
    if (said[at - 1] === "how" && typeof scale === "string")
      return [{ field: ask?.field ?? fieldOf(scale), param: scale }];
    // "Made" and "brewed" ask only after "how", "grown" after "where".
    const word = said[at]!;
    const how = /^(?:made|decaffeinated|produced|brewed)$/.test(word) && "how";
    const needs = how || (/^(?:grown?|sourced)$/.test(word) ? "where" : word);
    const many = how && said.join(" ").includes("how many");
    const isStock = ask?.field === "availability";
    const isWhy = said.includes("why") && !/cart|buy|get|order/.test(typed);
    const denied = not && said[end] !== "free" && (!isStock || isWhy);
    // "Can I get a coffee that is fruity?"
    const isMeal = typed === "can i have" && wishes.some(({ refers }) => !refers);
    if (isStock && wishes.length > 0 && (isMeal || GETS.test(said.join(" ")))) return [];
    if (!ask || denied || !said.includes(needs) || many) return [];
    const { field, param } = ask;
    const ofNotes = field === "tasting_notes" && degree && typeof degree.scale !== "string";
    const ofDegree = ofNotes || degree?.at === at || (degree && param === degree.scale);
    return ofDegree || wishes.some(isKind(field, at)) ? [] : [ask];
  });
}
