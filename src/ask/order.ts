/** Superlatives, rankings and comparisons: computed over every bean in question, their scope said. */
import { display } from "../domain/shared/money.ts";
import type { Bean, Beans } from "./facts.ts";
import { fitting, meant, methodsOf, recipesOf, refers, wanted } from "./find.ts";
import type { Degree, Reading, Wishes } from "./reading.ts";
import { DESCRIBED, merge, type Piece, plainly, say, tell } from "./say.ts";
import { NUMBER_WORDS, upperFirst } from "./text.ts";
import { type Measure, measures, scaleWords } from "./traits.ts";

/** Each bean's best place on the scale, best first; `alike`: by the recipes that all of them have. */
function places(beans: Beans, { scale, dir }: Degree, wishes: Wishes, alike = false): Measure[] {
  const have = (bean: Bean, family: string) => bean.recipes.some((one) => one.family === family);
  const shared = ({ family }: { family: string }) => beans.every((bean) => have(bean, family));
  const down = (a: Measure, b: Measure) => (b.value - a.value) * dir;
  const best = (bean: Bean) => {
    const recipes = recipesOf(bean, wishes).filter((recipe) => !alike || shared(recipe));
    return measures(bean, scale, recipes).sort(down).slice(0, 1);
  };
  return beans.flatMap(best).sort(down);
}

const number = (count: number) => NUMBER_WORDS[count] ?? String(count);
const unsaid = (words: string, about: Beans = []) =>
  plainly(`Our facts do not say which has the ${words}.`, about);

/** Who is first, or second, of all that fit; the level ones together. */
export function superlative(degree: Degree, reading: Reading, beans: Beans): Piece {
  const { wishes, cues, bound } = reading;
  const fit = fitting(beans, wishes, bound);
  const fits = wanted(wishes, bound);
  if (fit.length === 0) return plainly(`None of our coffees fits: ${fits}.`);
  const found = places(fit, degree, wishes);
  const skipped = cues.has("THIRD") ? 2 : cues.has("SECOND") ? 1 : 0;
  const best = [...new Set(found.map(({ value }) => value))][skipped];
  const words = scaleWords(degree.scale, degree.dir, "sup");
  // None has the note at all; and how much caffeine there is, nobody wrote down.
  const uncounted =
    typeof degree.scale !== "string" &&
    (degree.scale.dimension === "decaf" ? best !== 0 : degree.dir > 0 && best === 0);
  if (best === undefined || uncounted) return unsaid(words);
  const winners = found.filter(({ value }) => value === best);
  const coffees = `${number(fit.length)} ${fit.length === 1 ? "coffee" : "coffees"}`;
  const scope = fits === "" ? `all our ${coffees}` : `the ${coffees}`;
  const head = `${["", "Second: ", "Third: "][skipped]}${upperFirst(words)} of ${scope}`;
  const silent = fit.length - found.length;
  const note = `Of ${number(silent)} of them our facts do not say.`;
  const said = say(fits === "" ? head : `${head} that fit (${fits})`, winners);
  return silent > 0 ? { ...said, text: `${said.text} ${note}` } : said;
}

export function rank(degree: Degree, { wishes, bound, cues }: Reading, beans: Beans): Piece {
  const dir = cues.has("DESCENDING") ? 1 : degree.form === "sup" ? degree.dir : -1;
  const found = places(fitting(beans, wishes, bound), { ...degree, dir }, wishes);
  const words = scaleWords(degree.scale, dir, "sup");
  return found.length === 0 ? unsaid(words) : say(`${upperFirst(words)} first`, found);
}

