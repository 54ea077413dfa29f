/** Whether something is so: of named beans, of all, of none, of one only. Three-valued. */
import type { Bean, Beans } from "./facts.ts";
import { fitting, isNamed, meant, refers, type Truth, truth } from "./find.ts";
import type { Reading, Wish, Wishes } from "./reading.ts";
import { merge, type Piece, piece, proof, shown, tell, told, wishWords } from "./say.ts";
import { lowerFirst } from "./text.ts";
import { FIELD_OF } from "./traits.ts";

/** Null where the part claims nothing. */
export function verify(reading: Reading, beans: Beans): Piece | null {
  const { cues, yesNo, question, bound } = reading;
  const { subject, predicate } = divide(reading);
  if (predicate.length === 0 && !bound) return null;
  if (subject.length === 0) {
    const few = cues.has("IT") && beans.length <= 3;
    if (cues.has("NONE")) return existence(predicate, beans, true);
    if (yesNo && (few || cues.has("ALL") || cues.has("BOTH"))) return holds(beans, predicate, few);
    return yesNo && bound === null ? existence(predicate, beans, false) : null;
  }
  const mine = subject.every(refers) ? meant(beans, subject) : fitting(beans, subject);
  if (cues.has("ONLY") && question && predicate.length > 0) return only(mine, predicate, beans);
  const claims = yesNo || (subject.some(isNamed) && (!question || isClaim(reading)));
  if (mine.length === 0 || !claims) return null;
  if (!bound) return holds(mine, predicate, true);
  const so = fitting(mine, predicate, bound).length === mine.length;
  return merge([
    piece(so ? "Yes." : "No."),
    tell(mine, bound.scale === "price" ? "price_minor" : "brewing"),
  ]);
}

/** "Guji washed?" "what about the Huila with milk?" */
const isClaim = ({ said, asks }: Reading): boolean =>
  asks.length === 0 && !said.some((word) => /^(?:how|where|who|why|which)$/.test(word));

/** Those something is said of, and what is: "the Chiapas decaf | washed", "the decaf | Colombian". */
function divide({ wishes, yesNo }: Reading): { subject: Wish[]; predicate: Wish[] } {
  const [first, ...rest] = wishes;
  const spoken = first && yesNo && refers(first) && (first.determined || rest.length > 0);
  const kind = first && yesNo && !first.not && first.determined && rest.length > 0;
  if (!first || !(isNamed(first) || spoken || kind)) {
    return { subject: wishes.filter(isNamed), predicate: wishes.filter((one) => !isNamed(one)) };
  }
  const goesOn = (wish: Wish, at: number) =>
    refers(wish) &&
    (isNamed(wish) || wish.determined || !yesNo || wish.at === (rest[at - 1] ?? first).at + 1);
  const ends = rest.findIndex((wish, at) => !goesOn(wish, at));
  const end = ends < 0 ? rest.length : ends;
  // "… washed like the Huila": a further name is no claim.
  const [subject, predicate] = [
    [first, ...rest.slice(0, end)],
    rest.slice(end).filter((one) => !isNamed(one)),
  ];
  const last = subject.at(-1)!;
  const claimed = yesNo && predicate.length === 0 && end > 0 && !last.joined && !isNamed(last);
  return claimed ? { subject: subject.slice(0, -1), predicate: [last] } : { subject, predicate };
}

function overall(bean: Bean, predicate: Wishes): Truth {
  const states = predicate.map((wish) => truth(bean, wish));
  const decisive = predicate.some(({ or }) => or) ? "yes" : "no";
  if (states.includes(decisive)) return decisive;
  return states.includes("unsaid") ? "unsaid" : states[0]!;
}

/** Of each bean; of many only those against it. */
function holds(beans: Beans, predicate: Wishes, each: boolean): Piece {
  const states = beans.map((bean) => ({
    bean,
    is: overall(bean, predicate),
    ...evidence(bean, predicate),
  }));
  const worst = (["no", "unsaid", "yes"] as const).find((is) =>
    states.some((one) => one.is === is),
  )!;
  // "Natural or washed?" asks which.
  const either =
    worst === "yes" && predicate.length > 1 && predicate.slice(1).every(({ or }) => or);
  const head = either ? "" : { no: "No", unsaid: "Our facts do not say", yes: "Yes" }[worst];
  const told =
    each || beans.length <= 3 ? states : states.filter(({ is }) => is === worst && is !== "yes");
  const all =
    told === states
      ? ""
      : worst === "yes"
        ? `, all ${beans.length}: ${wishWords(predicate)}`
        : ", not all";
  const text = [`${head}${all}`, told.map((one) => one.text).join("; ")]
    .filter((one) => one !== "")
    .join(": ");
  return piece(
    `${text}.`,
    (told.length > 0 ? told : states).flatMap(({ facts }) => facts),
    told.length > 0 ? told.map(({ bean }) => bean) : beans,
  );
}

/** What the catalog says of the bean on the very matter. */
function evidence(bean: Bean, predicate: Wishes) {
  const parts = predicate.map(({ trait: { dimension, label, has } }) => {
    const [field, own] = [FIELD_OF[dimension], has.get(bean.id)];
    const values = own?.map(({ value }) => lowerFirst(value).replace(/\.$/, "")).join(", ");
    if (own && dimension !== "decaf") return { text: values, facts: own };
    const lacks =
      dimension === "method"
        ? `our facts have no ${label} for it, but `
        : field === "tasting_notes"
          ? "tastes of "
          : "";
    return { text: `${lacks}${told(bean, field)}`, facts: proof(bean, field) };
  });
  const texts = new Set(parts.map(({ text }) => text));
  return {
    text: `${bean.name}: ${[...texts].join("; ")}`,
    facts: parts.flatMap(({ facts }) => facts),
  };
}

/** Whether any bean is so, or, asked so, none. */
function existence(predicate: Wishes, beans: Beans, none: boolean): Piece {
  const fit = fitting(beans, predicate);
  const { text, facts } = shown(fit, predicate);
  const label = wishWords(predicate);
  const yes = (fit.length === 0) === none ? "Yes" : "No";
  return piece(
    fit.length > 0 ? `${yes}: ${label}: ${text}.` : `${yes}, none of our coffees fits: ${label}.`,
    facts,
    fit,
  );
}

function only(mine: Beans, predicate: Wishes, beans: Beans): Piece {
  const fit = fitting(beans, predicate);
  const { text, facts } = shown(fit, predicate);
  const same = fit.length === mine.length && fit.every((bean) => mine.includes(bean));
  return piece(
    `${same ? "Yes, only" : "No"}: ${wishWords(predicate)}: ${text || "none of our coffees"}.`,
    facts,
    fit,
  );
}
