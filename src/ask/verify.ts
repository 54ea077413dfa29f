import type { Query } from "./evaluate.ts";
import type { Bean, Beans } from "./facts.ts";
import { fitting, loosely, methodsOf, truth, wanted, wantedOf } from "./find.ts";
import type { Reading, Wish, Wishes } from "./reading.ts";
import { evidence, merge, type Statement, say, sentence, tell, type Verdict } from "./say.ts";
import { superlative } from "./superlative.ts";
import { join, upperFirst } from "./text.ts";
import type { Trait } from "./traits.ts";

/** "Is the Huila washed and the Guji natural?": each claim of its own beans, and whether all are so. */
export function verifyEach(query: Query): Statement | null {
  const groups: Wish[][] = [];
  for (const wish of query.wishes) {
    const last = groups.at(-1);
    const isNext = wish.named && last?.at(-1)?.named === false && last[0]?.named;
    if (last && !isNext) last.push(wish);
    else groups.push([wish]);
  }
  const areClaims = groups.every((some) => some.some(({ named }) => !named));
  if (groups.length < 2 || !areClaims || !query.yesNo) return verify(query);
  const told = groups.flatMap((wishes) => verify({ ...query, wishes }) ?? []);
  const is = worstOf(told.map(({ verdict }) => verdict?.is));
  return told.length === groups.length && is ? { ...merge(told), verdict: { is } } : null;
}

const worstOf = (all: readonly (string | undefined)[]) =>
  (["no", "unsaid", "yes"] as const).find((is) => all.includes(is));

/** Whether something is so: of named beans, of all, of none, of one only. Three-valued. */
export function verify(query: Query): Statement | null {
  const { cues, yesNo, bound, text, asks, beans } = query;
  const { subject, predicate } = divide(query);
  // "Does the decaf use chemicals to take the caffeine out?" asks how, "can I get Kenya now?" for stock.
  const isHow = asks.some(({ field }) => /^(?:process|availability)$/.test(field));
  const asksHow = isHow && predicate.every(({ refers }) => refers);
  if (asksHow || predicate.length === 0 || cues.has("ABOUT") || cues.has("COMPARE")) return null;
  if (subject.length === 0) {
    const few = (cues.has("IT") || cues.has("BOTH")) && beans.length <= 3;
    const each = few || cues.has("ALL");
    // "Is every coffee except the Guji washed?"
    const excepted = query.wishes.filter(({ except }) => except);
    const wishes = query.wishes.filter(({ except }) => !except);
    if (yesNo && each && !cues.has("NONE") && wishes.length > 0)
      return holds(fitting(beans, excepted), { ...query, wishes }, few);
    return cues.has("NONE") || (yesNo && bound === null) ? find(query) : null;
  }
  const named = fitting(beans, subject);
  if (named.length === 0) return null;
  // "Is the Huila just for espresso?": by what else it is brewed.
  const [use] = /(?<!the )\b(?:only|just) (?:\w+ ){0,2}(?:for|as|in|with)\b/.test(text)
    ? predicate
    : [];
  if (yesNo && use) return tell(named, use.trait.field);
  if (cues.has("ONLY") && !/\bor (?:only|just)\b/.test(text)) {
    const fit = fitting(beans, predicate);
    const same = fit.length === named.length && fit.every((bean) => named.includes(bean));
    const verdict = same ? ({ is: "yes", scope: ", only" } as const) : ({ is: "no" } as const);
    return { ...listing(wanted(predicate), fit, predicate), verdict };
  }
  // "Which is washed, the Huila or the Guji?"
  if (subject.some(({ or }) => or))
    return find({ ...query, wishes: predicate, yesNo: false, beans: named });
  // "Guji washed?" "what about the Huila with milk?"
  const asksElse =
    /\b(?:how|where|who|when|why|which|what)\b(?! about)|\b(?:want|need|(?:tell|give|show) me)\b/.test(
      text,
    );
  if (!yesNo && (asks.length > 0 || asksElse)) return null;
  const of = wanted(subject.filter(({ refers }) => !refers));
  return holds(named, { ...query, wishes: predicate }, true, of);
}

