/** From a reading of the question to the answer: the order in which things are looked at. */
import type { Catalog } from "../domain/catalog/catalog.ts";
import { aboutAll } from "./about-all.ts";
import { aboutBeans } from "./about-beans.ts";
import type { Answer, DeclineReason, Fact } from "./answer.ts";
import { describe, nameOf, type Piece, piece } from "./describe.ts";
import type { Settled } from "./settle.ts";
import { join } from "./text.ts";
import { DECLINE_SAYS } from "./vocabulary/declines.ts";
import { TOPICS } from "./vocabulary/topics.ts";
import { factsOf, hasWishes } from "./wishes.ts";

/** The last resort when no word was understood: a search over the facts. */
export type Search = (words: readonly string[]) => Piece[];

const ASK_ME =
  "Ask me about origin, process, variety, roast, tasting notes or brewing of any of our coffees";

/** Reasons that rule the whole question out; beside the others the rest of it is still answered. */
const WHOLLY: readonly DeclineReason[] = ["KEY_REQUEST", "CODES", "PROMPT_INJECTION", "OFF_TOPIC"];

export function reply(catalog: Catalog, asked: Settled, search: Search): Answer {
  if (asked.declines.length > 0) return decline(catalog, asked);
  const pieces = [...elsewhere(catalog, asked), ...body(catalog, asked), ...topics(asked)];
  if (pieces.length > 0) return answerOf(catalog, pieces);
  if (asked.cues.has("GREETING")) return answerOf(catalog, [piece("Hello!"), help(catalog)]);
  if (asked.unread.length === 0) return answerOf(catalog, [help(catalog)]);
  const found = search(asked.unread);
  return answerOf(catalog, found.length > 0 ? found : [unknown(catalog)]);
}

function answerOf(catalog: Catalog, pieces: readonly Piece[], declined?: DeclineReason): Answer {
  const texts = pieces.map((one) => one.text).filter((one) => one !== "");
  const text = withPronouns(texts, catalog.products.map(nameOf)).join(" ");
  const facts = unique(factsOf(pieces));
  return declined ? { answer: text, facts, declined } : { answer: text, facts };
}

/** A bean named in the piece before, and alone there, is "it" in the next. */
function withPronouns(texts: readonly string[], names: readonly string[]): string[] {
  return texts.map((text, index) => {
    const before = texts[index - 1] ?? "";
    const named = names.filter((name) => before.includes(name));
    const [name] = named;
    if (named.length !== 1 || name === undefined) return text;
    if (text.startsWith(`Choose ${name} `)) return `Choose it${text.slice(7 + name.length)}`;
    return text.startsWith(`${name} `) ? `It${text.slice(name.length)}` : text;
  });
}

function unique(facts: readonly Fact[]): Fact[] {
  const seen = new Map(facts.map((one) => [`${one.product_id}\n${one.field}\n${one.value}`, one]));
  return [...seen.values()];
}

function decline(catalog: Catalog, asked: Settled): Answer {
  const [reason, ...others] = asked.declines;
  const alone = asked.declines.some((one) => WHOLLY.includes(one));
  const said = alone ? [reason!] : [reason!, ...others];
  const rest = alone || !asked.specific ? [] : body(catalog, asked);
  return answerOf(
    catalog,
    [
      ...said.map((one) => piece(DECLINE_SAYS[one])),
      ...(rest.length > 0 ? rest : [piece(`${ASK_ME}.`)]),
    ],
    reason,
  );
}

function body(catalog: Catalog, asked: Settled): Piece[] {
  const all = catalog.products.filter(({ product_id }) => !asked.unwanted.includes(product_id));
  const beans = asked.beans.flatMap((id) => catalog.find(id) ?? []);
  if (beans.length > 0) return aboutBeans(beans, all, asked);
  if (asked.elsewhere.length === 0 || hasWishes(asked)) return aboutAll(all, asked);
  // "Yirgacheffe's process?": of the next best thing, the other beans of that country.
  const near = all.filter(({ product_id }) =>
    asked.elsewhere.some((place) => place.near.includes(product_id)),
  );
  const wanted = asked.subjects.some((subject) => subject !== "origin");
  return near.length > 0 && wanted ? aboutBeans(near, all, asked) : [];
}

/** A coffee place nothing here comes from: said plainly, with what there is. */
function elsewhere(catalog: Catalog, asked: Settled): Piece[] {
  return asked.elsewhere.map(({ place, near }) => {
    const beans = catalog.products.filter(({ product_id }) => {
      return near.length === 0 || near.includes(product_id);
    });
    const told = beans.map((product) => describe(product, "origin"));
    const nothing = `None of our coffees is listed as coming from ${place}.`;
    if (near.length > 0)
      return piece([nothing, ...told.map((t) => t.text)].join(" "), factsOf(told));
    return piece(`${nothing} We have ${join(beans.map(nameOf))}.`, factsOf(told));
  });
}

const topics = (asked: Settled): Piece[] => asked.topics.map((topic) => piece(TOPICS[topic].says));

const help = (catalog: Catalog): Piece =>
  piece(`${ASK_ME}: ${join(catalog.products.map(nameOf))}.`);

const unknown = (catalog: Catalog): Piece =>
  piece(
    `I did not find that in our catalog's facts, so I cannot say. ${ASK_ME}, in English: ` +
      `${join(catalog.products.map(nameOf))}.`,
  );
