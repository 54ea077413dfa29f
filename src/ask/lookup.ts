/** What the catalog has in the fields that are asked for. */
import { display, sum } from "../domain/shared/money.ts";
import type { Field } from "./ask.ts";
import type { Query } from "./evaluate.ts";
import type { Beans } from "./facts.ts";
import { fitting, methodsOf, recipesOf, wanted } from "./find.ts";
import type { Reading } from "./reading.ts";
import { merge, rows, type Statement, say, sentence, tell } from "./say.ts";
import { byWeight, isShared, linesOf, priceOf } from "./sums.ts";

export function lookup(query: Query): Statement | null {
  const { asks, wishes, beans, all, live, cues } = query;
  const ofRecipes = asks.some(({ field }) => field === "brewing");
  const subjects = wishes.filter(
    ({ trait, not }) =>
      trait.kind !== "method" || !ofRecipes || cues.has("BOTH") || (not && !query.named),
  );
  const pool = fitting(beans, subjects);
  if (pool.length === 0) return null;
  const exact = asks.some(({ param }) => param) || methodsOf(wishes).length > 0;
  const counts = cues.has("COUNT") && !exact;
  const chosen = subjects.length > 0 || pool.length < all.length;
  const lines = linesOf(query, pool);
  const told = [...new Set(asks.map(({ field }) => field))].map((field) => {
    const number = counts && countOf(pool, field);
    if (number) return say(`${number} in all`, rows(pool, field));
    if (field === "brewing") return brewing(pool, query, chosen);
    if (field === "availability" && !query.refers) return stock(pool, query);
    if (field !== "price_minor") return tell(pool, field, live);
    const mean = sum(pool.map(({ product }) => product.price_minor)) / pool.length;
    if (query.said.includes("average"))
      return say(`${display(Math.round(mean))} on average`, rows(pool, field));
    if (lines.length > 0) return priceOf(lines, query);
    // "How much are two of them?", "what would it be with shipping?"
    const count = query.bags ?? (query.shipped ? 1 : 0);
    return count > 0 && chosen && pool.length < 5 && !isShared(query.text)
      ? merge(pool.map((bean) => priceOf([{ bean, bags: count, address: 0 }], query)))
      : merge([tell(pool, field), ...byWeight(pool, query.text)]);
  });
  const fits = wanted(subjects.filter(({ refers }) => !refers));
  const scope = sentence(
    `Of ${pool.length === 1 ? "the one that fits" : `the ${pool.length} that fit`} (${fits}):`,
  );
  return merge(fits === "" || (lines.length > 0 && query.named) ? told : [scope, ...told]);
}

const OUT = /\b(?:sold out|out of stock)\b/;

/** "Which are sold out?", "what can I buy now?": where it is known, those alone. */
function stock(pool: Beans, { text, live, items, all, yesNo }: Query): Statement {
  const denied = items.some(({ ask, not }) => ask?.field === "availability" && not);
  const isOut = (denied || /\bno longer\b/.test(text)) !== OUT.test(text);
  const isAsked =
    OUT.test(text) ||
    (denied && /\bavailable\b/.test(text)) ||
    /\b(?:now|today|currently|right away|in stock)\b/.test(text);
  const some = pool.filter(({ id }) => (live.free?.get(id) ?? 0) > 0 !== isOut);
  if (!live.free || !isAsked || yesNo) return tell(pool, "availability", live);
  const ours = pool.length < all.length ? "these" : "our coffees";
  return some.length > 0
    ? tell(some, "availability", live)
    : sentence(`None of ${ours} is ${isOut ? "sold out" : "in stock"} now.`);
}

/** How many countries, processes, varieties, notes or methods there are; each counts once. */
function countOf(pool: Beans, field: Field): number {
  if (!/^(?:country|process|varieties|tasting_notes|brewing)$/.test(field)) return 0;
  // Of a country the region stands before it, of a recipe its method.
  const some = pool.flatMap(({ facts }) => facts[field].slice(field === "country" ? -1 : 0));
  return new Set(some.map(({ value }) => value.replace(/:.*/s, "").toLowerCase())).size;
}

/** The recipes of the methods that are meant; of all beans and methods only which there are. */
function brewing(pool: Beans, { wishes, asks }: Reading, chosen: boolean): Statement {
  const methods = methodsOf(wishes);
  const recipes = pool.flatMap((bean) => {
    const facts = recipesOf(bean, wishes).map(({ fact }) => fact);
    return facts.length > 0 ? [{ bean, facts }] : [];
  });
  if (recipes.length === 0) {
    const unsaid = sentence(`Our facts do not say anything about a ${wanted(methods)}.`);
    return pool.length > 3 ? unsaid : merge([unsaid, tell(pool, "brewing")]);
  }
  const any = methods.length === 0 && !chosen && asks.every(({ param }) => param === undefined);
  return any ? tell(pool, "brewing") : say("Brewing", recipes, { full: true });
}