/** Those something is said of, and what is: "the Chiapas decaf | washed", "the decaf | Colombian". */
function divide({ wishes, yesNo, cues }: Reading): { subject: Wish[]; predicate: Wish[] } {
  const [first, ...rest] = wishes;
  const spoken = first && yesNo && first.refers && (first.determined || rest.length > 0);
  // "Both light roasts" are meant, but not by "both fruity and nutty".
  const those = first?.determined && !(cues.has("BOTH") && rest[0]?.joined);
  const kind = first && yesNo && !first.not && those && rest.length > 0;
  // "Can I make espresso with the Mexican decaf?"
  const isBrewed = yesNo && first?.trait.kind === "method";
  // "The Brazil or the Sumatra": by its place one is meant as well as by its name.
  const isNamed = ({ named, refers, or }: Wish, at: number) =>
    named ||
    (isBrewed && refers) ||
    (refers && ((or && wishes[at - 1]?.refers) || (wishes[at + 1]?.or && wishes[at + 1]?.refers)));
  const all = (isIt: boolean) => wishes.filter((wish, at) => !!isNamed(wish, at) === isIt);
  if (!first || !(first.named || spoken || kind))
    return { subject: all(true), predicate: all(false) };
  const goesOn = (wish: Wish, at: number) =>
    wish.refers &&
    (wish.named || wish.determined || !yesNo || wish.at === (rest[at - 1] ?? first).at + 1);
  const end = [...rest, null].findIndex((wish, at) => wish === null || !goesOn(wish, at));
  const subject = [first, ...rest.slice(0, end)];
  // "… washed, or the Guji?", "… washed like the Guji": a further name is no claim.
  const predicate = rest.slice(end).filter((one) => !one.named);
  const last = subject.at(-1)!;
  const isClaim = yesNo && predicate.length === 0 && end > 0 && !last.joined && !last.named;
  return isClaim ? { subject: subject.slice(0, -1), predicate: [last] } : { subject, predicate };
}

/** Of each bean; of many only those against it. */
export function holds(
  beans: Beans,
  { wishes, said: asked }: Reading,
  each: boolean,
  of = "",
): Statement {
  const decisive = wishes.some(({ or, not }) => or && !not) ? "yes" : "no";
  const overall = (bean: Bean) => {
    // "Works with milk" says nothing against "good without milk".
    // A recipe that is not told forbids nothing, unless it is the recipe that is asked for.
    const isOpen = ({ trait, not }: Wish) =>
      trait.unsure?.has(bean.id) ||
      (not && trait.kind === "text" && trait.has.has(bean.id)) ||
      (!not && trait.kind === "method" && !trait.has.has(bean.id) && !asked.includes("recipe"));
    const found = wishes.map((wish) => (isOpen(wish) ? "unsaid" : truth(bean, wish)));
    return [decisive, "unsaid"].find((is) => found.includes(is as "yes")) ?? found[0]!;
  };
  const states = beans.map((bean) => ({ bean, is: overall(bean) }));
  const worst = worstOf(states.map(({ is }) => is)) ?? "yes";
  // "Natural or washed?" asks which; "better as a pour over or an espresso?" asks for a judgment.
  const both = beans.some(({ id }) => wishes.every(({ trait }) => trait.has.has(id)));
  const judged = asked.includes("better") ? "unsaid" : "both";
  const either = both && wishes.length === 2 ? judged : "either";
  const or = asked.includes("or");
  const neither = wishes.length === 2 && wishes[1]?.or && beans.length === 1 ? "neither" : "no";
  const is = or && worst === "yes" ? either : or && worst === "no" ? neither : worst;
  // "With chemicals or with water?" Of alternatives only one is read.
  const isHalf = worst === "no" && wishes.length === 1 && / or (?!not|no|is)/.test(asked.join(" "));
  const all = worst === "yes" ? `, all ${beans.length}` : ", not all";
  const shown = states.flatMap(({ bean, is }) => (each || is === worst ? bean : []));
  const found = evidence(shown, wishes);
  // "Is the fruity one washed?" One is, and one is not.
  const mixed = of !== "" && states.some((one) => one.is === "yes");
  const scope = `${each && !(mixed && is === "no") ? "" : all}${of && ` (${of})`}`;
  return {
    ...say("", found, { full: worst === "yes" }),
    verdict: isHalf ? undefined : { is, scope, ofAll: !each },
  };
}

const listing = (head: string, fit: Beans, wishes: Wishes): Statement =>
  say(head, evidence(fit, wishes), { full: fit.length <= 2 });

