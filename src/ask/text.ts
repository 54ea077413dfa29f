/** Folding a question to plain words, tables of words, setting answers in English. Nothing here knows the catalog. */
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

/** The same, as one phrase. */
export const phrase = (text: string): string => words(text).join(" ");

/** Words between spaces, as they are written. */
export const spaced = (text: string): string[] => text.match(/\S+/g) ?? [];

/** Terms between commas. */
export const list = (text: string): string[] =>
  text.split(",").flatMap((term) => spaced(term).join(" ") || []);

/** "name = terms; name = terms", in the order they stand. */
export const entries = (text: string): [name: string, terms: string][] =>
  text.split(/;\s/).map((entry) => {
    const at = entry.indexOf("=");
    return [spaced(entry.slice(0, at)).join(" "), entry.slice(at + 1).trim()];
  });

export const table = <T = string[]>(
  text: string,
  parse: (terms: string) => T = list as never,
): ReadonlyMap<string, T> =>
  new Map(entries(text).map(([name, terms]) => [name, parse(terms)] as const));

/**
 * Patterns of whole words by their name; a pattern goes on in the next line. "…" is a little text, "*" the
 * rest of a word, "_" any word or none; every pattern may end in an "s".
 */
export const patterns = (text: string): [name: string, pattern: RegExp][] =>
  entries(text).map(([name, terms]) => {
    const pattern = terms
      .replace(/\n\s*/g, "")
      .replaceAll("…", "\\b.{0,40}\\b")
      .replace(/(?<=[\w)])\*/g, "\\w*")
      .replaceAll("_ ", "(?:\\w+ )?");
    return [name, new RegExp(`\\b(?:${pattern})s?\\b`, "g")];
  });

/** "a", "a and b", "a, b and c". */
export const join = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "costa rica" → "Costa Rica". */
export const titled = (name: string): string => name.replace(/(?<![\p{L}\d])\p{Ll}/gu, upperFirst);

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** Names of all countries, folded, with their codes: "congo kinshasa", and "congo". */
export function countryNames(language: string): [code: string, name: string][] {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.flatMap((code) => {
    const [name = "", ...parts] = names.of(code)?.split(/ [-–(]/) ?? [];
    const whole = [name, ...parts].join(" ");
    return name === ""
      ? []
      : [whole, name, ...parts].map((one): [string, string] => [code, phrase(one)]);
  });
}
