/** Answers about beans the question names. */
import type { Product } from "../domain/catalog/catalog.ts";
import type { Subject } from "./answer.ts";
import { check, compareBy } from "./compare.ts";
import { catalogValue, describe, nameOf, overview, type Piece, piece, recipe } from "./describe.ts";
import { recommend } from "./recommend.ts";
import type { Settled } from "./settle.ts";
import { join, lowerFirst } from "./text.ts";
import { holds, score } from "./traits.ts";
import { brewAdvice } from "./wishes.ts";

export function aboutBeans(
  beans: readonly Product[],
  all: readonly Product[],
  asked: Settled,
): Piece[] {
  const wishes = { traits: asked.traits, flavours: asked.flavours, methods: [] };
  const tasteful = asked.traits.length + asked.flavours.length > 0;
  if (tasteful && beans.length === 1 && asked.cues.has("THAN"))
    return moreThan(beans[0]!, all, asked);
  const pieces = [
    ...verified(beans, asked),
    ...(tasteful && beans.length > 1 ? compareBy(beans, wishes) : []),
    ...(tasteful && beans.length === 1 ? check(beans[0]!, wishes, asked.yesNo) : []),
    ...asked.methods.flatMap((method) => brewed(beans, all, method, asked.yesNo)),
    piece(sameness(beans, asked)),
    ...asked.subjects.flatMap((subject) => beans.map((bean) => describe(bean, subject))),
    ...(asked.decaf && asked.subjects.includes("decaf") ? ourDecaf(beans, all) : []),
  ];
  if (pieces.some(({ text }) => text !== "")) return pieces;
  if (asked.topics.length > 0 && !asked.cues.has("ABOUT")) return [];
  if (beans.length === 1) return [overview(beans[0]!)];
  return sideBySide(beans, asked);
}

/** Who asks whether a bean is a decaf, and it is not, wants to know which one is. */
function ourDecaf(beans: readonly Product[], all: readonly Product[]): Piece[] {
  const decaf = all.find((product) => product.decaf && !beans.includes(product));
  if (!decaf) return [];
  return [piece(`Our decaf is ${nameOf(decaf)}.`, describe(decaf, "decaf").facts)];
}

/** "Something fruitier than the Colombia": the others that are. */
function moreThan(bean: Product, all: readonly Product[], asked: Settled): Piece[] {
  const others = all.filter(
    (other) =>
      other !== bean &&
      asked.traits.every(({ trait, wanted }) => {
        const more = score(other, trait) - score(bean, trait);
        return wanted ? more > 0 : more < 0;
      }),
  );
  if (others.length === 0)
    return [piece("None of our other coffees is."), describe(bean, "tasting_notes")];
  return recommend(others, asked, { decafWelcome: false, superlative: false, subjects: [] });
}

/** "Is the Guji washed?", "washed Ethiopian?"; but "washed or natural?" wants the value, no yes. */
function verified(beans: readonly Product[], { values, yesNo }: Settled): Piece[] {
  return values.flatMap(({ value }, index) => {
    const kin = values.filter((other) => other.value.field === value.field);
    if (kin.length > 1 && kin[0] !== values[index]) return [];
    return beans.map((bean) => {
      const { text, facts } = describe(bean, value.field);
      const yes = holds(bean, value);
      if (kin.length > 1 || beans.length > 1 || (yes && !yesNo)) return piece(text, facts);
      const said = text.startsWith(nameOf(bean)) ? text : lowerFirst(text);
      return piece(`${yes ? "Yes" : "No"}: ${said}`, facts);
    });
  });
}

/** "Do they share the same process?" */
function sameness(beans: readonly Product[], asked: Settled): string {
  const [subject, another] = asked.subjects;
  if (beans.length < 2 || !subject || another || !asked.words.some((w) => ALIKE.test(w))) return "";
  const values = new Set(beans.map((bean) => comparable(bean, subject)));
  return values.size === 1 ? "Yes, the same." : "No, not the same.";
}

const ALIKE = /^(same|share|shared|alike|identical)$/;

const comparable = (bean: Product, subject: Subject): string =>
  subject === "roast"
    ? bean.roast_level
    : catalogValue(bean, subject === "origin" ? "country" : subject);

function brewed(
  beans: readonly Product[],
  all: readonly Product[],
  method: string,
  yesNo: boolean,
): Piece[] {
  const told = beans.flatMap((bean) => {
    const advice = brewAdvice(bean, method);
    return advice ? [recipe(bean, advice)] : [];
  });
  const without = beans.filter((bean) => !brewAdvice(bean, method));
  const yes = yesNo && beans.length === 1 && told.length > 0 ? "Yes." : "";
  return [
    piece(yes),
    ...told,
    ...without.map((bean) => notBrewed(bean, told.length > 0 ? [] : all, method)),
  ];
}

/** No advice is no verdict: says what there is, and which other bean has some. */
function notBrewed(bean: Product, all: readonly Product[], method: string): Piece {
  const others = all.filter((other) => other !== bean && brewAdvice(other, method));
  const known = bean.facts.brewing.map((one) => lowerFirst(one.method));
  const { facts } = describe(bean, "brewing");
  const text =
    `For ${nameOf(bean)} we have no advice for that method; there is advice for ${join(known)}.` +
    (others.length > 0 ? ` For that method we suggest ${join(others.map(nameOf), "or")}.` : "");
  return piece(text, facts);
}

/** "What is the difference between": roast, process and notes of each, and whom it suits. */
function sideBySide(beans: readonly Product[], asked: Settled): Piece[] {
  const wanted = asked.cues.has("RECOMMEND") || asked.better;
  return beans.map((bean) => {
    const { facts } = bean;
    const parts = (["process", "roast", "tasting_notes"] as const).map((s) => describe(bean, s));
    const choose = describe(bean, "choose_if");
    const text =
      `${nameOf(bean)}: ${lowerFirst(facts.process)}; ${lowerFirst(facts.roast)}; ` +
      `${join(facts.tasting_notes)}.`;
    return piece(wanted ? `${text} ${choose.text}` : text, [
      ...parts.flatMap((part) => part.facts),
      ...(wanted ? choose.facts : []),
    ]);
  });
}