/** The beans that fit, or how many, or a plain no with what comes near. */
export function find(query: Query): Statement {
  const { wishes, bound, cues, question, yesNo, unread, beans } = query;
  const counts = cues.has("COUNT") && unread.length === 0;
  const fit = fitting(beans, wishes, counts || cues.has("ALL"));
  const looser = fit.length === 0 ? loosely(wishes) : [];
  if (looser.length > 0 && fitting(beans, looser).length > 0)
    return find({ ...query, wishes: looser });
  const fits = wanted(wishes);
  const number = `${fit.length} of our ${beans.length} coffees${fits && ` (${fits})`}`;
  if (counts) return listing(number, fit, wishes);
  // "Is there any?", "is it true that there is none?"
  const is = (fit.length === 0) === cues.has("NONE") ? "yes" : "no";
  // "Is it washed?" where nothing was told yet.
  const lost = query.said.includes("it") && query.before.length === 0;
  const isOpen = methodsOf(wishes).some(({ trait }) => trait.unsure?.has(fit[0]?.id ?? ""));
  const asked = !lost && yesNo && !cues.has("COMPARE") && !bound;
  const verdict = asked && !isOpen ? ({ is } as const) : undefined;
  if (fit.length === 0) return eachOf(query) ?? none(query, verdict);
  const advised =
    !asked && !cues.has("NONE") && (cues.has("RECOMMEND") || !question) && fit.length <= 3;
  // What has little of it is left out: where it is asked beside another wish, that is told, too.
  const little = fitting(beans, wishes, true).filter((bean) => !fit.includes(bean));
  const isSingle = little.length > 0 && wishes.length > 1 && question;
  const single = isSingle ? [listing("With a single one", little, wishes)] : [];
  const more = advised ? [tell(fit, "choose_if")] : single;
  return {
    ...merge([listing(upperFirst(wantedOf(wishes, fit, beans)), fit, wishes), ...more]),
    verdict,
  };
}

/** "A decaf for a French press and a dark roast for cold brew", "she likes fruit and I like it dark". */
const ANOTHER =
  /^and (?:(?:an? |the )?(?:\w+ ){0,3}(?:roast|coffee|bean|decaf|bag|one)\b|something|another|(?:i|he|she|we|they|(?:my|her|his) \w+) )/;

/** Wishes that no bean fits together, but some fit each, where another coffee is spoken of. */
function eachOf(query: Query): Statement | null {
  const { wishes, said, beans } = query;
  const next = said.findIndex((_, at) => ANOTHER.test(said.slice(at, at + 6).join(" ")));
  const [first, second] = [true, false].map((is) => wishes.filter(({ at }) => at < next === is));
  const areBoth = [first!, second!].every(
    (some) => some.some(({ not }) => !not) && fitting(beans, some).length > 0,
  );
  if (!areBoth) return null;
  const told = merge([first!, second!].map((some) => find({ ...query, wishes: some })));
  // Of several that fit it is open which are meant by "one of each".
  return told.about.length > 2 ? { ...told, about: [] } : told;
}

/** What comes nearest is told, unless that has what is not wished. */
function none(query: Query, verdict: Verdict | undefined): Statement {
  const { wishes, bound, beans } = query;
  // Decaffeinated "with water only" may be Swiss Water.
  const isOpen = ({ kind, unsure }: Trait) =>
    /^(?:text|method)$/.test(kind) || (kind !== "origin" && (unsure?.size ?? 0) > 0);
  const told = wishes.filter(({ trait, not }) => not || !isOpen(trait));
  const unsaid = fitting(beans, told).length > 0;
  const ours =
    beans.length < query.all.length ? join(beans.map(({ name }) => name)) : "our coffees";
  const head = unsaid ? `Our facts do not say it of ${ours}` : `None of ${ours} fits`;
  const said = {
    ...sentence(`${head}: ${wanted(wishes)}.`),
    verdict: unsaid ? undefined : verdict,
  };
  const some = beans.filter(({ id }) => wishes.some(({ trait }) => trait.unsure?.has(id)));
  if (told.length === 0 && some.length === 1)
    return merge([said, listing("It may be", some, wishes)]);
  // No roast is dark: of those that fit besides, the darkest comes nearest.
  const level = wishes.find((wish) => wish.level !== 0 && fitting(beans, [wish]).length === 0);
  const besides = wishes.filter((wish) => wish !== level);
  if (level && fitting(beans, besides).length > 0) {
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
  // What no text says is left aside, and what no recipe is for where that is not enough.
  const worded = wishes.filter(({ trait, not }) => not || trait.kind !== "text");
  const isWorded = fitting(beans, worded).length > 0;
  const rest = isWorded ? worded : told;
  if (unsaid && (isWorded || told.some(({ not }) => not)))
    return merge([said, listing(upperFirst(wanted(rest)), fitting(beans, rest), rest)]);
  if (wishes.length < 2 || wishes.some(({ not }) => not)) return said;
  const apart = wishes.flatMap((wish) => {
    const have = wish.trait.kind === bound?.scale ? [] : fitting(beans, [wish]);
    return have.length > 0 ? [listing(upperFirst(wish.trait.label), have, [wish])] : [];
  });
  return { ...merge([said, ...apart]), about: [] };
}
