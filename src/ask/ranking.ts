/** Beans set in order on a scale: superlatives, rankings and comparisons, their scope said. */
import { display, sum } from "../domain/shared/money.ts";
import { numberOf } from "./amounts.ts";
import type { Query } from "./evaluate.ts";
import { type Bean, type Beans, fieldOf } from "./facts.ts";
import { fitting, type Measure, measures, methodsOf, recipesOf, spoken, wanted } from "./find.ts";
import type { Degree, Shown, Wishes } from "./reading.ts";
import { DESCRIBED, evidence, merge, rows, type Statement, say, sentence, tell } from "./say.ts";
import { join, upperFirst } from "./text.ts";
import type { Trait } from "./traits.ts";
import { SCALE_WORDS } from "./vocabulary.ts";

type Order = Omit<Degree, "at">;

/** Null where nothing is set in an order. */
export function ordered(query: Query): Statement | null {
  const { degree, cues, scales, wishes, than, yesNo, beans, bound, subjects } = query;
  // Nothing is set beside a bean that we do not have.
  const strange = wishes.filter(({ refers, trait }) => refers && trait.has.size === 0);
  if (degree && strange.length > 0) return none(wanted(strange));
  const compared = comparison(query);
  if (compared) return compared;
  const scale = degree?.scale ?? scales[0];
  if (scale !== undefined && (cues.has("RANK") || (cues.has("COMPARE") && wishes.length === 0))) {
    // "From dark to light" tells the order, and wishes nothing.
    const rest = wishes.filter(({ trait }) => !/^(?:roast|acidity|body)$/.test(trait.kind));
    const own = cues.has("ASCENDING") || degree?.form !== "sup" ? -1 : degree.dir;
    const order = { scale, dir: cues.has("DESCENDING") ? 1 : own, form: "sup" } as const;
    // "The top 3."
    const top = numberOf(query.said[query.said.indexOf("top") + 1] ?? "") || beans.length;
    const found = places(fitting(beans, rest, bound), order, rest).slice(0, top);
    const said = say(headed(`${inWords(order)} first`, wanted(rest, bound)), found);
    const apart = scale === "price" && query.said.includes("difference");
    return apart ? merge([said, differing(found[0]!.value - found.at(-1)!.value)]) : said;
  }
  // "Is light roast stronger?", "is it darker than the cheapest?": no bean that it is set beside.
  if (!degree) return null;
  const whether = degree.form === "comp" && yesNo;
  if (whether && subjects.length < beans.length) {
    // "More floral than fruity": both stand in the same facts.
    if (than >= 0) return say("", rows(subjects, fieldOf(degree.scale)), { full: true });
    // "What is the Huila? And is the Guji cheaper?"
    const others = query.before.filter((bean) => !subjects.includes(bean));
    if (others.length === 1) return beside(degree, [...subjects, ...others], wishes, subjects);
  }
  if (whether && (than < 0 || fitting(beans, wishes).length > 0))
    return sentence("Our facts do not say: it is not told than what.");
  // "I like the Guji. Anything cheaper?"
  const [mark, ...others] =
    wishes.length === 0 && degree.form === "comp" && !cues.has("IT") ? query.before : [];
  if (mark && others.length === 0) return beyond(degree, query, mark);
  return superlative(degree, query);
}

/** What two have in common, or which are most like one of them, by all that is known of them. */
export function alike(query: Query, traits: readonly Trait[]): Statement | null {
  const { cues, wishes, degree, subjects, all, before, asks } = query;
  const some = subjects.length < all.length ? subjects : wishes.length === 0 ? before : [];
  const [mark, ...others] = some;
  const fields = asks.map(({ field }) => field);
  if (!cues.has("SIMILAR") || degree || !mark || fields.includes("price_minor")) return null;
  const ofThese = traits.filter(({ field }) => fields.length === 0 || fields.includes(field));
  const shared = (beans: Beans) =>
    ofThese.flatMap((trait) =>
      beans.every(({ id }) => trait.has.has(id)) ? { trait, not: false, or: false } : [],
    );
  const told = (head: string, beans: Beans, common: Shown) => {
    const shown = common.length > 0 ? evidence(beans, common) : rows(beans, ...fields);
    return say(`${head}: ${wanted(common) || "nothing that our facts tell"}`, shown);
  };
  if (others.length > 0) return told("In common", some, shared(some));
  const besides = wishes.filter(({ refers, trait }) => !(refers && trait.has.has(mark.id)));
  const pairs = fitting(all, besides).flatMap((bean) =>
    bean === mark ? [] : { bean, common: shared([mark, bean]) },
  );
  const most = Math.max(...pairs.map(({ common }) => common.length));
  const nearest = pairs.filter(({ common }) => common.length === most);
  if (nearest.length === 0) return null;
  const head = [`Most like ${mark.name}`, wanted(besides)].filter((words) => words !== "");
  return merge(nearest.map(({ bean, common }) => told(head.join(", "), [bean], common)));
}

