/** Superlatives, rankings and comparisons: computed over every bean in question, their scope said. */
import { display } from "../domain/shared/money.ts";
import type { Field } from "./answer.ts";
import type { Bean, Beans } from "./facts.ts";
import { fitting, meant, methodsOf, refers, wanted } from "./find.ts";
import { brewing } from "./lookup.ts";
import type { Degree, Reading, Wishes } from "./reading.ts";
import { DESCRIBED, namesOf, type Piece, piece, proof, tell, told } from "./say.ts";
import { join, NUMBER_WORDS, upperFirst } from "./text.ts";
import { type Measure, measures, scaleWords } from "./traits.ts";

const isFlat = ({ scale }: Degree): boolean =>
  typeof scale !== "string" || /^(?:price|acidity|body|roast|methods)$/.test(scale);

/** Each bean's best place on the scale, best first; `alike`: by the recipes that all of them have. */
function places(beans: Beans, degree: Degree, wishes: Wishes, alike = false): Measure[] {
  const asked = methodsOf(wishes);
  const [first, ...rest] = beans.map(({ recipes }) => recipes.map(({ family }) => family));
  const shared = (first ?? []).filter((family) => rest.every((other) => other.includes(family)));
  const methods = alike && asked.length === 0 && !isFlat(degree) ? shared : asked;
  const down = (a: Measure, b: Measure) => (b.value - a.value) * degree.dir;
  return beans
    .flatMap((bean) => measures(bean, degree.scale, methods).sort(down).slice(0, 1))
    .sort(down);
}

const factsIn = (found: readonly Measure[]) => found.flatMap(({ facts }) => facts);
const beansIn = (found: readonly Measure[]) => found.map(({ bean }) => bean);
const listed = (found: readonly Measure[]) =>
  join(found.map(({ bean, said }) => `${bean.name} (${said})`));
const unsaid = (words: string) => piece(`Our facts do not say which has the ${words}.`);
const number = (count: number) => NUMBER_WORDS[count] ?? String(count);

/** Who is first, or second, of all that fit; the level ones together. */
export function superlative(degree: Degree, reading: Reading, beans: Beans): Piece {
  const { wishes, cues, bound } = reading;
  const fit = fitting(beans, wishes, bound);
  if (fit.length === 0) return piece(`None of our coffees fits: ${wanted(wishes, bound)}.`);
  const found = places(fit, degree, wishes);
  const skipped = cues.has("THIRD") ? 2 : cues.has("SECOND") ? 1 : 0;
  const best = [...new Set(found.map(({ value }) => value))][skipped];
  const words = scaleWords(degree.scale, degree.dir, "sup");
  // None has the note at all; and how much caffeine there is, nobody wrote down.
  const uncounted =
    typeof degree.scale !== "string" &&
    (degree.scale.dimension === "decaf" ? best !== 0 : degree.dir > 0 && best === 0);
  if (best === undefined || uncounted) return unsaid(words);
  const winners = found.filter(({ value }) => value === best);
  const fits = wanted(wishes, bound);
  const scope =
    fits === ""
      ? `all our ${number(fit.length)} coffees`
      : `the ${number(fit.length)} that fit (${fits})`;
  const silent = fit.length - found.length;
  const note = silent > 0 ? ` Of ${number(silent)} of them our facts do not say.` : "";
  return piece(
    `${["", "Second: ", "Third: "][skipped]}${upperFirst(words)} of ${scope}: ${listed(winners)}.${note}`,
    factsIn(winners),
    beansIn(winners),
  );
}

export function rank(degree: Degree, { wishes, bound, cues }: Reading, beans: Beans): Piece {
  const fit = fitting(beans, wishes, bound);
  const dir = cues.has("DESCENDING") ? 1 : degree.form === "sup" ? degree.dir : -1;
  const found = places(fit, { ...degree, dir }, wishes);
  const words = scaleWords(degree.scale, dir, "sup");
  return found.length === 0
    ? unsaid(words)
    : piece(`${upperFirst(words)} first: ${listed(found)}.`, factsIn(found), fit);
}

/** "Is the decaf the cheapest?": of all that fit besides. */
function claimed(degree: Degree, reading: Reading, beans: Beans, mine: Beans): Piece {
  const first = superlative(
    degree,
    { ...reading, wishes: reading.wishes.filter((wish) => !refers(wish)) },
    beans,
  );
  if (first.about.length === 0) return first;
  const yes = mine.every((bean) => first.about.includes(bean));
  const own = yes ? [] : places(mine, degree, reading.wishes);
  const said = own.length > 0 ? ` ${listed(own)}.` : "";
  return piece(
    `${yes ? "Yes" : "No"}. ${first.text}${said}`,
    [...first.facts, ...factsIn(own)],
    mine,
  );
}

