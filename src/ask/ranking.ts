/** Beans set beside each other on a scale: rankings and comparisons. */
import { display, sum } from "../domain/shared/money.ts";
import { numberOf } from "./amounts.ts";
import type { Query } from "./evaluate.ts";
import { type Bean, type Beans, fieldOf } from "./facts.ts";
import { claimed, fitting, measured, methodsOf, spoken, wanted } from "./find.ts";
import { LIKED } from "./likeness.ts";
import type { Wish, Wishes } from "./reading.ts";
import { DESCRIBED, merge, rows, type Statement, say, sentence, tell } from "./say.ts";
import { headed, inWords, none, type Order, places, superlative, unsaid } from "./superlative.ts";
import { join } from "./text.ts";
import { find, holds } from "./verify.ts";

/** Null where nothing is set in an order. */
export function ordered(query: Query): Statement | null {
  const { degree, cues, scales, wishes, than, yesNo, beans, subjects, all } = query;
  // Nothing is set beside a bean that we do not have.
  const strange = wishes.filter(({ refers, trait }) => refers && trait.has.size === 0);
  if (degree && strange.length > 0) return none(wanted(strange));
  const compared = several(query) ?? comparison(query);
  // "At least $3 cheaper?" The difference is told.
  if (compared && degree?.scale === "price" && query.money !== null)
    return { ...compared, verdict: undefined };
  if (compared) return compared;
  const by = /\bby (?:the |their )?price\b/.test(query.text) ? "price" : undefined;
  const scale = by ?? degree?.scale ?? scales[0];
  if (scale !== undefined && (cues.has("RANK") || (cues.has("COMPARE") && wishes.length === 0))) {
    // "From dark to light" tells the order, and wishes nothing.
    const rest = wishes.filter(({ trait }) => by || !/^(?:roast|acidity|body)$/.test(trait.kind));
    // Of notes, and of a "top three", those that have most.
    const usual = typeof scale !== "string" || query.said.includes("top") ? 1 : -1;
    const told = degree?.form === "sup" ? degree.dir : usual;
    const own = cues.has("ASCENDING") ? -1 : told;
    const order = { scale, dir: cues.has("DESCENDING") ? 1 : own, form: "sup" } as const;
    // "The top 3."
    const { said: words } = query;
    const at = words.indexOf("top") + 1 || Math.max(0, words.indexOf("most") - 1);
    const count = numberOf(words[(degree?.at ?? 0) - 1] ?? "");
    const top = numberOf(words[at] ?? "") || count || beans.length;
    const found = places(fitting(beans, rest), order, rest).slice(0, top);
    const said = say(headed(`${inWords(order)} first`, wanted(rest)), found);
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
  // "Is it more fruity?" of one: whether it is.
  if (whether && than < 0 && typeof degree.scale !== "string" && subjects.length < all.length)
    return holds(
      subjects,
      {
        ...query,
        wishes: [...wishes.filter(({ refers }) => !refers), claimed(degree.scale, true)],
      },
      true,
    );
  if (whether && (than < 0 || fitting(beans, wishes).length > 0))
    return sentence("Our facts do not say: it is not told than what.");
  return superlative(degree, query);
}

const BETWEEN =
  /^(?!.*\b(?:differ|compar|choose|decide)).*\b(?:which|what|something|anything|coffee|bean)\b.*\bbetween\b/;

/** Null where nothing is set beside anything. */
function comparison(query: Query): Statement | null {
  const { wishes, degree, mark, than, cues, asks, yesNo, beans, all, subjects, before } = query;
  const of = (some: Wishes) => (some.length === 0 ? [] : fitting(all, some));
  const after = wishes.filter(({ at, trait }) => at > than && trait.kind !== "method");
  const first = mark && superlative(mark, { ...query, beans: all, wishes: after });
  const named = after.filter(({ refers, determined }) => refers || determined);
  const right = first?.about ?? of(named);
  const rest = cues.has("REST") && right.length === 0;
  if (degree && than >= 0 && (right.length > 0 || rest)) {
    const compared = wishes.filter((wish) => wish.at < than && (wish.refers || wish.determined));
    const told = of(compared);
    if (degree.not && right.length === 1)
      return beyond(query, [{ order: degree, mark: right[0]! }], compared);
    const left = told.length === 0 && cues.has("IT") ? beans : told;
    const others = rest ? all.filter((bean) => !left.includes(bean)) : right;
    if (left.length > 0 && (yesNo || left.length === 1)) {
      const said = beside(degree, [...left, ...others], wishes, yesNo ? left : undefined);
      return first ? { ...merge([said, first]), about: said.about } : said;
    }
    return others.length === 1 ? beyond(query, [{ order: degree, mark: others[0]! }]) : null;
  }
  const referring = wishes.filter(({ refers }) => refers);
  // "How do the two light roasts differ?"
  const kinds = referring.length === 0 && asks.length === 0 && wishes[0]?.determined;
  const some = kinds ? fitting(beans, wishes) : spoken(beans, wishes);
  const few = some.length > 1 && some.length < all.length;
  if (few && degree?.form === "comp" && referring.length > 1) return beside(degree, some, wishes);
  // "What is between the Huila and the Geisha in price?"
  const [scale] = query.scales;
  if (few && !degree && scale && BETWEEN.test(query.text)) {
    const [low, high] = places(some, { scale, dir: -1, form: "comp" }, []);
    const above = { order: { scale, dir: 1, form: "comp" }, mark: low!.bean } as const;
    const below = { order: { scale, dir: -1, form: "comp" }, mark: high!.bean } as const;
    if (some.length === 2) return beyond(query, [above, below]);
  }
  if (few && cues.has("COMPARE") && !degree && methodsOf(wishes).length === 0)
    return inTurn(some, query);
  // "Something like the Guji, but cheaper." "I like the Guji. Anything cheaper?"
  const told = wishes.length === 0 && !cues.has("IT") ? before : [];
  const [only, ...others] = subjects.length < beans.length ? subjects : told;
  const near =
    !yesNo &&
    asks.length === 0 &&
    (degree?.form === "comp" || cues.has("SIMILAR") || LIKED.test(query.text));
  if (degree && near && only && others.length === 0)
    return beyond(query, [{ order: degree, mark: only }]);
  // "The price difference between the Geisha and the cheapest?"
  if (degree?.form === "sup" && query.said.includes("difference") && only) {
    const [{ bean } = { bean: only }] = places(all, degree, []);
    return beside({ ...degree, form: "comp" }, [...subjects, bean], wishes);
  }
  if (degree?.form !== "sup" || !yesNo || some.length === 0) return null;
  // "Is the decaf the cheapest?": of all that fit besides.
  const besides = wishes.filter(({ refers }) => !refers);
  const rivals = [...subjects, ...fitting(beans, besides)];
  return beside(degree, rivals, wishes, subjects, wanted(besides));
}

/** "Compare the Huila and the Guji", "for a latte": field by field, or by the one that is asked for. */
function inTurn(some: Beans, query: Query): Statement {
  const { asks, wishes } = query;
  const asked = asks.map(({ field }) => field);
  const scale = asks.find(({ param }) => param !== undefined)?.param;
  if (scale && new Set(asked).size === 1)
    return beside({ scale, dir: scale === "price" ? -1 : 1, form: "comp" }, some, wishes);
  const fields = asked.length > 0 ? asked : ([...DESCRIBED, "price_minor", "brewing"] as const);
  const told = fields.map((field) => tell(some, field));
  const claims = wishes.filter(({ trait }) => trait.kind === "text");
  return merge(
    claims.length > 0 ? [find({ ...query, beans: some, wishes: claims }), ...told] : told,
  );
}

const differing = (apart: number): Statement =>
  sentence(`The difference is ${display(Math.abs(apart))}.`);

/** Which of some has more; or, of `subjects`, whether they have more than the others. */
function beside(order: Order, some: Beans, wishes: Wishes, subjects?: Beans, fits = ""): Statement {
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
  // Two that are no decaf: how much caffeine each has is told nowhere.
  const isOpen =
    typeof scale !== "string" && scale.kind === "decaf" && first?.value === last?.value;
  if (found.length < beans.length || !first || !last || isOpen)
    return unsaid(inWords(order), beans);
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
  const level = headed(apart === 0 ? "our facts put them level" : `${inWords(order)} first`, fits);
  const head = counted ? `${level}, ${join(sums)}` : level;
  const priced = scale === "price" && apart > 0 && found.length === 2;
  const difference = priced ? [differing(apart)] : [];
  const told = merge([say(head, found, { full: true }), ...difference]);
  return subjects
    ? { ...told, verdict: { is }, about: subjects }
    : { ...told, about: [first.bean] };
}

/** A scale, and which bean others are set beside on it. */
type Yardstick = Readonly<{ order: Order; mark: Bean }>;

/** "Sweeter or nuttier than the Huila", "costs more than the Huila, but less than the Geisha". */
function several(query: Query): Statement | null {
  const { yardsticks, wishes, items, all, said } = query;
  const thans = items.flatMap(({ cues, at }) => (cues?.includes("THAN") ? at : []));
  const [than = said.length] = thans;
  const compared = yardsticks.flatMap((order): Yardstick[] => {
    const from = thans.find((at) => at > order.at) ?? thans.at(-1) ?? than;
    const named = wishes.find(({ refers, at }) => refers && at > from);
    const [mark, ...others] = named ? fitting(all, [named]) : [];
    return mark && others.length === 0 ? [{ order, mark }] : [];
  });
  const left = wishes.filter(({ refers, at }) => refers && at < than);
  // "Lighter or darker than the Huila?"
  const [{ order, mark } = {}, ...others] = compared;
  const isTurned = (one: Yardstick) =>
    one.mark === mark && one.order.scale === order?.scale && one.order.dir !== order.dir;
  if (order && mark && others.length === 1 && others.every(isTurned) && left.length > 0)
    return beside(order, [...fitting(all, left), mark], wishes);
  return compared.length > 1 ? beyond(query, compared, left) : null;
}

/** Whether some have less, or more, than a named one, or else all that do; of several, on each scale. */
function beyond(query: Query, yardsticks: readonly Yardstick[], left: Wishes = []): Statement {
  const { wishes, all, said } = query;
  const [start, end] = [query.yardsticks[0]?.at, query.yardsticks.at(-1)?.at];
  const or = said.slice(start ?? 0, end ?? 0).includes("or");
  const isMark = ({ trait, refers, not }: Wish) =>
    refers && !not && yardsticks.some(({ mark }) => trait.has.has(mark.id));
  const filters = wishes.filter((wish) => !isMark(wish));
  const marks = yardsticks.flatMap(({ order, mark }) => places([mark], order, filters));
  const [first] = yardsticks;
  if (!first || marks.length < yardsticks.length)
    return unsaid(
      yardsticks.map(({ order }) => inWords({ ...order, form: "sup" })).join(", or the "),
    );
  const more = yardsticks.map(({ order, mark }, i) => {
    // "As sweet as the Huila."
    const level = order.form === "sup" && query.degree?.at === query.than - 1;
    const label = `${inWords({ ...order, form: "comp" })} than ${mark.name}${level ? ", or level with it" : ""}`;
    const isMore = (value: number) => {
      const lead = (value - marks[i]!.value) * order.dir;
      return lead > 0 || (level && lead === 0);
    };
    const trait = measured(order.scale, label, all, filters, isMore);
    // Nothing is set beside itself.
    const has = new Map([...trait.has].filter(([id]) => id !== mark.id));
    const near = new Set([mark.id]);
    return { ...claimed({ ...trait, has, near }, or && i > 0), not: order.not ?? false };
  });
  const beans = places(all, first.order, filters).map(({ bean }) => bean);
  const told =
    left.length > 0
      ? holds(fitting(all, left), { ...query, wishes: more }, true, wanted(more))
      : find({ ...query, beans, wishes: [...filters, ...more] });
  return { ...merge([told, say("Compared with", marks)]), about: told.about };
}
