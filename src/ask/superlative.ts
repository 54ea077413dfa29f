/** Beans set in order on a scale, and which is first; the scope of a superlative is said with it. */
import { numberOf } from "./amounts.ts";
import type { Degree } from "./degree.ts";
import type { Query } from "./evaluate.ts";
import type { Bean, Beans } from "./facts.ts";
import { fitting, type Measure, measures, recipesOf, wantedOf } from "./find.ts";
import type { Wishes } from "./reading.ts";
import { type Statement, say, sentence } from "./say.ts";
import { upperFirst } from "./text.ts";
import { SCALE_WORDS } from "./vocabulary.ts";

export type Order = Omit<Degree, "at">;

/** Each bean's best place on the scale, best first; `alike`: by the recipes that all of them have. */
export function places(
  beans: Beans,
  { scale, dir }: Order,
  wishes: Wishes,
  alike = false,
): Measure[] {
  const have = (bean: Bean, family: string) => bean.recipes.some((one) => one.family === family);
  const down = (a: Measure, b: Measure) => (b.value - a.value) * dir;
  const best = (bean: Bean) => {
    const recipes = recipesOf(bean, wishes).filter(
      ({ family }) => !alike || beans.every((other) => have(other, family)),
    );
    return measures(bean, scale, recipes).sort(down).slice(0, 1);
  };
  return beans.flatMap(best).sort(down);
}

/** Least, most, less or more of a scale, in words. */
export function inWords({ scale, dir, form }: Order): string {
  const at = (form === "sup" ? 0 : 2) + (dir > 0 ? 1 : 0);
  if (typeof scale === "string") return SCALE_WORDS.get(scale)![at]!;
  const few = scale.kind === "note" ? ["fewest", "most", "fewer"] : ["least", "most", "less"];
  // "A fruity cup" is counted with the notes.
  const isMentioned = [...scale.has.values()].flat().some(({ field }) => field !== scale.field);
  const what = scale.kind === "note" && isMentioned ? `${scale.label} and mentions` : scale.label;
  return `${few[at] ?? "more"} ${what}`;
}

export const headed = (words: string, fits: string): string =>
  upperFirst(fits === "" ? words : `${words} (${fits})`);

export const unsaid = (words: string, about: Beans = []) =>
  sentence(`Our facts do not say which has the ${words}.`, about);

export const none = (fits: string): Statement => sentence(`None of our coffees fits: ${fits}.`);

/** "But not the cheapest." */
const BESIDES =
  /\b(?:not|dont|(?<=\w )isnt|except|thing but) (?:want |like |be )?the (?:most|least|\w+est)\b/;

/** The first, or the second, of all that fit; the level ones together; or all but these. */
export function superlative(order: Order, query: Query): Statement {
  const { wishes, cues, beans, all, said, degree } = query;
  const fit = fitting(beans, wishes);
  const fits = wantedOf(wishes, fit, beans);
  if (fit.length === 0) return none(fits);
  const found = places(fit, order, wishes);
  const skipped = cues.has("THIRD") ? 2 : cues.has("SECOND") ? 1 : 0;
  const best = [...new Set(found.map(({ value }) => value))][skipped];
  // None has the note at all; and how much caffeine there is stands nowhere.
  const { scale, dir } = order;
  const uncounted =
    typeof scale !== "string" && (scale.kind === "decaf" ? best !== 0 : dir > 0 && best === 0);
  const words = inWords({ ...order, form: "sup" });
  if (best === undefined || uncounted) return unsaid(words);
  const known = new Set(found.map(({ bean }) => bean)).size;
  const coffees = `${known} ${known === 1 ? "coffee" : "coffees"}`;
  const these = beans.length < all.length ? `these ${coffees}` : `all our ${coffees}`;
  const those = `the ${coffees} of which our facts say it`;
  const fitted =
    known === 1 ? `, the only one that fits (${fits})` : ` of the ${coffees} that fit (${fits})`;
  const scope = known < fit.length ? ` of ${those}` : fits === "" ? ` of ${these}` : fitted;
  const at = degree?.at ?? 0;
  const not = BESIDES.test(said.slice(Math.max(0, at - 5), at + 1).join(" "));
  const place = not ? "not the " : ["", "second: ", "third: "][skipped];
  const head = upperFirst(`${place}${words}${scope}`);
  // "The two cheapest", "which two are the cheapest".
  const [, which] =
    /\b(?<!(?:the|these|those|of) )(\w+) (?:(?:coffee|bean|one) )?(?:are|is|with|that|have)\b/.exec(
      query.text,
    ) ?? [];
  const counts = [said[at - 1], said[at + 1], which].map((word = "") => numberOf(word));
  const many = counts.find(Boolean) ?? 1;
  const last = found[Math.min(skipped + many, found.length) - 1]?.value;
  const winners = found.filter(
    ({ value }, i) => not !== (value === best || (many > 1 && (i < many || value === last))),
  );
  return say(head, winners, { full: true });
}
