/** What kind of question a part is, and its answer. */
import { isExclusive } from "../catalog/catalog.ts";
import { isCount, TOGETHER } from "./amounts.ts";
import type { Live } from "./ask.ts";
import { isOrder } from "./carry.ts";
import { type Bean, type Beans, COUNTS, fieldOf } from "./facts.ts";
import { counted, fitting, isDefinite, limit, methodsOf, skipped, spoken } from "./find.ts";
import type { Lexicon } from "./lexicon.ts";
import { alike } from "./likeness.ts";
import { bagsLeft, inStock, lookup, ofKind } from "./lookup.ts";
import { ordered } from "./ranking.ts";
import { asksFor, type Reading, thansIn, type Wish } from "./reading.ts";
import { DESCRIBED, merge, rows, type Statement, say, sentence, tell } from "./say.ts";
import { bagsFor, byWeight, isCounted, linesOf, nearest, priceOf, setsOf } from "./sums.ts";
import { superlative } from "./superlative.ts";
import { find, holds, verify, verifyEach } from "./verify.ts";

/** `foreign`: it was asked in another language; `health`: something of it is about health. */
export type Setting = Readonly<{ lexicon: Lexicon; live: Live; foreign: boolean; health: boolean }>;

/** A part, with the beans it speaks over, of those the ones it is about, and all there are. */
export type Query = Reading &
  Record<"beans" | "subjects" | "all" | "before", Beans> & { live: Live };

const OFFERED = ["brewing", "price_minor", "availability"] as const;

const BAGS_LEFT =
  /how many (?:\w+ )?bag .*\b(?:left|get|have|stock|available|buy|order|remain|still)\b|how many (?:\w+ ){0,3}can (?:i|we) (?:get|have|buy|order)\b|\b(?:max|maximum|most)(?: bag)? (?:i|we) can (?:get|have|buy|order)\b/;

const NUMBER_OF =
  /(?:many|number of) (?:\w+ (?:of )?)?(?:coffee|bean|product|option|one|kind|type|sort)/;

const STRENGTH = sentence(
  "Strength is told here by body alone; how much caffeine a coffee has, our facts do not say.",
);

/** With what is said of words that have another meaning, too. */
export function evaluate(part: Reading, setting: Setting, before: Beans): Statement | null {
  const told = answerOf(part, setting, before);
  if (!told) return null;
  const isStrong = part.items.some(({ typed }) => /^strong\w*$/.test(typed));
  const priced = told.facts.some(({ field }) => field === "price_minor") ? told.about : [];
  const { live, lexicon } = setting;
  const ids = new Set(told.facts.map(({ product_id }) => product_id));
  const isOut = ({ id, product }: Bean) =>
    ids.has(id) && (live.free?.get(id) === 0 || isExclusive(product));
  // Who wishes to buy is told what is sold out, or needs a key.
  const { asks, cues, bound, question, wishes, text } = part;
  const isWish =
    cues.has("RECOMMEND") || bound?.scale === "price" || (!question && wishes.length > 0);
  const isIdle = ({ field, param }: (typeof asks)[number]) =>
    (/\b(?:i|we|my)\b/.test(text) && field === "brewing" && !param) ||
    /price_minor|availability|choose_if/.test(field);
  const buys = HAVES.test(text) || (isWish && !told.verdict && asks.every(isIdle));
  const out = buys && !/\bnow\b|finder key/.test(told.text) ? lexicon.beans.filter(isOut) : [];
  const more = [
    ...(isStrong ? [STRENGTH] : []),
    ...byWeight(priced, text),
    ...(out.length > 0 ? [tell(out, "availability", live)] : []),
  ];
  return more.length > 0 ? { ...told, ...merge([told, ...more]), about: told.about } : told;
}

