/** What kind of question a part is, and its answer. */
import { bagsFor, linesOf, priceOf } from "./amounts.ts";
import type { Live } from "./ask.ts";
import type { Bean, Beans } from "./facts.ts";
import { fitting, methodsOf, recipesOf, spoken, truth, wanted } from "./find.ts";
import { ordered, superlative } from "./ranking.ts";
import type { Reading, Wish, Wishes } from "./reading.ts";
import { DESCRIBED, evidence, merge, rows, type Statement, say, sentence, tell } from "./say.ts";
import { upperFirst } from "./text.ts";

/** A part, with the beans it speaks over, of those the ones it is about, and all there are. */
export type Query = Reading &
  Record<"beans" | "subjects" | "all" | "before", Beans> & { live: Live };

/** `before`: what the part before was about. Null where the part has nothing that could be answered. */
export function evaluate(part: Reading, all: Beans, before: Beans, live: Live): Statement | null {
  const { wishes, bound, cues } = part;
  // "More expensive than $20" is a limit.
  const limit = part.degree?.form === "comp" && part.degree.scale === bound?.scale;
  const degree = limit ? null : part.degree;
  // Whom something suits is asked of a bean; "can I get … for $23" asks for no stock.
  const asks = part.asks.filter(({ field, param }) =>
    field === "choose_if"
      ? part.refers
      : bound === null || (param !== bound.scale && field !== "availability"),
  );
  const beans = scopeOf({ ...part, asks }, all, before);
  const about = wishes.some(({ refers, determined, named }) => refers && (named || determined));
  const subjects = about ? spoken(beans, wishes) : beans;
  const query = { ...part, asks, degree, beans, subjects, all, before, live };
  const lines = bound?.scale === "price" ? linesOf(part, spoken(beans, wishes)) : [];
  if (lines.length > 0) return priceOf(lines);
  const other = wishes.some(({ named }) => !named) && !cues.has("ABOUT");
  return (
    verifyFirst(query) ??
    ordered(query) ??
    reason(query) ??
    bagsFor(query) ??
    (isCount(part) ? find(query) : null) ??
    verify(query) ??
    (asks.length > 0 ? lookup(query) : null) ??
    (other || bound ? find(query) : plain(query))
  );
}

const isCount = ({ cues, wishes, bound, said }: Reading): boolean =>
  cues.has("COUNT") &&
  (wishes.some(({ named }) => !named) ||
    bound !== null ||
    /(?:many|number of) (?:\w+ (?:of )?)?(?:coffee|bean|product|option|one|kind|type|sort)/.test(
      said.join(" "),
    ));

/** Over which beans the part speaks: all, or those of the part before. */
function scopeOf({ wishes, cues, asks, degree, named }: Reading, all: Beans, before: Beans): Beans {
  if (cues.has("ELSE")) return all.filter((bean) => !before.includes(bean));
  if (before.length === 0 || named) return all;
  const bare = wishes.length === 0 && !degree && asks.length > 0;
  return cues.has("IT") || (bare && !cues.has("LIST") && !cues.has("ALL")) ? before : all;
}

/** "Why" is nowhere in the facts, but for what is not sold at once. */
function reason({ said, wishes, scales, subjects }: Query): Statement | null {
  const sold = wishes.some(({ trait }) => trait.kind === "availability");
  if (!said.includes("why") || sold) return null;
  // "Why should I choose it?"
  if (said.includes("should")) return tell(subjects, "choose_if");
  const unsaid = sentence("Our facts do not say why.", subjects.length === 1 ? subjects : []);
  return scales.includes("price") ? merge([unsaid, tell(subjects, "price_minor")]) : unsaid;
}

