/** What kind of question a part is, and its answer. */
import type { Live } from "./answer.ts";
import { comparison, rank, superlative } from "./compare.ts";
import type { Beans } from "./facts.ts";
import { find, fitting, isNamed, meant, refers } from "./find.ts";
import { count, list, lookup } from "./lookup.ts";
import type { Reading } from "./reading.ts";
import { describe, merge, type Piece, piece, tell } from "./say.ts";
import { verify } from "./verify.ts";

export interface Around {
  beans: Beans;
  /** What the part before was about. */
  before: Beans;
  live: Live;
}

/** Null where the part has nothing that could be answered. */
export function evaluate(whole: Reading, around: Around): Piece | null {
  const limit = whole.degree?.form === "comp" && whole.degree.scale === whole.bound?.scale;
  // "More expensive than $20" is a limit.
  const degree = limit ? null : whole.degree;
  const reading = { ...whole, degree, asks: whole.asks.filter((ask) => isAsked(ask, whole)) };
  const { wishes, cues, bound, asks } = reading;
  const beans = base(reading, around);
  const mine = wishes.some((wish) => isNamed(wish) || wish.determined)
    ? meant(beans, wishes)
    : beans;
  const computed = comparison(reading, beans, around.beans, mine) ?? ordered(reading, beans);
  if (computed) return computed;
  if (asksWhy(reading)) return why(mine, reading);
  if (cues.has("COUNT") && (wishes.length > 0 || bound || COUNTED.test(reading.said.join(" "))))
    return count(reading, beans);
  return (
    spokenOf(reading, beans) ??
    verify(reading, beans) ??
    (asks.length > 0 ? lookup(reading, beans, around.live) : null) ??
    (wishes.some((wish) => !isNamed(wish)) || bound
      ? find(reading, beans)
      : plain(reading, beans, around))
  );
}

const COUNTED =
  /(?:how many|number of) (?:different |kind of |type of |of your |of them )?(?:coffee|bean|product|option|one|kind|type|sort)/;

/** Whom something suits is asked of a bean; "can I get … for $23" asks for no stock. */
const isAsked = ({ field, param }: Reading["asks"][number], { wishes, bound }: Reading): boolean =>
  field === "choose_if"
    ? wishes.some(refers)
    : bound === null || (param !== bound.scale && field !== "availability");

/** Over which beans the part speaks: all, or those of the part before. */
function base({ wishes, cues, asks, degree }: Reading, { beans, before }: Around): Beans {
  if (cues.has("ELSE")) return beans.filter((bean) => !before.includes(bean));
  if (before.length === 0 || wishes.some(isNamed)) return beans;
  const bare =
    wishes.length === 0 && !degree && asks.length > 0 && !cues.has("LIST") && !cues.has("ALL");
  return cues.has("IT") || bare ? before : beans;
}

function ordered(reading: Reading, beans: Beans): Piece | null {
  const { degree, cues, scales, wishes, than, yesNo } = reading;
  const scale = degree?.scale ?? scales[0];
  if (scale !== undefined && (cues.has("RANK") || (cues.has("COMPARE") && wishes.length === 0))) {
    // "From dark to light" tells the order, and wishes nothing.
    const rest = wishes.filter(({ trait }) => !/^(?:roast|acidity|body)$/.test(trait.dimension));
    return rank(
      degree ?? { scale, dir: -1, form: "comp", at: 0 },
      { ...reading, wishes: rest },
      beans,
    );
  }
  // "Is light roast stronger?" names nothing to be stronger than.
  if (degree?.form === "comp" && yesNo && than < 0)
    return piece("Our facts do not say: it is not told than what.");
  return degree && superlative(degree, reading, beans);
}

const asksWhy = ({ said, wishes }: Reading): boolean =>
  said.includes("why") && wishes.every(({ trait }) => trait.dimension !== "availability");

function why(mine: Beans, { scales }: Reading): Piece {
  const unsaid = piece("Our facts do not say why.", [], mine.length === 1 ? mine : []);
  return scales.includes("price") && mine.length === 1
    ? merge([unsaid, tell(mine, "price_minor")])
    : unsaid;
}

/** "Tell me about the Huila", and a name in a statement. */
function spokenOf({ wishes, cues, question, asks }: Reading, beans: Beans): Piece | null {
  if (
    !wishes.some(refers) ||
    !(cues.has("ABOUT") || (!question && asks.length === 0 && wishes.some(isNamed)))
  )
    return null;
  const spoken = fitting(
    meant(beans, wishes),
    wishes.filter((wish) => !refers(wish)),
  );
  return spoken.length > 0 ? { ...merge(spoken.map(describe)), weak: !cues.has("ABOUT") } : null;
}

/** A name alone, or no wish at all. */
function plain({ wishes, cues, said }: Reading, beans: Beans, { live }: Around): Piece | null {
  if (wishes.length > 0)
    return said.includes("who")
      ? tell(meant(beans, wishes), "choose_if")
      : merge(meant(beans, wishes).map(describe));
  if ((cues.has("LIST") && !cues.has("RECOMMEND")) || cues.has("COMPARE")) return list(beans, live);
  return cues.has("RECOMMEND") || cues.has("ELSE")
    ? { ...tell(beans, "choose_if"), weak: true }
    : null;
}
