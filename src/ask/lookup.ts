/** What is asked of beans that are meant: fields, recipes, sums, how many there are. */
import { shippingMinor } from "../domain/quote/pricing.ts";
import { display } from "../domain/shared/money.ts";
import type { Query } from "./evaluate.ts";
import type { Bean, Beans } from "./facts.ts";
import { fitting, methodsOf, recipesOf, spoken, wanted } from "./find.ts";
import type { Reading } from "./reading.ts";
import { merge, rows, type Statement, say, sentence, tell } from "./say.ts";
import { join } from "./text.ts";

export function lookup(query: Query): Statement | null {
  const { asks, wishes, bound, beans, live } = query;
  const subjects = wishes.filter(({ trait, not }) => not || trait.kind !== "method");
  const pool = fitting(beans, subjects, bound);
  if (pool.length === 0) return null;
  const chosen = subjects.length > 0 || pool.length < beans.length;
  const lines = linesOf(query, pool);
  const told = [...new Set(asks.map(({ field }) => field))].map((field) => {
    if (field === "brewing") return brewing(pool, query, chosen);
    return field === "price_minor" && lines.length > 0 ? priceOf(lines) : tell(pool, field, live);
  });
  return merge(told);
}

/** The recipes of the methods that are meant; of all beans and methods only which there are. */
function brewing(pool: Beans, { wishes, asks }: Reading, chosen: boolean): Statement {
  const methods = methodsOf(wishes);
  const factsOf = (bean: Bean) => recipesOf(bean, wishes).map(({ fact }) => fact);
  const recipes = pool
    .map((bean) => ({ bean, facts: factsOf(bean) }))
    .filter(({ facts }) => facts.length > 0);
  if (recipes.length === 0) {
    const unsaid = sentence(`Our facts do not say anything about a ${wanted(methods)}.`);
    return pool.length > 3 ? unsaid : merge([unsaid, tell(pool, "brewing")]);
  }
  const any = methods.length === 0 && !chosen && asks.every(({ param }) => param === undefined);
  return any ? tell(pool, "brewing") : say("Brewing", recipes, { full: true });
}

export type Line = Readonly<{ bean: Bean; bags: number }>;

/** The bags that are spoken of: "2 Huila and a bag of the Guji", "how much are three?" */
export function linesOf({ wishes, bags }: Reading, pool: Beans): Line[] {
  const lines = wishes.flatMap((wish) => {
    const [bean, ...more] = wish.refers ? pool.filter(({ id }) => wish.trait.has.has(id)) : [];
    return bean && more.length === 0 ? [{ bean, bags: wish.bags }] : [];
  });
  // "Two Huila and a Guji": who counts one bean counts the others too.
  if (lines.some((line) => line.bags !== null))
    return lines.map(({ bean, bags: some }) => ({ bean, bags: some ?? 1 }));
  const [only, ...others] = pool;
  return bags === null || !only || others.length > 0 ? [] : [{ bean: only, bags }];
}

export const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, { bean, bags }) => sum + bean.product.price_minor * bags, 0);

/** To one address, as a quote would begin it. */
export function priceOf(lines: readonly Line[]): Statement {
  const sum = sumOf(lines);
  const shipping = shippingMinor(sum);
  const paid = `and ${display(shipping)} shipping to one address, ${display(sum + shipping)} in all`;
  const carriage = shipping === 0 ? "ships free to one address" : paid;
  const bags = join(lines.map((line) => `${line.bags} × ${line.bean.name}`));
  const beans = lines.map(({ bean }) => bean);
  return say(
    `${bags}: ${display(sum)}, ${carriage}, before any courtesy`,
    rows(beans, "price_minor"),
  );
}

/** How many bags a sum buys. */
export function bagsFor({ wishes, money, cues, beans }: Query): Statement | null {
  const [bean, ...more] = spoken(beans, wishes);
  if (money === null || !cues.has("COUNT") || !bean || more.length > 0) return null;
  const bags = Math.floor(money / bean.product.price_minor);
  const head = `${display(money)} buys ${bags} × ${bean.name}, shipping aside`;
  return say(head, rows([bean], "price_minor"));
}
