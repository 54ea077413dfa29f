/** Beans set beside each other on a scale: rankings and comparisons. */
import { numberOf } from "./amounts.ts";
import { beside, beyond, differing, several } from "./beside.ts";
import type { Query } from "./evaluate.ts";
import { type Beans, fieldOf } from "./facts.ts";
import { claimed, fitting, spoken, wanted } from "./find.ts";
import { LIKED } from "./likeness.ts";
import type { Wishes } from "./reading.ts";
import { DESCRIBED, merge, rows, type Statement, say, sentence, tell } from "./say.ts";
import { headed, inWords, none, places, superlative } from "./superlative.ts";
import { find, holds } from "./verify.ts";

/** Null where nothing is set in an order. */
export function ordered(query: Query): Statement | null {
  const { degree, cues, scales, wishes, than, yesNo, beans, subjects, all } = query;
  // Nothing is set beside a bean that we do not have.
  const strange = wishes.filter(({ refers, trait }) => refers && trait.has.size === 0);
  if (degree && strange.length > 0) return none(wanted(strange));
  const both = several(query);
  const compared = both ?? comparison(query);
  // "At least $3 cheaper?" tells the difference; "darker than the Huila, but lighter than a French
  // roast" is read by half: to neither a yes is said.
  const isOpen = query.money !== null || (!both && query.yardsticks.length > 1);
  if (compared) return isOpen ? { ...compared, verdict: undefined } : compared;
  // "Compare them by price, roast and acidity."
  if (wishes.length === 0 && cues.has("COMPARE") && new Set(scales).size > 1)
    return inTurn(beans, query);
  const ranking = ranked(query);
  if (ranking || !degree) return ranking;
  if (degree.form === "sup" || !yesNo) return superlative(degree, query);
  // "Is light roast stronger?", "is it darker than the cheapest?": no bean that it is set beside.
  if (subjects.length < beans.length) {
    // "More floral than fruity": both stand in the same facts.
    if (than >= 0 || query.yardsticks.length > 1)
      return say("", rows(subjects, fieldOf(degree.scale)), { full: true });
    // "What is the Huila? And is the Guji cheaper?"
    const others = query.before.filter((bean) => !subjects.includes(bean));
    if (others.length === 1) return beside(degree, [...subjects, ...others], wishes, subjects);
  }
  // "Is it more fruity?" of one: whether it is.
  if (typeof degree.scale !== "string" && subjects.length < all.length) {
    const claims = wishes.filter(({ refers }) => !refers);
    const claim = claimed(degree.scale, true);
    return holds(subjects, { ...query, wishes: [...claims, claim] }, true);
  }
  return fitting(beans, wishes).length > 0
    ? sentence("Our facts do not say: it is not told than what.")
    : superlative(degree, query);
}

/** All in an order: "rank them by price", "from dark to light", "the top three". */
function ranked({ degree, cues, scales, wishes, beans, said, text }: Query): Statement | null {
  const by = /\bby (?:the |their )?price\b/.test(text) ? "price" : undefined;
  const scale = by ?? scales[0];
  const isAsked = cues.has("RANK") || (cues.has("COMPARE") && wishes.length === 0);
  if (scale === undefined || !isAsked) return null;
  // "From dark to light" tells the order, and wishes nothing.
  const rest = wishes.filter(({ trait }) => by || !/^(?:roast|acidity|body)$/.test(trait.kind));
  // Of notes, and of a "top three", those that have most.
  const usual = typeof scale !== "string" || said.includes("top") ? 1 : -1;
  const told = degree?.form === "sup" ? degree.dir : usual;
  const own = cues.has("ASCENDING") ? -1 : told;
  const order = { scale, dir: cues.has("DESCENDING") ? 1 : own, form: "sup" } as const;
  // "The top 3", "the two cheapest".
  const counted = [said.indexOf("top") + 1, (degree?.at ?? 0) - 1];
  const count = counted.map((at) => numberOf(said[at] ?? "")).find(Boolean);
  const found = places(fitting(beans, rest), order, rest).slice(0, count);
  const list = say(headed(`${inWords(order)} first`, wanted(rest)), found);
  const isApart = scale === "price" && said.includes("difference");
  return isApart ? merge([list, differing(found[0]!.value - found.at(-1)!.value)]) : list;
}

const BETWEEN =
  /^(?!.*\b(?:differ|compar|choose|decide)).*\b(?:which|what|something|anything|coffee|bean)\b.*\bbetween\b/;

/** Null where nothing is set beside anything. */
function comparison(query: Query): Statement | null {
  const { wishes, degree, mark, than, cues, asks, yesNo, beans, all, subjects, before } = query;
  const of = (some: Wishes) => (some.length === 0 ? [] : fitting(all, some));
  const after = wishes.filter(({ at }) => at > than);
  const first = mark && superlative(mark, { ...query, beans: all, wishes: after });
  const right = first?.about ?? of(after.filter(({ refers }) => refers));
  const rest = cues.has("REST");
  if (degree && than >= 0 && (right.length > 0 || rest)) {
    const compared = wishes.filter(({ at }) => at < than);
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
  // "Which is the most expensive: three Huila or one Guji?"
  const areSums = degree?.scale === "price" && wishes.some(({ bags }) => bags !== null && bags > 1);
  if (few && degree && (degree.form === "comp" || areSums) && referring.length > 1)
    return beside({ ...degree, form: "comp" }, some, wishes);
  // "What is between the Huila and the Geisha in price?"
  const [scale] = query.scales;
  if (few && !degree && scale && BETWEEN.test(query.text)) {
    const [low, high] = places(some, { scale, dir: -1, form: "comp" }, []);
    const above = { order: { scale, dir: 1, form: "comp" }, mark: low!.bean } as const;
    const below = { order: { scale, dir: -1, form: "comp" }, mark: high!.bean } as const;
    if (some.length === 2) return beyond(query, [above, below]);
  }
  if (few && cues.has("COMPARE") && !degree) return inTurn(some, query);
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
  const { asks, wishes, live } = query;
  const asked = asks.map(({ field }) => field);
  const scale = asks.find(({ param }) => param !== undefined)?.param;
  if (scale && new Set(asked).size === 1)
    return beside({ scale, dir: scale === "price" ? -1 : 1, form: "comp" }, some, wishes);
  const fields = asked.length > 0 ? asked : ([...DESCRIBED, "price_minor", "brewing"] as const);
  const told = fields.map((field) => tell(some, field, live));
  const claims = wishes.filter(({ trait }) => /^(?:text|method)$/.test(trait.kind));
  return merge(
    claims.length > 0 ? [find({ ...query, beans: some, wishes: claims }), ...told] : told,
  );
}
