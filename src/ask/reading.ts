/** One part of a question, read: what is wished and not, what is asked, compared and counted. */
import type { Field } from "./answer.ts";
import { type Bound, type Item, numberOf, numbersOf, opensQuestion, phrasesOf } from "./clauses.ts";
import type { Lexicon } from "./lexicon.ts";
import { singular } from "./text.ts";
import { FIELD_OF, type Scale, type Trait } from "./traits.ts";
import type { ScaleName } from "./vocabulary.ts";

export type { Bound } from "./clauses.ts";

export interface Wish {
  trait: Trait;
  /** What its words mean beside another bean's name. */
  other: Trait | undefined;
  not: boolean;
  at: number;
  /** Joined to the one before by "or". */
  or: boolean;
  /** "and", "or", "than" or a comma stands between it and the one before. */
  joined: boolean;
  /** "the Colombian", "both light roasts": beans that something is said of. */
  determined: boolean;
  /** How many bags of it, where a number stands before it. */
  bags: number | null;
  /** Of a place on a scale, which end it is; else 0. */
  level: -1 | 0 | 1;
}

export type Wishes = readonly Wish[];

export interface Degree {
  scale: Scale;
  dir: 1 | -1;
  form: "comp" | "sup";
  at: number;
}

interface Asked {
  field: Field;
  /** The scale that is meant: "how hot", "how acidic". */
  param: ScaleName | undefined;
  at: number;
}

export interface Reading {
  said: readonly string[];
  wishes: Wish[];
  asks: Asked[];
  degree: Degree | null;
  /** Every scale that is mentioned. */
  scales: Scale[];
  cues: ReadonlySet<string>;
  bound: Bound | null;
  bags: number | null;
  /** A sum in the question, minor units. */
  money: number | null;
  /** Where "than" stands; what follows is what is compared with. */
  than: number;
  /** Asks whether something is so. */
  yesNo: boolean;
  /** Asks anything: not a mere statement. */
  question: boolean;
  unread: string[];
}

const POLITE =
  /^(?:is it (?:true|right|correct|so)(?: that)?|(?:can|could|would|will) you (?:please )?(?:tell|explain|say|let|give|show|recommend|suggest|list|name|share|send|describe)(?: me| us)?(?: know)?(?: if| whether)?) /;
const OPENERS =
  /^(?:so|and|but|then|also|ok|okay|please|hi|hello|hey|well|that|right|if|[,.!?;:¿])$/;

export function read(tokens: readonly string[], lexicon: Lexicon): Reading {
  const polite = POLITE.exec(tokens.join(" "))?.[0];
  if (polite !== undefined) {
    const rest = read(tokens.slice(polite.trim().split(" ").length), lexicon);
    return { ...rest, yesNo: rest.yesNo || /^is|if|whether/.test(polite), question: true };
  }
  const said = tokens.map(singular);
  const { items, cues, unread } = phrasesOf(said, lexicon);
  const [first = "", next = ""] = tokens.slice(said.findIndex((word) => !OPENERS.test(word)));
  const wh = said.some((word) => /^(?:what|which|how|where|who|when|why|whose|whom)$/.test(word));
  const opens = opensQuestion(first, next);
  const exists = /^(?:there|any|you|we|i)$/.test(next) && !/^(?:can|could)$/.test(first);
  const tag = !wh && said.at(-1) === "?" && /^(?:right|correct)$/.test(said.at(-2) ?? "");
  const degree = degreeOf(items);
  const wishes = wishesOf(items, said, degree);
  // "Which should I avoid if I hate nuts?" asks for those that have them.
  if (cues.has("AVOID")) for (const wish of wishes) wish.not = false;
  return {
    said,
    wishes,
    asks: asksOf(items, wishes, degree, said),
    degree,
    scales: items.flatMap(({ scale }) => scale ?? []),
    cues,
    ...numbersOf(said, cues),
    than: items.find((item) => item.cues?.includes("THAN"))?.at ?? -1,
    yesNo: (opens && !exists) || tag,
    question: wh || said.includes("?") || opens,
    unread,
  };
}

/** "Cheapest", "less acidic", "most brewing methods": the scale is the nearest that is mentioned. */
function degreeOf(items: readonly Item[]): Degree | null {
  const own = items.find(({ form }) => form !== undefined);
  const word = items.find(({ cues }) =>
    cues?.some((cue) => /^(?:MORE|LESS|MOST|LEAST)$/.test(cue)),
  );
  const down = (word?.cues ?? []).some((cue) => /^LE/.test(cue));
  if (own && !(word && own.at - word.at > 3)) {
    // "Lightest body": the noun beside it says on which scale.
    const noun = items.find(
      ({ at, ask, scale, form }) => ask && scale && !form && at - own.end <= 1 && at >= own.end,
    );
    const dir = word?.at === own.at - 1 && down ? -own.dir! : own.dir!;
    return { scale: noun?.scale ?? own.scale!, dir: dir as 1 | -1, form: own.form!, at: own.at };
  }
  if (!word) return null;
  const form = (word.cues ?? []).some((cue) => cue.endsWith("ST")) ? "sup" : "comp";
  const away = ({ at }: Item) => (at >= word.end ? at - word.end : word.end - at + 1.5);
  const [target] = items
    .filter(({ scale, form: graded }) => scale !== undefined && !graded)
    .sort((a, b) => away(a) - away(b));
  if (target && Math.abs(target.at - word.at) <= 6) {
    return {
      scale: target.scale!,
      dir: ((target.dir ?? 1) * (down ? -1 : 1)) as 1 | -1,
      form,
      at: target.at,
    };
  }
  const methods = form === "sup" && items.some(({ ask }) => ask?.field === "brewing");
  return methods ? { scale: "methods", dir: down ? -1 : 1, form, at: word.at } : null;
}