/** Null where nothing is set beside anything. */
function comparison(query: Query): Statement | null {
  const { wishes, degree, mark, than, cues, asks, yesNo, beans, all, subjects, bound } = query;
  const of = (some: Wishes) => (some.length === 0 ? [] : fitting(all, some));
  const after = wishes.filter(({ at, trait }) => at > than && trait.kind !== "method");
  const first = mark && superlative(mark, { ...query, beans: all, wishes: after });
  const named = after.filter(({ refers, determined }) => refers || determined);
  const right = first?.about ?? of(named);
  const rest = cues.has("REST") && right.length === 0;
  if (degree && than >= 0 && (right.length > 0 || rest)) {
    const told = of(wishes.filter((wish) => wish.at < than && (wish.refers || wish.determined)));
    const left = told.length === 0 && cues.has("IT") ? beans : told;
    const others = rest ? all.filter((bean) => !left.includes(bean)) : right;
    if (left.length > 0 && (yesNo || left.length === 1)) {
      const said = beside(degree, [...left, ...others], wishes, yesNo ? left : undefined);
      return first ? { ...merge([said, first]), about: said.about } : said;
    }
    return others.length === 1 ? beyond(degree, query, others[0]!) : null;
  }
  const referring = wishes.filter(({ refers }) => refers);
  // "How do the two light roasts differ?"
  const kinds = referring.length === 0 && asks.length === 0 && wishes[0]?.determined;
  const some = kinds ? fitting(beans, wishes) : spoken(beans, wishes);
  const few = some.length > 1 && some.length < all.length;
  if (few && degree?.form === "comp" && referring.length > 1) return beside(degree, some, wishes);
  if (few && cues.has("COMPARE") && !degree && methodsOf(wishes).length === 0) {
    const fields = asks.map(({ field }) => field);
    const scale = asks.find(({ param }) => param !== undefined)?.param;
    if (scale && new Set(fields).size === 1)
      return beside({ scale, dir: scale === "price" ? -1 : 1, form: "comp" }, some, wishes);
    const told = fields.length > 0 ? fields : ([...DESCRIBED, "price_minor", "brewing"] as const);
    return merge(told.map((field) => tell(some, field)));
  }
  // "Something like the Guji, but cheaper."
  const [only, ...others] = subjects.length < beans.length ? subjects : [];
  const near = !yesNo && asks.length === 0 && (degree?.form === "comp" || cues.has("SIMILAR"));
  if (degree && near && only && others.length === 0) return beyond(degree, query, only);
  if (degree?.form !== "sup" || !yesNo || some.length === 0) return null;
  // "Is the decaf the cheapest?": of all that fit besides.
  const besides = wishes.filter(({ refers }) => !refers);
  return beside(degree, [...subjects, ...fitting(beans, besides, bound)], wishes, subjects);
}