/** Two or more named ones: which has more; or, of `mine`, whether they have more than the others. */
function contrast(degree: Degree, beans: Beans, wishes: Wishes, mine: Beans | null): Piece {
  const found = places(beans, degree, wishes, true);
  const words = scaleWords(degree.scale, degree.dir, "comp");
  const [first, ...rest] = found;
  if (found.length < beans.length || !first)
    return piece(`Our facts do not say which of ${namesOf(beans)} has ${words}.`, [], beans);
  const [ours, others] = [
    found.filter(({ bean }) => mine?.includes(bean)),
    found.filter(({ bean }) => !mine?.includes(bean)),
  ];
  const beats = ours.every((one) =>
    others.every((other) => (one.value - other.value) * degree.dir > 0),
  );
  const yes = mine === null ? "" : beats ? "Yes. " : "No. ";
  const apart = Math.abs(first.value - rest[0]!.value);
  const level =
    apart === 0
      ? `Our facts put them level: ${listed(found)}.`
      : `${upperFirst(words)}: ${listed([first])}; after it ${listed(rest)}.`;
  const difference =
    degree.scale === "price" && apart > 0 ? ` The difference is ${display(apart)}.` : "";
  return piece(`${yes}${level}${difference}`, factsIn(found), mine === null ? [first.bean] : beans);
}

/** All that have less, or more, than a named one. */
function beyond(degree: Degree, { wishes, bound, than }: Reading, beans: Beans, mark: Bean): Piece {
  const filters = wishes.filter(({ at }) => at < than);
  const [its] = places([mark], degree, wishes);
  if (!its) return unsaid(scaleWords(degree.scale, degree.dir, "sup"));
  const others = fitting(beans, filters, bound).filter((bean) => bean !== mark);
  const found = places(others, degree, filters).filter(
    ({ value }) => (value - its.value) * degree.dir > 0,
  );
  const words = `${scaleWords(degree.scale, degree.dir, "comp")} than ${mark.name} (${its.said})`;
  if (found.length === 0) return piece(`None of our coffees has ${words}.`, its.facts, [mark]);
  return piece(`${upperFirst(words)}: ${listed(found)}.`, factsIn([...found, its]), beansIn(found));
}

/** Field by field, with the methods they share. */
function differences(beans: Beans, asked: readonly Field[]): Piece {
  const fields = asked.length > 0 ? asked : [...DESCRIBED, "price_minor" as const];
  const parts = fields.map(
    (field) => `${beans.map((bean) => `${bean.name}: ${told(bean, field)}`).join("; ")}.`,
  );
  const [first, ...rest] = beans;
  const shared = first!.recipes.filter(({ family }) =>
    rest.every(({ recipes }) => recipes.some((one) => one.family === family)),
  );
  const common =
    shared.length > 0
      ? `Recipes in common: ${join(shared.map(({ method }) => method))}.`
      : "They have no brewing method in common.";
  return piece(
    [...parts, ...(asked.length > 0 ? [] : [common])].join(" "),
    beans.flatMap((bean) => fields.flatMap((field) => proof(bean, field))),
    beans,
  );
}

/** Null where nothing is set beside anything. */
export function comparison(reading: Reading, beans: Beans, all: Beans, mine: Beans): Piece | null {
  const { wishes, degree, than, cues, asks, yesNo } = reading;
  const of = (some: Wishes) =>
    some.length === 0 ? [] : some.every(refers) ? meant(all, some) : fitting(all, some);
  const right = of(wishes.filter(({ at, trait }) => at > than && trait.dimension !== "method"));
  const rest = cues.has("REST") && right.length === 0;
  if (degree && than >= 0 && (right.length > 0 || rest)) {
    const said = of(wishes.filter((wish) => wish.at < than && (refers(wish) || wish.determined)));
    const left = said.length === 0 && yesNo && cues.has("IT") ? beans : said;
    const others = rest ? all.filter((bean) => !left.includes(bean)) : right;
    if (left.length > 0 && (yesNo || left.length === 1))
      return contrast(degree, [...new Set([...left, ...others])], wishes, yesNo ? left : null);
    return others.length === 1 ? beyond(degree, reading, all, others[0]!) : null;
  }
  const some = wishes.some(refers) ? meant(beans, wishes) : [];
  const few = some.length > 1 && some.length < all.length;
  if (few && degree?.form === "comp" && wishes.filter(refers).length > 1)
    return contrast(degree, some, wishes, null);
  if (few && cues.has("COMPARE") && !degree) {
    if (methodsOf(wishes).length > 0) return brewing(some, reading, true);
    const scale = asks.find(({ param }) => param !== undefined)?.param;
    return scale
      ? contrast({ scale, dir: 1, form: "comp", at: 0 }, some, wishes, null)
      : differences(
          some,
          asks.map(({ field }) => field),
        );
  }
  if (!degree || mine.length === beans.length || !wishes.some(refers)) return null;
  if (degree.form === "sup") return yesNo ? claimed(degree, reading, beans, mine) : null;
  const field =
    typeof degree.scale !== "string"
      ? "tasting_notes"
      : degree.scale === "price"
        ? "price_minor"
        : "roast";
  return mine.length === 1 ? tell(mine, field) : null;
}