function lookup(query: Query): Statement | null {
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
function brewing(pool: Beans, { wishes, asks, bound }: Reading, chosen: boolean): Statement {
  const methods = methodsOf(wishes);
  const recipes = pool.flatMap((bean) => {
    const facts = recipesOf(bean, wishes, bound).map(({ fact }) => fact);
    return facts.length > 0 ? [{ bean, facts }] : [];
  });
  if (recipes.length === 0) {
    const unsaid = sentence(`Our facts do not say anything about a ${wanted(methods)}.`);
    return pool.length > 3 ? unsaid : merge([unsaid, tell(pool, "brewing")]);
  }
  const any = methods.length === 0 && !chosen && asks.every(({ param }) => param === undefined);
  return any ? tell(pool, "brewing") : say("Brewing", recipes, { full: true });
}

/** "Tell me about the Huila", a name alone, or no wish at all. */
function plain({ wishes, cues, said, money, question, beans }: Query): Statement | null {
  if (wishes.length > 0) {
    const named = fitting(beans, wishes);
    if (named.length === 0) return null;
    if (money !== null) return tell(named, "price_minor");
    if (said.includes("who")) return tell(named, "choose_if");
    const weak = !question && !cues.has("ABOUT");
    return { ...say("About", rows(named, ...DESCRIBED)), weak };
  }
  if ((cues.has("LIST") && !cues.has("RECOMMEND")) || cues.has("COMPARE"))
    return say("Our coffees", rows(beans, "process", "roast", "price_minor"));
  const asked = cues.has("RECOMMEND") || cues.has("ELSE");
  return asked ? { ...tell(beans, "choose_if"), weak: true } : null;
}

/** "Is the cheapest coffee washed?": first which it is. */
function verifyFirst(query: Query): Statement | null {
  const { degree, yesNo, wishes, refers } = query;
  const claim = wishes.at(-1);
  if (!yesNo || refers || degree?.form !== "sup" || !claim || claim.at < degree.at) return null;
  const first = superlative(degree, { ...query, wishes: wishes.slice(0, -1) });
  return merge([first, holds(first.about, { ...query, wishes: [claim], bound: null }, true)]);
}

/** Whether something is so: of named beans, of all, of none, of one only. Three-valued. */
function verify(query: Query): Statement | null {
  const { cues, yesNo, question, bound, said, asks, beans } = query;
  const { subject, predicate } = divide(query);
  if ((predicate.length === 0 && !bound) || cues.has("ABOUT")) return null;
  if (subject.length === 0) {
    const few = cues.has("IT") && beans.length <= 3;
    const each = few || cues.has("ALL") || cues.has("BOTH");
    // "Is every coffee except the Guji washed?"
    const excepted = query.wishes.filter(({ except }) => except);
    const wishes = query.wishes.filter(({ except }) => !except);
    if (yesNo && each && !cues.has("NONE") && (wishes.length > 0 || bound))
      return holds(fitting(beans, excepted), { ...query, wishes }, few);
    return cues.has("NONE") || (yesNo && bound === null) ? find(query) : null;
  }
  const named = fitting(beans, subject);
  if (cues.has("ONLY") && question && predicate.length > 0) {
    const fit = fitting(beans, predicate);
    const same = fit.length === named.length && fit.every((bean) => named.includes(bean));
    return listing(`${same ? "Yes, only" : "No"}: ${wanted(predicate, null)}`, fit, predicate);
  }
  // "Which is washed, the Huila or the Guji?"
  if (subject.some(({ or }) => or) && predicate.length > 0)
    return find({ ...query, wishes: predicate, yesNo: false, beans: named });
  // "Guji washed?" "what about the Huila with milk?"
  const asksWhich = /\b(?:how|where|who|why|which)\b/.test(said.join(" "));
  const claim = asks.length === 0 && !asksWhich && subject.some((wish) => wish.named);
  if (named.length === 0 || !(yesNo || claim)) return null;
  return holds(named, { ...query, wishes: predicate }, true);
}

/** Those something is said of, and what is: "the Chiapas decaf | washed", "the decaf | Colombian". */
function divide({ wishes, yesNo }: Reading): { subject: Wish[]; predicate: Wish[] } {
  const [first, ...rest] = wishes;
  const spoken = first && yesNo && first.refers && (first.determined || rest.length > 0);
  const kind = first && yesNo && !first.not && first.determined && rest.length > 0;
  const those = (isNamed: boolean) => wishes.filter(({ named }) => named === isNamed);
  if (!first || !(first.named || spoken || kind))
    return { subject: those(true), predicate: those(false) };
  const goesOn = (wish: Wish, at: number) =>
    wish.refers &&
    (wish.named || wish.determined || !yesNo || wish.at === (rest[at - 1] ?? first).at + 1);
  const end = [...rest, null].findIndex((wish, at) => wish === null || !goesOn(wish, at));
  const subject = [first, ...rest.slice(0, end)];
  // "… washed like the Huila": a further name is no claim.
  const predicate = rest.slice(end).filter((one) => !one.named);
  const last = subject.at(-1)!;
  const claimed = yesNo && predicate.length === 0 && end > 0 && !last.joined && !last.named;
  return claimed ? { subject: subject.slice(0, -1), predicate: [last] } : { subject, predicate };
}

/** Of each bean; of many only those against it. */
function holds(beans: Beans, { wishes, bound }: Reading, each: boolean): Statement {
  const decisive = wishes.some(({ or }) => or) ? "yes" : "no";
  const overall = (bean: Bean) => {
    const found = wishes.map((wish) => truth(bean, wish));
    if (bound) found.push(fitting([bean], [], bound).length > 0 ? "yes" : "no");
    return [decisive, "unsaid"].find((is) => found.includes(is as "yes")) ?? found[0]!;
  };
  const states = beans.map((bean) => ({ bean, is: overall(bean) }));
  const worst = ["no", "unsaid"].find((is) => states.some((one) => one.is === is)) ?? "yes";
  // "Natural or washed?" asks which.
  const either = worst === "yes" && wishes.length > 1 && wishes.slice(1).every(({ or }) => or);
  const all = worst === "yes" ? `, all ${beans.length}` : ", not all";
  const head = worst === "unsaid" ? "Our facts do not say" : upperFirst(worst);
  const shown = states.flatMap(({ bean, is }) => (each || is === worst ? bean : []));
  const field = bound?.scale === "price" ? "price_minor" : "brewing";
  const found = bound ? rows(shown, field) : evidence(shown, wishes);
  const full = each && !bound && worst === "yes";
  return say(either ? "It is" : each ? head : `${head}${all}`, found, { full });
}

const listing = (head: string, fit: Beans, wishes: Wishes): Statement =>
  say(head, evidence(fit, wishes), { full: fit.length <= 2 });

/** The beans that fit, or how many, or a plain no with what comes near. */
function find(query: Query): Statement {
  const { wishes, bound, cues, question, yesNo, beans } = query;
  const counts = cues.has("COUNT");
  const fit = fitting(beans, wishes, bound, counts || cues.has("ALL"));
  const fits = wanted(wishes, bound);
  const number = `${fit.length} of our ${beans.length} coffees${fits && ` (${fits})`}`;
  if (counts) return listing(number, fit, wishes);
  // "Is there any?", "is it true that there is none?"
  const yes = (fit.length === 0) === cues.has("NONE") ? "Yes: " : "No: ";
  const head = (cues.has("NONE") || yesNo) && !bound ? yes : "";
  if (fit.length === 0) return none(query, head);
  const advised = !head && (cues.has("RECOMMEND") || !question) && fit.length <= 2;
  const fields = [bound?.scale === "price" && "price_minor", advised && "choose_if"] as const;
  const more = fields.flatMap((field) => (field ? [tell(fit, field)] : []));
  return merge([listing(head + upperFirst(fits), fit, wishes), ...more]);
}

/** What comes nearest is told, unless that has what is not wished. */
function none(query: Query, yes: string): Statement {
  const { wishes, bound, beans } = query;
  const told = wishes.filter(({ trait, not }) => not || !/text|method/.test(trait.kind));
  const unsaid = told.length < wishes.length && fitting(beans, told, bound).length > 0;
  const head = unsaid ? "Our facts do not say it of any coffee" : "None of our coffees fits";
  const said = sentence(`${yes}${head}: ${wanted(wishes, bound)}.`);
  // No roast is dark: of those that fit besides, the darkest comes nearest.
  const level = wishes.find((wish) => wish.level !== 0 && fitting(beans, [wish]).length === 0);
  const besides = wishes.filter((wish) => wish !== level);
  if (level && !wishes.some(({ not }) => not) && fitting(beans, besides, bound).length > 0) {
    const nearest = { scale: level.trait.kind, dir: level.level as 1 | -1, form: "sup" } as const;
    return merge([said, superlative(nearest, { ...query, wishes: besides })]);
  }
  // Every coffee has a fruit note: those with a single one are nearest to none.
  const broad = wishes.find(({ not, trait }) => not && trait.broad);
  const others = wishes.filter((wish) => wish !== broad);
  const few = ({ id }: Bean) => broad?.trait.has.get(id)?.length === 1;
  const least = fitting(beans, others).filter(few);
  if (broad && least.length > 0)
    return merge([said, listing("With a single one", least, [{ ...broad, not: false }])]);
  if (wishes.length < 2 || wishes.some(({ not }) => not)) return said;
  const apart = wishes.flatMap((wish) => {
    const have = fitting(beans, [wish]);
    return have.length > 0 ? [listing(upperFirst(wish.trait.label), have, [wish])] : [];
  });
  return { ...merge([said, ...apart]), about: [] };
}
