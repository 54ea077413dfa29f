/** Words of questions, searches and catalog texts. Every function here is linear in the length of its text. */
import { slips } from "../core/nearest.ts";

/**
 * Lower case without accents, apostrophes or invisible characters, so that none of these hides a word;
 * spelled-out words ("m.a.s.l.", "a l t i t u d e") are joined.
 */
export const fold = (text: string): string =>
  text
    .replace(/\p{M}+/gu, "") // first: normalizing a long row of accents takes quadratic time
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}'’`´*_~]/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("&", " and ")
    .replaceAll("%", " percent ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/(?<!\p{L})(?:\p{L}[ .-]){3,}\p{L}(?!\p{L})/gu, (run) => run.replace(/[ .-]/g, ""));

/** A longer run of letters is no word, and comparing it costs more than it can tell. */
const LONGEST_WORD = 24;

export const words = (text: string): string[] =>
  (fold(text).match(/\p{L}[\p{L}\d]*|\d+/gu) ?? []).map((word) => word.slice(0, LONGEST_WORD));

/** Words of no topic, beside which a question about coffee stays one. */
const FUNCTION_WORDS = new Set(
  words(`a about all also am an and any anything are as at be been beside between both but by can coffee coffees bean
    beans cup cups could did differ do does doesnt drink drinks each either else every everything fact facts
    find for from get give go good great has have having hello her hey hi high higher highest him his how i id if im in info
    into is isnt it its ive just kind know least less let like likes list looking love low lower lowest made make may me might mine more most
    much must my need nice no nor not of ok on one ones only or other others our please pls prefer really shall she should show
    so some someone somebody something such tell than thanks thank that thats the their them then there
    these they thing think this those to too try two type u up us use using versus very vs want was we well were what whats which while
    with without would you your yours`),
);

/** The distinct words that carry meaning, in their order. */
export const contentWords = (text: string): string[] =>
  [...new Set(words(text))].filter((word) => !FUNCTION_WORDS.has(word) && word.length > 1);

/** A mistyped longer word of no topic ("wich", "coffe"). */
export const isFunctionSlip = (word: string): boolean =>
  word.length > 3 && [...FUNCTION_WORDS].some((own) => own.length > 4 && slips(word, own) <= 1);

/** The same word in another form ("Colombian", "fruitiest"), or mistyped ("gesha"). */
export function isForm(word: string, own: string): boolean {
  if (word === own) return true;
  if (word[0] !== own[0] || Math.min(word.length, own.length) < 4) return false;
  let common = 0;
  while (common < own.length && own[common] === word[common]) common++;
  const [rest, ownRest] = [word.length - common, own.length - common];
  if (common >= 4 && ownRest <= 1 && rest <= 8) return true;
  if (common >= 5 && ownRest <= 2 && rest <= 2) return true;
  const most = own.length > 7 ? 2 : own.length > 5 ? 1 : 0;
  return Math.abs(word.length - own.length) <= most && slips(word, own) <= most;
}
