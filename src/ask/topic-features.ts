/** A question as the model of topics reads it: its words, some by their kind, and pairs of neighbours. */
import { US_REGIONS } from "../core/us-regions.ts";
import type { Lexicon } from "./lexicon.ts";
import { phrase, singular } from "./text.ts";

/** A word as the model reads it: what is one of many of its kind stands as that kind. */
export type Read = Readonly<{ word: string; as: string }>;

const KINDS: Readonly<Record<string, string>> = {
  bean: "BEAN",
  note: "NOTE",
  origin: "PLACE",
  process: "PROCESS",
  varieties: "PROCESS",
  method: "METHOD",
};

const NUMBERS: readonly [RegExp, string][] = [
  [/^\$/, "MONEY"],
  [/^\d{5}$/, "ZIP"],
  [/^\d/, "NUMBER"],
];

/** Of the US, by their names. */
export const STATES = new Set(Object.values(US_REGIONS).map(phrase));

/** `isKnown`: what the model has met, or a dictionary; other words are names, of a town or a friend. */
export function readWords(
  text: string,
  lexicon: Lexicon,
  isKnown: (word: string) => boolean,
): Read[] {
  const words = text.match(/\$?\d[\d.,%]*|\p{L}[\p{L}\d]*/gu) ?? [];
  const said = words.map(singular);
  const read: Read[] = [];
  for (let at = 0; at < said.length; ) {
    const { as, length } = kindAt(said, at, lexicon) ?? {
      as: isKnown(said[at]!) ? said[at]! : "NAME",
      length: 1,
    };
    read.push({ word: words.slice(at, at + length).join(" "), as });
    at += length;
  }
  return read;
}

/** The kind of thing that is said here, and in how many words. */
function kindAt(said: readonly string[], at: number, lexicon: Lexicon) {
  const number = NUMBERS.find(([pattern]) => pattern.test(said[at]!))?.[1];
  if (number) return { as: number, length: 1 };
  const state = [3, 2, 1].find((length) => STATES.has(said.slice(at, at + length).join(" ")));
  if (state) return { as: "STATE", length: state };
  const met = lexicon.match(said, at);
  const kind = KINDS[met?.concept.trait?.kind ?? ""];
  return met && kind ? { as: kind, length: met.length } : null;
}

/** Each word, its first four and five letters, and each pair of neighbours; "^" and "$" are the ends. */
export function featuresOf(read: readonly Read[]): string[] {
  const said = ["^", ...read.map(({ as }) => as), "$"];
  const begun = said.flatMap((word) =>
    /^[a-z]{5}/.test(word) ? [4, 5].map((length) => `${word.slice(0, length)}*`) : [],
  );
  const pairs = said.slice(1).map((word, at) => `${said[at]} ${word}`);
  return [...new Set([...said.slice(1, -1), ...begun, ...pairs])];
}