/** `before`: what the part before was about. Null where the part has nothing that could be answered. */
function answerOf(part: Reading, setting: Setting, before: Beans): Statement | null {
  const { live, lexicon } = setting;
  const { beans: all, traits } = lexicon;
  const { cues, text } = part;
  if (isUnclear(part, before)) return null;
  // "More expensive than $20" is a limit; "it costs $30, is there something cheaper?" none.
  const sameScale = part.degree?.form === "comp" && part.degree.scale === part.bound?.scale;
  const isNumber = part.said.slice(part.than + 1, part.than + 3).some(isCount);
  const degree = sameScale && part.than >= 0 && isNumber ? null : part.degree;
  const bound = sameScale && part.than < 0 ? null : part.bound;
  // Whom something suits is asked of a bean; "can I get … for $23" asks for no stock.
  const asks = part.asks.filter(({ field, param }) =>
    field === "choose_if"
      ? part.refers || before.length > 0
      : bound === null ||
        (param !== bound.scale &&
          COUNTS.get(bound.scale) !== field &&
          (field !== "availability" || text.includes("in stock"))),
  );
  // "A gift, not too expensive", "for my dad's French press": what is told of gifts is no limit then.
  const bounds = bound ? [limit(bound, all, part.wishes, part.shipped)] : [];
  const isAlone = part.wishes.length === 1 && degree?.scale !== "price";
  const isGift = isAlone && fitting(all, [...part.wishes, ...bounds]).length > 0;
  const own = part.wishes.flatMap((wish) =>
    wish.typed !== "gift" || isGift ? counted(wish, part.said, all) : [],
  );
  const wishes = [...own, ...bounds, ...skipped(text, all)].toSorted((a, b) => a.at - b.at);
  const beans = scopeOf({ ...part, asks }, all, before);
  const subjects = wishes.some(isDefinite) ? spoken(beans, wishes) : beans;
  const query = { ...part, wishes, asks, degree, bound, beans, subjects, all, before, live };
  // "Three bags of the cheapest", "the two cheapest together".
  const ofBest = degree?.form === "sup" && part.said[degree.at - 3] === "bag";
  const isSum = degree?.form === "sup" && TOGETHER.test(text);
  const first = ofBest || isSum ? superlative(degree, query) : null;
  const best = ofBest || (first?.about.length ?? 0) > 1 ? first : null;
  const meant = cues.has("IT") && !part.refers ? before : spoken(beans, wishes);
  const lines = linesOf(best && !ofBest ? { ...part, bags: 1 } : part, best?.about ?? meant);
  const priced = part.money !== null || asks.some(({ param }) => param === "price");
  if (lines.length > 0 && best) return merge([priceOf(lines, query), best]);
  if (lines.length > 0 && (priced || isCounted(query) || isOrder(query)))
    return priceOf(lines, query);
  const some = part.refers ? spoken(beans, wishes) : before;
  if (BAGS_LEFT.test(text) && some.length > 0 && part.money === null) return bagsLeft(some, query);
  // "How many can I brew as a V60?"
  const ofAny = wishes.some(({ named }) => !named) || bound || NUMBER_OF.test(text);
  const known = asks.every(({ param }) => !param && methodsOf(wishes).length > 0);
  const counts = cues.has("COUNT") && ofAny && known;
  const other = wishes.some((wish) => !(isBare(part) ? isDefinite(wish) : wish.named));
  return (
    inStock(lines, query) ??
    reason(query) ??
    ofKind(query) ??
    alike(query, traits) ??
    bagsFor(query) ??
    ofFirst(query) ??
    ordered(query) ??
    setsOf(query) ??
    nearest(query) ??
    (counts ? find(query) : null) ??
    verifyEach(query) ??
    (asks.length > 0 ? lookup(query) : null) ??
    ((other && !cues.has("ABOUT")) || bound ? find(query) : plain(query))
  );
}

/** "The decaf?" is a name, and "what is the decaf like?" asks of it; "which is decaf?" asks. */
const isBare = ({ text, yesNo }: Reading): boolean =>
  (!yesNo && !/\b(?:which|is|are|have|sell)\b/.test(text)) ||
  /^(?:what|how) (?:is|are) the (?:\w+ ){1,3}like\b/.test(text);

/** Denials of more than a bean, and words of what was said before, where nothing was. */
const DENIES = /\bneither\b|^(?:what|how|where)\b.{0,12}\b(?:cant|cannot|dont|doesnt|isnt|not)\b/;

/** What is not read rather than read wrongly: two claims in one, "between light and dark". */
function isUnclear(part: Reading, before: Beans): boolean {
  const { wishes, cues, text, refers } = part;
  const kinds = wishes.map((wish) => (wish.named ? "bean" : isDefinite(wish) ? "one" : "claim"));
  // Of alternatives it is open which is asked.
  const other = (wish: Wish, at: number) =>
    wish.named && wish.or && kinds[at - 1] === "claim" && kinds.slice(at).includes("claim");
  const several = asksFor(part, "availability")
    ? /bean claim one|bean bean claim/
    : /bean claim one/;
  const apart = several.test(kinds.join(" ")) || wishes.some(other);
  const unheld = cues.has("BOTH") && wishes.length === 0 && before.length !== 2;
  const both = unheld || /\bnot both\b/.test(text);
  const lost = before.length === 0 && text.includes("the other one");
  const levels =
    wishes.some(({ level }) => level !== 0) && /\bbetween (?!the two\b).*\band\b/.test(text);
  const denied = wishes.some(({ not, trait }) => not && trait.kind === "bean");
  // "More than three times as expensive as" is no order.
  const strange = thansIn(part.items).length > 1 && part.yardsticks.length < 2 && !part.bound;
  return strange || apart || both || lost || (levels && !refers) || (denied && DENIES.test(text));
}

/** "One bag of each." */
export const OF_EACH = /\b(?:of each|each of them|(?:one|a) (?:bag )?each(?! (?:to|for)\b))\b/;

