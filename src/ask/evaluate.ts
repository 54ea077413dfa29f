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
  const reading = { ...whole, asks: whole.asks.filter((ask) => isAsked(ask, whole)) };
  const { wishes, cues, bound, asks } = reading;
  const beans = base(reading, around);
  const mine = wishes.some((wish) => isNamed(wish) || wish.determined)
    ? meant(beans, wishes)
    : beans;
  const computed = comparison(reading, beans, around.beans, mine) ?? ordered(reading, beans);
  if (computed) return computed;
  if (asksWhy(reading)) return why(mine, reading);
  if (cues.has("COUNT")) return count(reading, beans);
  return (
    spokenOf(reading, beans) ??
    verify(reading, beans) ??
    (asks.length > 0 ? lookup(reading, beans, around.live) : null) ??
    (wishes.some((wish) => !isNamed(wish)) || bound
      ? find(reading, beans)
      : plain(reading, beans, around))
  );
}

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
  const { degree, cues, scales } = reading;
  const [scale] = scales;
  if (!cues.has("RANK") || (!degree && scale === undefined))
    return degree && superlative(degree, reading, beans);
  // "From dark to light" tells the order, and wishes nothing.
  const wishes = reading.wishes.filter(
    ({ trait }) => !/^(?:roast|acidity|body)$/.test(trait.dimension),
  );
  return rank(
    degree ?? { scale: scale!, dir: -1, form: "comp", at: 0 },
    { ...reading, wishes },
    beans,
  );
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
  if (cues.has("LIST") && !cues.has("RECOMMEND")) return list(beans, live);
  return cues.has("RECOMMEND") || cues.has("ELSE")
    ? { ...tell(beans, "choose_if"), weak: true }
    : null;
}
