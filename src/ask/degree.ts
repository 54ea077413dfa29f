/** Which end of which scale a part asks for, and with what it compares. */
import type { Bound } from "./amounts.ts";
import { COUNTS, stepsOf } from "./facts.ts";
import type { Scale } from "./lexicon.ts";
import type { Item } from "./phrases.ts";
import { LISTS, SCALE_WORDS } from "./vocabulary.ts";

type Items = readonly Item[];

export type Degree = Readonly<{
  scale: Scale;
  dir: 1 | -1;
  form: "comp" | "sup";
  at: number;
  not?: boolean;
}>;

/** "Cheapest", "less acidic", "most brewing methods": the scale is the nearest that is mentioned. */
export function degreeOf(items: Items): Degree | null {
  const own = items.find(({ form }) => form !== undefined);
  const amount = items.find(({ cues: [cue = ""] = [] }) => /^(?:MORE|LESS|MOST|LEAST)$/.test(cue));
  const [cue = ""] = amount?.cues ?? [];
  const form = own?.form ?? (cue.endsWith("ST") ? "sup" : "comp");
  const turn = (!own || amount?.at === own.at - 1) && cue.startsWith("LE") ? -1 : 1;
  const scaled = items.filter((item) => item.scale !== undefined && !item.form);
  // "Lightest body": the noun beside it says on which scale; "the body of the Guji is lighter", too.
  const noun =
    own &&
    (scaled.find(({ at, ask }) => ask && at >= own.end && at - own.end <= 1) ??
      scaled.find((item) => /^light/.test(own.typed) && isSubject(item, items, own)));
  const away = ({ at }: Item) => (at >= amount!.end ? at - amount!.end : amount!.end - at + 1.5);
  const [nearest] = amount ? scaled.sort((a, b) => away(a) - away(b)) : [];
  const target = own ?? (nearest && Math.abs(nearest.at - amount!.at) <= 6 ? nearest : undefined);
  const scale = noun?.scale ?? target?.scale;
  if (target && scale)
    return {
      scale,
      dir: ((target.dir ?? 1) * turn) as 1 | -1,
      form,
      at: target.at,
      not: form === "comp" && (own ?? amount)!.not,
    };
  // "Something cheap", "not too expensive".
  const priced = items.find(({ scale, dir, ask }) => scale === "price" && dir && !ask);
  if (priced)
    return { scale: "price", dir: priced.not ? -1 : priced.dir!, form: "sup", at: priced.at };
  // "The most notes", "more recipes than".
  const beside = items.find(
    ({ ask, at }) => amount && ask && at >= amount.end && at < amount.end + 3,
  );
  const [count] = [...COUNTS].find(([, field]) => field === beside?.ask?.field) ?? [];
  return count ? { scale: count, dir: turn, form, at: amount!.at } : null;
}

/** Only beans stand between the noun and what is said of it. */
const isSubject = ({ ask, end }: Item, items: Items, { at }: Item): boolean =>
  ask !== undefined &&
  end <= at &&
  items.every((one) => one.at < end || one.at >= at || one.trait?.kind === "bean");

/** Each reaches to the next; "less than" alone is on the scale of the one before. */
export function yardsticksOf(items: Items): Degree[] {
  // "As fruity as" is read as "most fruity than".
  const isLevel = (cue: string, end: number) =>
    cue === "MOST" && items.some(({ cues, at }) => cues?.includes("THAN") && at === end + 1);
  const isMore = ({ form, cues: [cue = ""] = [], end }: Item) =>
    form === "comp" || (!form && (/^(?:MORE|LESS)$/.test(cue) || isLevel(cue, end)));
  const starts = items.filter(isMore);
  const found: Degree[] = [];
  for (const [i, { at, cues = [] }] of starts.entries()) {
    const end = starts[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    const own = items.filter((item) => (i === 0 || item.at >= at) && item.at < end);
    const before = found.at(-1);
    const dir = cues.includes("LESS") ? -1 : 1;
    const degree = degreeOf(own) ?? (before && ({ ...before, dir, at } as const));
    if (degree) found.push(degree);
  }
  return found.length > 1 ? found : [];
}

/** What stands before a step, "not above medium", and after it, "medium or darker". */
const BEFORE = /(?:(above|over|beyond|at least)|(below|under|at most|up to))(?: an?)?$/;
const AFTER =
  /^or (?:(more|above|over|up|higher|darker|heavier|fuller|stronger)|(less|below|under|lower|lighter|milder))\b/;

/** "Darker than medium", "at least a medium body", "low acidity or less": within which steps of a scale. */
export function levelIn(
  items: Items,
  said: readonly string[],
  degree: Degree | null,
  than: number,
): Bound | null {
  for (const { at, end, scale: own, trait, form, typed, not } of items) {
    if (form || !trait || typeof own !== "string" || !LISTS.has(own)) continue;
    const isThan = degree?.form === "comp" && than >= 0 && at > than && at - than < 3;
    const scale = isThan && typeof degree.scale === "string" ? degree.scale : own;
    const word = typed
      .split(" ")
      .filter((one) => !LISTS.get(own)!.includes(one))
      .join(" ");
    const step = stepsOf(scale).get(word);
    const [, above, below] = BEFORE.exec(said.slice(Math.max(0, at - 4), at).join(" ")) ?? [];
    const [, up, down] = AFTER.exec(said.slice(end, end + 2).join(" ")) ?? [];
    const dir = isThan ? degree.dir : (above ?? up) ? 1 : (below ?? down) ? -1 : 0;
    if (step === undefined || dir === 0) continue;
    const isDenied = isThan ? degree.not === true : not && !(up ?? down);
    const isStep = !isThan && /^(?:at|up)/.test(above ?? below ?? "at");
    const isUp = dir > 0 !== isDenied;
    const slack = isDenied || isStep ? 0 : 0.25;
    const words = `${isDenied ? "not " : ""}${SCALE_WORDS.get(scale)![dir > 0 ? 3 : 2]} than ${word}${isStep ? ", or level with it" : ""}`;
    return isUp
      ? { scale, least: step + slack, most: Number.POSITIVE_INFINITY, at, words }
      : { scale, least: 0, most: step - slack, at, words };
  }
  return null;
}
