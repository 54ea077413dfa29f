/** Beans set beside named ones, on one scale or on several. */
import { display, sum } from "../core/money.ts";
import type { Query } from "./evaluate.ts";
import { type Bean, type Beans, fieldOf } from "./facts.ts";
import { claimed, fitting, measured, wanted } from "./find.ts";
import { thansIn, type Wish, type Wishes } from "./reading.ts";
import { merge, type Statement, say, sentence } from "./say.ts";
import { headed, inWords, type Order, places, unsaid } from "./superlative.ts";
import { join } from "./text.ts";
import { find, holds } from "./verify.ts";

export const differing = (apart: number): Statement =>
  sentence(`The difference is ${display(Math.abs(apart))}.`);

/** Which of some has more; or, of `subjects`, whether they have more than the others. */
export function beside(
  order: Order,
  some: Beans,
  wishes: Wishes,
  subjects?: Beans,
  fits = "",
): Statement {
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
type Yardstick = Readonly<{ order: Order & { at?: number }; mark: Bean }>;

/** "Sweeter or nuttier than the Huila", "costs more than the Huila, but less than the Geisha". */
export function several(query: Query): Statement | null {
  const { yardsticks, wishes, items, all, said } = query;
  const thans = thansIn(items).map(({ at }) => at);
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
export function beyond(
  query: Query,
  yardsticks: readonly Yardstick[],
  left: Wishes = [],
): Statement {
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
    const level =
      order.form === "sup" && thansIn(query.items).some(({ at }) => at - 1 === order.at);
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
