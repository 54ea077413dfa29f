/** What the catalog has in the fields that are asked for. */
import { isExclusive } from "../catalog/catalog.ts";
import { mostInWords, share, tooManyText } from "../catalog/hold-share.ts";
import { display, sum } from "../core/money.ts";
import type { Fact, Field, Live } from "./ask.ts";
import type { Query } from "./evaluate.ts";
import type { Bean, Beans } from "./facts.ts";
import { fitting, methodsOf, recipesOf, wanted, wantedOf } from "./find.ts";
import type { Reading } from "./reading.ts";
import { merge, rows, type Statement, say, sentence, tell, titleOf } from "./say.ts";
import { bagsByBean, isShared, type Line, linesOf, priceOf } from "./sums.ts";
import { entries, list, phrase } from "./text.ts";
import { TERMS } from "./vocabulary.ts";

export function lookup(query: Query): Statement | null {
  const { asks, wishes, beans, all, live, cues } = query;
  const ofRecipes = asks.some(({ field }) => field === "brewing");
  const subjects = wishes.filter(
    ({ trait }) => trait.kind !== "method" || !ofRecipes || cues.has("BOTH"),
  );
  const pool = fitting(beans, subjects);
  if (pool.length === 0) return null;
  const exact = asks.some(({ param }) => param) || methodsOf(wishes).length > 0;
  const counts = cues.has("COUNT") && !exact;
  const chosen = pool.length < all.length;
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
    return count > 0 && chosen && !isShared(query.text)
      ? merge(pool.map((bean) => priceOf([{ bean, bags: count, address: 0 }], query)))
      : tell(pool, field);
  });
  const claims = subjects.filter(({ refers }) => !refers);
  const fits = wantedOf(claims, fitting(beans, claims), beans);
  const scope = sentence(
    `Of ${pool.length === 1 ? "the one that fits" : `the ${pool.length} that fit`} (${fits}):`,
  );
  return merge(fits === "" ? told : [scope, ...told]);
}

const OUT = /\b(?:sold out|out of stock)\b/;

/** "Which are sold out?", "what can I buy now?": where it is known, those alone. */
function stock(pool: Beans, { text, live, items, all, yesNo }: Query): Statement {
  const denied = items.some(({ ask, not }) => ask?.field === "availability" && not);
  const isOut = (denied || /\bno longer\b/.test(text)) !== OUT.test(text);
  const isAsked =
    denied || OUT.test(text) || /\b(?:now|today|currently|right away|in stock)\b/.test(text);
  const some = pool.filter((bean) => freeOf(bean, live) > 0 !== isOut);
  if (!live.free || !isAsked || yesNo) return tell(pool, "availability", live);
  const ours = pool.length < all.length ? "these" : "our coffees";
  return some.length > 0
    ? tell(some, "availability", live)
    : sentence(`None of ${ours} is ${isOut ? "sold out" : "in stock"} now.`);
}

const HAS =
  /\b(?:can|could|may|do|would) (?:i|we|you|she|he|they|(?:my|our|the) \w+) (?:\w+ )?(?:get|have|buy|order|send|ship|sell|take|do (?:that|it|this))\b|\b(?:can|could) .*\bbe had\b|\bis (?:it |that |this )?possible\b/;

const freeOf = ({ id }: Bean, { free }: Live): number => free?.get(id) ?? 0;

/** "Can I get 30 bags of the Guji?" One order can have so many of them as its address may keep. */
export function inStock(
  lines: readonly Line[],
  { text, live, asks, wishes }: Query,
): Statement | null {
  const isMore = asks.some(({ field }) => field !== "availability");
  const isOther = wishes.some(({ refers }) => !refers);
  if (!live.free || isMore || isOther || lines.length === 0 || !HAS.test(text)) return null;
  const asked = bagsByBean(lines);
  const beans = asked.map(({ bean }) => bean);
  const more = asked.flatMap(({ bean, count }) => {
    const there = freeOf(bean, live);
    return count > Math.min(there, share(there)) ? bean : [];
  });
  const isOpen = beans.some(({ product }) => isExclusive(product));
  const is = more.length > 0 ? "no" : "yes";
  const told = merge([tell(beans, "availability", live), ...most(more, live)]);
  return { ...told, verdict: isOpen && is === "yes" ? undefined : { is }, open: [] };
}

/** How many one order can have of each, where that is not all. */
function most(beans: Beans, live: Live): Statement[] {
  const some = beans.flatMap((bean) => {
    const there = freeOf(bean, live);
    const most = share(there);
    return most < there ? { product_id: bean.id, most } : [];
  });
  const nameOf = (id: string) => beans.find((bean) => bean.id === id)!.name;
  return some.length > 0 ? [sentence(tooManyText(mostInWords(some, nameOf)))] : [];
}

/** "How many bags of the Guji can I still get?" Some are left for others. */
export function bagsLeft(beans: Beans, { text, live }: Query): Statement {
  const asked = HAS.test(text) || /\b(?:i|we) can\b/.test(text) ? beans : [];
  return { ...merge([tell(beans, "availability", live), ...most(asked, live)]), open: [] };
}

/** What a field's values are called. */
const KINDS =
  entries(`country = place, town, country, region, origin; varieties = variety, varietal,
  cultivar; process = process, method of processing; roast = roast, roast level;
  tasting_notes = note, tasting note, flavor, flavour; brewing = method, brewing method`);

/** "Is Caturra a process?": what the facts have it as. */
export function ofKind({ text, wishes, all }: Query): Statement | null {
  const [, named = "", kind = ""] = /^is (?:(?:the|an?) )?(.+) an? (.+?) [?]$/.exec(text) ?? [];
  const [asked] = KINDS.find(([, words]) => list(words).includes(kind)) ?? [];
  const own = wishes.find(({ typed }) => typed === named);
  if (!asked || !own) return null;
  const beans = all.filter(({ id }) => own.trait.has.has(id));
  const isIt = ({ value }: Fact) => ` ${phrase(value)} `.includes(` ${named} `);
  const found = KINDS.flatMap(([name]) => {
    const field = name as Field;
    const shown = beans.map((bean) => ({ bean, facts: bean.facts[field].filter(isIt) }));
    const some = shown.filter(({ facts }) => facts.length > 0);
    return some.length > 0 ? [{ field, some }] : [];
  });
  const so = found.find(({ field }) => field === asked);
  const told = so ?? found[0];
  // Honey is a process elsewhere.
  const elsewhere = TERMS.some(
    ({ kind, name, members }) => kind === asked && [name, ...members].includes(named),
  );
  if (!told || (!so && elsewhere)) return null;
  const verdict = { is: so ? "yes" : "no" } as const;
  return { ...say(titleOf(told.field), told.some), verdict, open: [] };
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