/** Over which beans the part speaks: all, or those of the part before. */
export function scopeOf(part: Reading, all: Beans, before: Beans): Beans {
  const { wishes, cues, asks, degree, named, text } = part;
  if (cues.has("ELSE")) return all.filter((bean) => !before.includes(bean));
  if (before.length === 0 || named) return all;
  const isUse = ({ trait, not }: Wish) => !not && /^(?:method|text)$/.test(trait.kind);
  const bare = wishes.every(isUse) && !degree && asks.length > 0;
  const open = bare && !cues.has("LIST") && !cues.has("ALL");
  const both = cues.has("BOTH") && before.length === 2;
  // "Which is cheaper?" after two are told, "one of each", "and tell me which is cheapest".
  const isOfThem = OF_EACH.test(text) || /\btell (?:me|us) which (?:one )?is\b/.test(part.part);
  const isSet = isOfThem || (before.length > 1 && degree?.form === "comp");
  const which = wishes.length === 0 && isSet;
  return cues.has("IT") || both || which || open ? before : all;
}

/** "Why" is nowhere in the facts, but for what is not sold at once. */
function reason(query: Query): Statement | null {
  const { said, wishes, scales, subjects } = query;
  const sold = wishes.some(({ trait }) => trait.kind === "availability");
  if (!said.includes("why") || sold || asksFor(query, "availability")) return null;
  // "Why is the Huila natural?" It is not.
  const so = query.refers ? verify({ ...query, yesNo: true }) : null;
  if (so?.verdict?.is === "no") return so;
  // "Why should I choose it?"
  if (/\bwhy (?:should|would|might) (?:i|we)\b/.test(query.text))
    return tell(subjects, "choose_if");
  const unsaid = sentence("Our facts do not say why.", subjects);
  return scales.includes("price") ? merge([unsaid, tell(subjects, "price_minor")]) : unsaid;
}

const ADVICE =
  /\b(?:suggest|recommend|advise|should (?:i|we) (?:get|buy|choose|order|take|pick)|would you (?:pick|choose|take|get))\b/;

/** "Do you have the Huila?", "can I have a bag of it?" */
const HAVES =
  /^(?:do you (?:still )?(?:have|sell|offer)|can i (?:have|get)|(?:have )?(?:you )?got|(?:is|are) there)\b/;

/** "Tell me about the Huila", a name alone, or no wish at all. */
function plain(query: Query): Statement | null {
  const { wishes, cues, said, money, question, beans } = query;
  if (wishes.length > 0) {
    const named = fitting(beans, wishes);
    if (named.length === 0) return find(query);
    const lines = linesOf(query, named);
    if (lines.length > 0) return priceOf(lines, query);
    if (money !== null) return tell(named, "price_minor");
    if (said.includes("who")) return tell(named, "choose_if");
    if (query.live.free && HAVES.test(query.text)) return tell(named, "availability", query.live);
    const weak = !question && !cues.has("ABOUT");
    if (said.includes("everything"))
      return merge([...DESCRIBED, ...OFFERED].map((field) => tell(named, field, query.live)));
    return { ...say("About", rows(named, ...DESCRIBED)), weak };
  }
  if ((cues.has("LIST") && !cues.has("RECOMMEND")) || cues.has("COMPARE"))
    return say("Our coffees", rows(beans, "process", "roast", "price_minor"));
  const asked = cues.has("RECOMMEND") || (cues.has("ELSE") && !query.yesNo);
  const weak = !ADVICE.test(query.text) || query.before.length > 0;
  return asked ? { ...tell(beans, "choose_if"), weak } : null;
}

/** "Is the cheapest coffee washed?", "how do I brew the darkest?": first which it is. */
function ofFirst(query: Query): Statement | null {
  const { degree, yesNo, wishes, refers, asks, all } = query;
  if (degree?.form !== "sup" || (yesNo && refers)) return null;
  // "Can I get the cheapest light roast?" claims nothing of it.
  const isClaim = yesNo && !/^(?:can|could|may) (?:i|we|you)\b/.test(query.text);
  const claim = isClaim && wishes.at(-1);
  if (claim && claim.at > degree.at) {
    const first = superlative(degree, { ...query, wishes: wishes.slice(0, -1) });
    return merge([holds(first.about, { ...query, wishes: [claim] }, true), first]);
  }
  // "Which recipe uses the hottest water?" is told with the recipe.
  const isTold = fieldOf(degree.scale) === "brewing";
  const rest = isTold ? asks.filter(({ field }) => field !== "brewing") : asks;
  if (yesNo || rest.length === 0) return null;
  const first = superlative(degree, query);
  const beans = all.filter((bean) => first.about.includes(bean));
  const told = lookup({ ...query, asks: rest, beans, wishes: methodsOf(wishes) });
  return told && merge([first, told]);
}