/** Which of some has more; or, of `mine`, whether they have more than the others. */
function contrast(degree: Degree, beans: Beans, wishes: Wishes, mine: Beans | null): Piece {
  const found = places(beans, degree, wishes, true);
  const words = scaleWords(degree.scale, degree.dir, degree.form);
  const [first, next] = found;
  if (found.length < beans.length || !first || !next) return unsaid(words, beans);
  const isOurs = ({ bean }: Measure) => mine?.includes(bean) ?? true;
  const others = found.filter((one) => !isOurs(one));
  const over = (apart: number) => (degree.form === "sup" ? apart >= 0 : apart > 0);
  const beats = found
    .filter(isOurs)
    .every((one) => others.every((other) => over((one.value - other.value) * degree.dir)));
  const yes = mine === null ? "" : beats ? "Yes. " : "No. ";
  const apart = Math.abs(first.value - next.value);
  const head = apart === 0 ? "Our facts put them level" : `${upperFirst(words)} first`;
  const said = say(`${yes}${head}`, found);
  const difference = ` The difference is ${display(apart)}.`;
  const text = degree.scale === "price" && apart > 0 ? said.text + difference : said.text;
  return { ...said, text, about: mine ?? [first.bean] };
}

/** All that have less, or more, than a named one. */
function beyond(degree: Degree, { wishes, bound, than }: Reading, beans: Beans, mark: Bean): Piece {
  const filters = wishes.filter(({ at }) => at < than);
  const [its] = places([mark], degree, wishes);
  if (!its) return unsaid(scaleWords(degree.scale, degree.dir, "sup"));
  const found = places(fitting(beans, filters, bound), degree, filters).filter(
    ({ bean, value }) => bean !== mark && (value - its.value) * degree.dir > 0,
  );
  const words = `${scaleWords(degree.scale, degree.dir, "comp")} than ${mark.name} (${its.said})`;
  return found.length > 0
    ? { ...say(upperFirst(words), found), facts: [...found, its].flatMap(({ facts }) => facts) }
    : { ...plainly(`None of our coffees has ${words}.`, [mark]), facts: its.facts };
}

/** Null where nothing is set beside anything. */
export function comparison(reading: Reading, beans: Beans, all: Beans, mine: Beans): Piece | null {
  const { wishes, degree, than, cues, asks, yesNo } = reading;
  const of = (some: Wishes) =>
    some.length === 0 ? [] : some.every(refers) ? meant(all, some) : fitting(all, some);
  const right = of(wishes.filter(({ at, trait }) => at > than && trait.dimension !== "method"));
  const rest = cues.has("REST") && right.length === 0;
  if (degree && than >= 0 && (right.length > 0 || rest)) {
    const said = of(wishes.filter((wish) => wish.at < than && (refers(wish) || wish.determined)));
    const left = said.length === 0 && yesNo && cues.has("IT") ? beans : said;
    const others = rest ? all.filter((bean) => !left.includes(bean)) : right;
    if (left.length > 0 && (yesNo || left.length === 1))
      return contrast(degree, [...new Set([...left, ...others])], wishes, yesNo ? left : null);
    return others.length === 1 ? beyond(degree, reading, all, others[0]!) : null;
  }
  const some = wishes.some(refers) ? meant(beans, wishes) : [];
  const few = some.length > 1 && some.length < all.length;
  if (few && degree?.form === "comp" && wishes.filter(refers).length > 1)
    return contrast(degree, some, wishes, null);
  if (few && cues.has("COMPARE") && !degree && methodsOf(wishes).length === 0) {
    const scale = asks.find(({ param }) => param !== undefined)?.param;
    if (scale) return contrast({ scale, dir: 1, form: "comp", at: 0 }, some, wishes, null);
    const fields = asks.map(({ field }) => field);
    const told =
      fields.length > 0 ? fields : [...DESCRIBED, "price_minor" as const, "brewing" as const];
    return merge(told.map((field) => tell(some, field)));
  }
  // "Something like the Guji, but cheaper."
  const [only, ...others] = mine.length < beans.length ? mine : [];
  if (degree?.form === "comp" && !yesNo && asks.length === 0 && only && others.length === 0)
    return beyond(degree, reading, all, only);
  if (degree?.form !== "sup" || !yesNo || mine.length === beans.length || !wishes.some(refers))
    return null;
  // "Is the decaf the cheapest?": of all that fit besides.
  const besides = fitting(
    beans,
    wishes.filter((wish) => !refers(wish)),
    reading.bound,
  );
  return contrast(degree, [...new Set([...mine, ...besides])], wishes, mine);
}