/** Each bean's best place on the scale, best first; `alike`: by the recipes that all of them have. */
function places(beans: Beans, { scale, dir }: Order, wishes: Wishes, alike = false): Measure[] {
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
function inWords({ scale, dir, form }: Order): string {
  const at = (form === "sup" ? 0 : 2) + (dir > 0 ? 1 : 0);
  if (typeof scale === "string") return SCALE_WORDS.get(scale)![at]!;
  const few = scale.kind === "note" ? ["fewest", "most", "fewer"] : ["least", "most", "less"];
  return `${few[at] ?? "more"} ${scale.label}`;
}

const headed = (words: string, fits: string): string =>
  upperFirst(fits === "" ? words : `${words} (${fits})`);

const unsaid = (words: string, about: Beans = []) =>
  sentence(`Our facts do not say which has the ${words}.`, about);

const none = (fits: string): Statement => sentence(`None of our coffees fits: ${fits}.`);

const differing = (apart: number): Statement =>
  sentence(`The difference is ${display(Math.abs(apart))}.`);

/** "But not the cheapest." */
const BESIDES =
  /\b(?:not|dont|(?<=\w )isnt|except|thing but) (?:want |like |be )?the (?:most|least|\w+est)\b/;

/** The first, or the second, of all that fit; the level ones together; or all but these. */
export function superlative(order: Order, query: Query): Statement {
  const { wishes, cues, bound, beans, all, said, degree } = query;
  const fit = fitting(beans, wishes, bound);
  const fits = wanted(wishes, bound);
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
  const scope =
    known < fit.length ? those : fits === "" ? these : `the ${coffees} that fit (${fits})`;
  const at = degree?.at ?? 0;
  const not = BESIDES.test(said.slice(Math.max(0, at - 5), at + 1).join(" "));
  const place = not ? "not the " : ["", "second: ", "third: "][skipped];
  const head = upperFirst(`${place}${words} of ${scope}`);
  // "The two cheapest."
  const [, which = ""] =
    /\b(\w+) (?:coffee|bean|one) (?:are|is|with|that|have)\b/.exec(query.text) ?? [];
  const many = numberOf(said[at - 1] ?? "") || numberOf(which) || 1;
  const last = found[Math.min(skipped + many, found.length) - 1]?.value;
  const winners = found.filter(
    ({ value }, i) => not !== (value === best || (many > 1 && (i < many || value === last))),
  );
  return say(head, winners, { full: true });
}

/** Which of some has more; or, of `subjects`, whether they have more than the others. */
function beside(order: Order, some: Beans, wishes: Wishes, subjects?: Beans): Statement {
  const beans = [...new Set(some)];
  const { scale, dir, form } = order;
  // "Are two Guji cheaper than one Geisha?"
  const bagsOf = ({ id }: Bean) =>
    wishes.find(({ refers, trait }) => refers && trait.has.size === 1 && trait.has.has(id))?.bags;
  const times = (bean: Bean) => (scale === "price" && bagsOf(bean)) || 1;
  const found = places(beans, order, wishes, true)
    .map((one) => ({ ...one, value: one.value * times(one.bean) }))
    .sort((a, b) => (b.value - a.value) * dir);
  const [first, last] = [found[0], found.at(-1)];
  if (beans.length < 2 && fieldOf(scale) === "brewing")
    return sentence("Recipes of one and the same coffee are not compared here.", beans);
  if (found.length < beans.length || !first || !last) return unsaid(inWords(order), beans);
  const values = (ours: boolean) =>
    found.flatMap(({ bean, value }) => (subjects?.includes(bean) === ours ? value * dir : []));
  const others = values(false);
  const counted = found.some(({ bean }) => times(bean) > 1);
  // Who counts bags compares what they come to together.
  const [ours, theirs] = counted
    ? [sum(values(true)), sum(others)]
    : [Math.min(...values(true)), Math.max(...others)];
  // No bean has more than itself.
  const lead = others.length === 0 ? 0 : ours - theirs;
  const is = lead > 0 || (lead === 0 && form === "sup") ? "yes" : "no";
  const apart = Math.abs(first.value - last.value);
  const sums = found.map(({ bean, value }) => `${times(bean)} × ${bean.name} ${display(value)}`);
  const level = apart === 0 ? "Our facts put them level" : `${upperFirst(inWords(order))} first`;
  const head = counted ? `${level}, ${join(sums)}` : level;
  const priced = scale === "price" && apart > 0 && found.length === 2;
  const difference = priced ? [differing(apart)] : [];
  const told = merge([say(head, found, { full: true }), ...difference]);
  return subjects
    ? { ...told, verdict: { is }, about: subjects }
    : { ...told, about: [first.bean] };
}

/** All that have less, or more, than a named one. */
function beyond(order: Order, { wishes, bound, than, all }: Query, mark: Bean): Statement {
  const filters = wishes.filter(({ at, not }) => at < than || not);
  const [its] = places([mark], order, wishes);
  if (!its) return unsaid(inWords({ ...order, form: "sup" }));
  const found = places(fitting(all, filters, bound), order, filters).filter(
    ({ bean, value }) => bean !== mark && (value - its.value) * order.dir > 0,
  );
  const words = `${inWords({ ...order, form: "comp" })} than ${mark.name}`;
  const head = headed(words, wanted(filters, bound));
  const about = found.map(({ bean }) => bean);
  return { ...merge([say(head, found), say("Compared with", [its])]), about };
}
