/** Answers about beans the question names. */
import type { Product } from "../catalog.ts";
import { describe, nameOf, overview, type Piece, piece, recipe } from "./describe.ts";
import { brewAdvice, check, compareBy, recommend } from "./pick.ts";
import type { Settled } from "./settle.ts";
import { join, lowerFirst } from "./text.ts";
import { holds, score } from "./traits.ts";
import type { Value } from "./vocabulary/fields.ts";

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
    ...asked.values.flatMap(({ value }) => beans.map((bean) => verify(bean, value, asked.yesNo))),
    ...(tasteful && beans.length > 1 ? compareBy(beans, wishes) : []),
    ...(tasteful && beans.length === 1 ? check(beans[0]!, wishes, asked.yesNo) : []),
    ...asked.methods.flatMap((method) => brewed(beans, all, method, asked.yesNo)),
    ...asked.subjects.flatMap((subject) => beans.map((bean) => describe(bean, subject))),
    ...(asked.decaf && asked.subjects.includes("decaf") ? ourDecaf(beans, all) : []),
  ];
  if (pieces.length > 0) return pieces;
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
  return recommend(others, asked, { decafWelcome: false, superlative: false });
}

/** "Is the Guji washed?" */
function verify(bean: Product, value: Value, yesNo: boolean): Piece {
  const { text, facts } = describe(bean, value.field);
  if (!yesNo) return piece(text, facts);
  return piece(`${holds(bean, value) ? "Yes" : "No"}: ${lowerFirstName(text, bean)}`, facts);
}

const lowerFirstName = (text: string, bean: Product) =>
  text.startsWith(nameOf(bean)) ? text : lowerFirst(text);

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
