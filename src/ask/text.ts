/** Questions folded and taken apart, tables of words, answers set in English; no word of coffee here. */
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

const VERBS = "is|are|do|does|can|could|will|should|would|may";
const WORDS = "what|which|how|where|who|when|why|whether";
const ASKING = `${WORDS}|${VERBS}`;
const SENTENCES = /[^.?!;\n]*(?:\.(?=\d)[^.?!;\n]*)*[.?!;\n]?/g;
/** What a question that begins with a verb goes on with: "and is it …", but not "and are washed". */
const SUBJECT =
  "it|they|them|you|i|we|the|your|there|this|that|these|those|any|all|both|either|neither|each|some|an?|my|shipping|decaf|firstbag";
const ASKED = `(?!(?:${VERBS}) (?!(?:${SUBJECT})\\b))`;
const NEXT = new RegExp(
  `(?:,\\s*(?:or)?(?!\\s*(?:and|also|plus|then)\\b)|(?:,\\s*)?\\b(?:and|also|plus|then)(?=\\s+${ASKED}))\\s+(?:also |then |by the way,? |if so,? |so (?=(?:what|which) (?:\\w+ )?(?:bag|coffee|bean)s?\\b))*(?=(?:${ASKING}|tell (?:me|us)|say (?:what|which|how|if|whether)|let me know|recommend|suggest)\\b|(?:the |your )?(?:\\w+est|most|least)\\b)`,
  "g",
);
const MOST = /\b(?:\w+est|most|least)\b/;
const BEGUN = new RegExp(
  `\\b(?:${ASKING}|i|im|my|we|tell|compare|show|name|list|least|most|\\w+est)\\b`,
);
const CONDITION =
  /^\s*(?:if(?! so\b)|in|for|with|as|when(?! (?:is|are|was|were|will|do|does|did|can|would)\b)|of|on|at|by|between)\b/;
const ASKS = new RegExp(`\\b(?:${ASKING})\\b`);
/** "I would like a light one", "my bag is late" ask for nothing. */
const QUESTION = new RegExp(
  `^\\W*(?:(?:so|and|but|or|also|ok|okay|hi|hello|hey|please|then|well|which),? )*(?:${ASKING})\\b|\\b(?:${WORDS})\\b|, ?(?:${VERBS})\\b`,
);

/** "Is it true that it is washed and that it ships free?" */
export const TWO_CLAIMS = /\b(is it \w+ that) ([^.?!]*?),? and that /g;

/** "Is it the darkest and cheapest?" "Which is the darkest and the cheapest" is split by itself. */
const TWO_ENDS =
  /(?<!\p{L} )\b((?:is|are) (?:[\p{L}'-]+ ){1,4}?)(?:the )?(\p{L}+est|(?:most|least) \p{L}+) and (?:the )?(?=\p{L}+est\b|(?:most|least) )/gu;

const LIKES =
  "(?:(?:really|only|also) )?(?:(?:dis)?likes?|loves?|hates?|(?:doesnt|dont|cant) (?:like|want|drink|stand)|(?:wants?|needs?)(?! the\\b)|prefers?|drinks?|enjoys?)\\b";
const PERSON = "(?:he|she|my \\w+|one of us|the other(?: one)?)";
/** "My wife likes decaf and I like it light": each of them has wishes of their own. */
const PEOPLE = new RegExp(
  `\\b((?:i|${PERSON}) ${LIKES}[^.?!;]*?)(?:,? (?:and|but|while)|,) (?=(?:i|${PERSON}) ${LIKES})`,
  "g",
);
const WISHER = new RegExp(`\\b(?:i|${PERSON})(?= ${LIKES})`);

/** Who has the wish. */
export const personIn = (text: string): string => WISHER.exec(text)?.[0] ?? "";

/** A folded message is taken apart into the questions it holds; a mark stays with its part. */
export function partsOf(folded: string): string[] {
  const text = folded
    .replace(PEOPLE, "$1. ")
    .replace(/\(?\b\d{1,2}\)\s/g, ". ")
    .replace(/\b(?:i\.e|e\.g)\./g, "")
    .replace(TWO_CLAIMS, "$1 $2? $1 ")
    .replace(TWO_ENDS, "$1the $2? $1the ")
    .replace(/\bp\. ?o\./g, "po");
  const parts = (text.match(SENTENCES) ?? []).flatMap(split).map((part) => part.trim());
  return parts.filter((part) => /[\p{L}\d]/u.test(part));
}

/** "…, and how is it processed": before a question word, where what stands before it is a sentence. */
function split(sentence: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: joint } of sentence.matchAll(NEXT)) {
    const next = sentence.slice(index + joint.length);
    // "…, and the lightest": only after another of its kind.
    const [first = ""] = next.split(" ");
    const asks = ASKS.test(first) || /^(?:tell|say|let|recommend|suggest)$/.test(first);
    const part = sentence.slice(from, index);
    // "Is it true that the decaf is washed and is a light roast?"
    if (/^(?:is|are) an? /.test(next)) continue;
    const goesOn = asks && /and|also|plus|then/.test(joint);
    // "If I buy two, do I pay shipping?" is one question.
    const isCondition = CONDITION.test(part) && !ASKS.test(part.split(",").slice(1).join());
    if (!(goesOn || (asks ? BEGUN : MOST).test(part)) || isCondition) continue;
    parts.push(sentence.trimEnd().endsWith("?") && QUESTION.test(part) ? `${part}?` : part);
    from = index + joint.length;
  }
  return [...parts, sentence.slice(from)];
}

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

const series = new Intl.ListFormat("en-GB");
/** "a", "a and b", "a, b and c". */
export const join = (items: readonly string[]): string => series.format(items);

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "costa rica" → "Costa Rica". */
export const titled = (name: string): string => name.replace(/(?<![\p{L}\d])\p{Ll}/gu, upperFirst);

/** Names of all countries, folded, with their codes: "congo kinshasa", and "congo". */
export function countryNames(language: string): [code: string, name: string][] {
  const inLanguage = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return codes.flatMap((code) => {
    const [name = "", ...parts] = inLanguage.of(code)?.split(/ [-–(]/) ?? [];
    const names = name === "" ? [] : [[name, ...parts].join(" "), name, ...parts];
    return names.map((one): [string, string] => [code, phrase(one)]);
  });
}