const DETERMINER = /^(?:the|your|that|this|those|both|all|every|each|do|is|are)$/;
const JOINT = /^(?:and|or|than|vs|versus|,|nor|to|with|from)$/;

function wishesOf(items: readonly Item[], said: readonly string[], degree: Degree | null): Wish[] {
  const graded = ({ at, scale }: Item) =>
    degree !== null &&
    (at === degree.at || (scale === degree.scale && at > 0 && Math.abs(at - degree.at) < 4));
  return items.flatMap((item, index): Wish[] => {
    const { at, end, trait, other, scale, not, ask, dir = 0 } = item;
    const before = said[at - 1] ?? "";
    if (!trait || graded(item) || (before === "how" && typeof scale === "string")) return [];
    const next = items[index + 1];
    const level = trait.dimension === "acidity" || trait.dimension === "body";
    // "Crisp apple notes" says how the apple is; "acidity" alone is only what is spoken of.
    if (level && ((next?.at === end && next.trait?.dimension === "note") || (ask && !not)))
      return [];
    // "I never drink espresso" tells a habit.
    if (trait.dimension === "method" && not && /^(?:i|we)$/.test(said[0] ?? "")) return [];
    const last = items.slice(0, index).findLast((one) => one.trait);
    // "Honey as a flavour" is no process.
    const mixed = other?.dimension === "note" && !trait.label.endsWith("notes");
    const flavour = mixed && items.some((one) => one.ask?.field === "tasting_notes");
    // "Is it a Geisha?" means the kind, "from Boquete" the place, not the bean of that name.
    const kind = other && trait.dimension === "bean" && /^(?:a|an|any|from|in)$/.test(before);
    return [
      {
        trait: kind || flavour ? other! : trait,
        other,
        not,
        at,
        or: said.slice(items[index - 1]?.at ?? 0, at).some((word) => /^n?or$/.test(word)),
        joined: last !== undefined && said.slice(last.end, at).some((word) => JOINT.test(word)),
        determined: DETERMINER.test(before) && !/^(?:from|in)$/.test(said[at - 2] ?? ""),
        bags: bagsBefore(said, at),
        level: typeof scale === "string" && !trait.label.includes("medium") ? dir : 0,
      },
    ];
  });
}

/** "2 Huila", "two bags of the Huila". */
function bagsBefore(said: readonly string[], at: number): number | null {
  const count = numberOf(
    said
      .slice(Math.max(0, at - 4), at)
      .findLast((word) => !/^(?:bag|pack|of|the|your|a)$/.test(word)) ?? "",
  );
  return count > 0 && count < 1000 ? count : null;
}

/** An ask beside a wish or a degree of the same field only names its kind: "chocolate notes". */
function asksOf(
  items: readonly Item[],
  wishes: Wishes,
  degree: Degree | null,
  said: readonly string[],
): Asked[] {
  const asks = items.flatMap(({ at, ask, scale }): Asked[] => {
    if (said[at - 1] === "how" && typeof scale === "string")
      return [{ field: ask?.field ?? fieldOf(scale), param: scale, at }];
    // "Made" and "decaffeinated" ask only after "how".
    const asked = ask && (said.includes("how") || !/^(?:made|decaffeinated)$/.test(said[at]!));
    return asked ? [{ ...ask, at }] : [];
  });
  return asks.filter(({ field, param, at }) => {
    if (said[at - 1] === "how") return true;
    if (
      degree &&
      (degree.at === at ||
        param === degree.scale ||
        (field === "tasting_notes" && typeof degree.scale !== "string"))
    )
      return false;
    const counted = field === "brewing" && said.includes("many") && param === undefined;
    return (
      !counted &&
      wishes.every(
        ({ trait, at: there }) =>
          /decaf|text|bean|method/.test(trait.dimension) ||
          FIELD_OF[trait.dimension] !== field ||
          Math.abs(there - at) > 4,
      )
    );
  });
}

const fieldOf = (scale: ScaleName): Field =>
  scale === "price" ? "price_minor" : /^(?:acidity|body|roast)$/.test(scale) ? "roast" : "brewing";
