/** Folding a question to plain words, and setting answers in English. Nothing here knows the catalog. */

import { slips } from "../domain/shared/nearest.ts";

/**
 * Lower case, no accents, apostrophes or invisible characters, so that none of these hides a word;
 * spelled-out words ("m.a.s.l.", "a l t i t u d e") are joined.
 */
export const fold = (text: string): string =>
  text
    .replace(/\p{M}+/gu, "") // first: normalising accents in a row takes ever longer
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}'’`´*_~]/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("&", " and ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/(?<!\p{L})(?:\p{L}[ .-]){3,}\p{L}(?!\p{L})/gu, (run) => run.replace(/[ .-]/g, ""));

/** Words, amounts ("$24.50", "20%") and the marks that end a clause. */
export const tokenise = (folded: string): string[] =>
  folded.match(/\$?\d+(?:[.,]\d+)*%?|\p{L}[\p{L}\d]*|[,.?!;:()\n/¿]/gu) ?? [];

/** "berries" → "berry", "peaches" → "peach", "notes" → "note"; the same for question and catalog. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || word.endsWith("ss")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:[cs]h|x|ss)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** A catalog's phrase as the words a question is matched by. */
export const words = (text: string): string[] =>
  tokenise(fold(text)).flatMap((token) => (/[\p{L}\d]/u.test(token) ? [singular(token)] : []));

/** Lines of vocabulary as their terms. */
export const list = (lines: string): string[] => {
  const line = lines.trim();
  return line === "" ? [] : line.split(/\s*,\s*/);
};

/** "a=b, c=d" as a map. */
export const pairs = (lines: string): ReadonlyMap<string, string> =>
  new Map(list(lines).map((pair): [string, string] => [pair.split("=")[0]!, pair.split("=")[1]!]));

/** "name: terms" by the line, the terms going on indented. */
const entries = (lines: string): [name: string, terms: string][] =>
  lines
    .trim()
    .split(/\n {2}(?! )/)
    .map((entry) => [entry.slice(0, entry.indexOf(": ")), entry.slice(entry.indexOf(": ") + 2)]);

export const table = <T = string[]>(
  lines: string,
  parse: (terms: string) => T = list as never,
): ReadonlyMap<string, T> => new Map(entries(lines).map(([name, terms]) => [name, parse(terms)]));

/** Patterns of whole words by their name, in the order they stand. */
export const patterns = (lines: string): [name: string, pattern: RegExp][] =>
  entries(lines).map(([name, terms]) => {
    const whole = `\\b(?:${terms.replace(/\n {4}/g, "")})\\b`;
    return [name, new RegExp(whole, "g")];
  });

/** "a", "a and b", "a, b and c". */
export function join(items: readonly string[], word = "and"): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

/** "Medium roast" → "medium roast"; leaves "AeroPress", "SL28" and "French press" alone. */
export const lowerFirst = (text: string): string =>
  /^(?!(French|Turkish|Swiss|Italian|Chemex|Kalita|Hario)\b)\p{Lu}\p{Ll}*(?![\p{L}\p{N}])/u.test(
    text,
  )
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether one slip of the finger parts two words; `two` allows a second. */
export function isSlip(a: string, b: string, two: boolean): boolean {
  const most = two ? 2 : 1;
  const shorter = Math.min(a.length, b.length);
  if (Math.max(a.length, b.length) - shorter > most) return false;
  let [start, end] = [0, 0];
  while (start < shorter && a[start] === b[start]) start += 1;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const near = two ? start + end > 2 : Math.max(x.length, y.length) <= 2;
  return near && slips(x, y) <= most;
}

export const NUMBER_WORDS = list(
  "no, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve",
);

/** "costa rica" → "Costa Rica". */
export const titled = (name: string): string =>
  name.replace(/(?<![\p{L}\d])\p{Ll}/gu, (letter) => letter.toUpperCase());
