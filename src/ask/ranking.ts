/** Superlatives, rankings and comparisons: computed over every bean in question, their scope said. */
import { display } from "../domain/shared/money.ts";
import type { Bean, Beans } from "./facts.ts";
import { fitting, meant, methodsOf, recipesOf, refers, wanted } from "./find.ts";
import type { Degree, Reading, Wishes } from "./reading.ts";
import { DESCRIBED, merge, type Statement, say, sentence, tell } from "./say.ts";
import { upperFirst } from "./text.ts";
import { type Measure, measures, scaleWords } from "./traits.ts";

/** Each bean's best place on the scale, best first; `alike`: by the recipes that all of them have. */
function places(beans: Beans, { scale, dir }: Degree, wishes: Wishes, alike = false): Measure[] {
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

const unsaid = (words: string, about: Beans = []) =>
  sentence(`Our facts do not say which has the ${words}.`, about);

/** The first, or the second, of all that fit; the level ones together. */
export function superlative(degree: Degree, reading: Reading, beans: Beans): Statement {
  const { wishes, cues, bound } = reading;
  const { scale, dir } = degree;
  const fit = fitting(beans, wishes, bound);
  const fits = wanted(wishes, bound);
  if (fit.length === 0) return sentence(`None of our coffees fits: ${fits}.`);
  const found = places(fit, degree, wishes);
  const skipped = cues.has("THIRD") ? 2 : cues.has("SECOND") ? 1 : 0;
  const best = [...new Set(found.map(({ value }) => value))][skipped];
  const words = scaleWords(scale, dir, "sup");
  // None has the note at all; and how much caffeine there is stands nowhere.
  const uncounted =
    typeof scale !== "string" && (scale.kind === "decaf" ? best !== 0 : dir > 0 && best === 0);
  if (best === undefined || uncounted) return unsaid(words);
  const coffees = `${fit.length} ${fit.length === 1 ? "coffee" : "coffees"}`;
  const scope = fits === "" ? `all our ${coffees}` : `the ${coffees} that fit (${fits})`;
  const head = `${["", "Second: ", "Third: "][skipped]}${upperFirst(words)} of ${scope}`;
  const winners = found.filter(({ value }) => value === best);
  const silent = fit.length - found.length;
  const note = silent > 0 ? [sentence(`Of ${silent} of them our facts do not say.`)] : [];
  return merge([say(head, winners, { full: true }), ...note]);
}

export function rank(degree: Degree, { wishes, bound, cues }: Reading, beans: Beans): Statement {
  const dir = cues.has("DESCENDING") ? 1 : degree.form === "sup" ? degree.dir : -1;
  const found = places(fitting(beans, wishes, bound), { ...degree, dir }, wishes);
  const words = scaleWords(degree.scale, dir, "sup");
  return found.length === 0 ? unsaid(words) : say(`${upperFirst(words)} first`, found);
}

/** Which of some has more; or, of `subjects`, whether they have more than the others. */
function contrast(degree: Degree, beans: Beans, wishes: Wishes, subjects?: Beans): Statement {
  const { scale, dir, form } = degree;
  const found = places(beans, degree, wishes, true);
  const [first, last] = [found[0], found.at(-1)];
  const words = scaleWords(scale, dir, form);
  if (found.length < beans.length || !first || !last) return unsaid(words, beans);
  const values = (ours: boolean) =>
    found.flatMap(({ bean, value }) => (subjects?.includes(bean) === ours ? value * dir : []));
  const lead = Math.min(...values(true)) - Math.max(...values(false));
  const yes = lead > 0 || (lead === 0 && form === "sup") ? "Yes. " : "No. ";
  const apart = Math.abs(first.value - last.value);
  const head = apart === 0 ? "Our facts put them level" : `${upperFirst(words)} first`;
  const priced = scale === "price" && apart > 0 && found.length === 2;
  const said = say(`${subjects ? yes : ""}${head}`, found, { full: true });
  const difference = priced ? [sentence(`The difference is ${display(apart)}.`)] : [];
  return { ...merge([said, ...difference]), about: subjects ?? [first.bean] };
}

/** All that have less, or more, than a named one. */
function comparedWith(degree: Degree, { wishes, bound, than }: Reading, beans: Beans, mark: Bean) {
  const filters = wishes.filter(({ at, not }) => at < than || not);
  const [its] = places([mark], degree, wishes);
  if (!its) return unsaid(scaleWords(degree.scale, degree.dir, "sup"));
  const found = places(fitting(beans, filters, bound), degree, filters).filter(
    ({ bean, value }) => bean !== mark && (value - its.value) * degree.dir > 0,
  );
  const head = `${upperFirst(scaleWords(degree.scale, degree.dir, "comp"))} than ${mark.name}`;
  return {
    ...merge([say(head, found), say("Compared with", [its])]),
    about: found.map(({ bean }) => bean),
  };
}

/** Null where nothing is set beside anything. */
export function comparison(reading: Reading, beans: Beans, all: Beans, subjects: Beans) {
  const { wishes, degree, than, cues, asks, yesNo } = reading;
  const of = (some: Wishes) => (some.length === 0 ? [] : fitting(all, some));
  const right = of(wishes.filter(({ at, trait }) => at > than && trait.kind !== "method"));
  const rest = cues.has("REST") && right.length === 0;
  if (degree && than >= 0 && (right.length > 0 || rest)) {
    const said = of(wishes.filter((wish) => wish.at < than && (refers(wish) || wish.determined)));
    const left = said.length === 0 && yesNo && cues.has("IT") ? beans : said;
    const others = rest ? all.filter((bean) => !left.includes(bean)) : right;
    if (left.length > 0 && (yesNo || left.length === 1))
      return contrast(degree, [...new Set([...left, ...others])], wishes, yesNo ? left : undefined);
    return others.length === 1 ? comparedWith(degree, reading, all, others[0]!) : null;
  }
  const some = wishes.some(refers) ? meant(beans, wishes) : [];
  const few = some.length > 1 && some.length < all.length;
  if (few && degree?.form === "comp" && wishes.filter(refers).length > 1)
    return contrast(degree, some, wishes);
  if (few && cues.has("COMPARE") && !degree && methodsOf(wishes).length === 0) {
    const scale = asks.find(({ param }) => param !== undefined)?.param;
    if (scale) return contrast({ scale, dir: 1, form: "comp", at: 0 }, some, wishes);
    const fields = asks.map(({ field }) => field);
    const told = fields.length > 0 ? fields : ([...DESCRIBED, "price_minor", "brewing"] as const);
    return merge(told.map((field) => tell(some, field)));
  }
  // "Something like the Guji, but cheaper."
  const [only, ...others] = subjects.length < beans.length ? subjects : [];
  if (degree?.form === "comp" && !yesNo && asks.length === 0 && only && others.length === 0)
    return comparedWith(degree, reading, all, only);
  if (degree?.form !== "sup" || !yesNo || some.length === 0) return null;
  // "Is the decaf the cheapest?": of all that fit besides.
  const besides = wishes.filter((wish) => !refers(wish));
  const rivals = fitting(beans, besides, reading.bound);
  return contrast(degree, [...new Set([...subjects, ...rivals])], wishes, subjects);
}
