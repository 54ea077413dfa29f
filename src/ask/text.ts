/**
 * Folding a question to plain words, and setting answers in English. Nothing here knows the
 * catalog.
 */

/** What folding leaves as it is: nearly all of our own vocabulary, read at every start. */
const FOLDED = /^(?!(?:.* )?[a-z](?: [a-z]){3}(?: |$))[a-z0-9]+(?: [a-z0-9]+)*$/;

/**
 * Lower case, no accents, no punctuation, words between single spaces. Invisible characters go
 * first and spelled-out words ("m.a.s.l.", "a l t i t u d e") are joined, so that neither hides a
 * word.
 */
export function fold(text: string): string {
  if (FOLDED.test(text)) return text;
  return text
    .replace(/\p{M}+/gu, "") // first: normalising accents in a row takes ever longer
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/['’`´]/g, "")
    .replaceAll("&", " and ")
    .replaceAll("+", " plus ")
    .replaceAll("%", " percent ")
    .replaceAll("$", " dollars ")
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .replace(/(?<![\p{L}\p{N}])(?:\p{L} ){3,}\p{L}(?![\p{L}\p{N}])/gu, (run) =>
      run.replaceAll(" ", ""),
    );
}

/** A comma-separated vocabulary line as its terms. */
export const list = (line: string): string[] =>
  line
    .split(",")
    .map((term) => term.trim())
    .filter((term) => term !== "");

/** "a", "a and b", "a, b and c". */
export function join(items: readonly string[], word = "and"): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${word} ${items.at(-1)}`;
}

/** "Medium roast" → "medium roast"; leaves "AeroPress", "SL28" and "French press" alone. */
export const lowerFirst = (text: string): string =>
  /^(?!(French|Turkish|Swiss|Italian|Chemex|Kalita)\b)\p{Lu}\p{Ll}*(?![\p{L}\p{N}])/u.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** One full stop at the end, whatever the merchant wrote. */
export const sentence = (text: string): string => `${upperFirst(text).replace(/[.!?\s]+$/, "")}.`;

/**
 * Edits between two words, a swap of neighbours counted as one: "gehsia" is one slip from "geisha".
 * Gives up, with a number above `most`, as soon as there are more.
 */
export function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, older[j - 2]! + 1);
      row.push(cost);
    }
    if (Math.min(...row) > most) return most + 1;
    [older, last] = [last, row];
  }
  return last[b.length]!;
}
