import type { TextRule } from "./fields.ts";

/**
 * Finds card numbers, keys, tokens and passwords in a message (contract §3). It rather refuses a harmless
 * number than stores a card number. Takes linear time: no pattern may start at every character of a run
 * and read to its end.
 */
export function secretIn(text: string): string | null {
  // Accents go first: they hide nothing, and normalizing piles of them takes quadratic time.
  const plain = text
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(OTHER_DIGIT, asciiDigit);
  const found = PATTERNS.find(([, pattern]) => pattern.test(plain));
  if (found) return found[0];
  if (webTokenIn(plain)) return "a token";
  return cardNumberIn(plain) ? "a card number" : null;
}

/** Keys of ours and of the payment provider, then common formats. A prefix alone is no key. */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ["a key", /\b(cma|fk|desk|sk_live|sk_test|rk_live|rk_test|rk|whsec)_[A-Za-z0-9_]{8}/],
  [
    "a key",
    /\b(sk-[\w-]{20}|gh[opsu]_\w{20}|github_pat_\w{20}|AKIA[0-9A-Z]{16}|xox[abp]-[\w-]{10})/,
  ],
  ["a key", /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/],
  ["a token", /\bbearer\s+(?=\S*\d)[\w.~+/=-]{8}/i],
  ["a password", /\bpass(word|wd|phrase)?\s*[:=]\s*\S{4}/i],
  ["a card's security code", /\bcv[cv]2?\s*(?:(?:is|[:=#])\s*)?\d{3,4}\b/i],
];

/** Header and claims of a signed token. Each run of characters is read from its start only. */
const webTokenIn = (text: string): boolean =>
  (text.match(/(?<![\w-])[\w-]{13,}\.(?=[\w-]{10})/g) ?? []).some((run) =>
    /\beyJ[\w-]{10}/.test(run),
  );

/** Our ids and UUIDs, which contain long runs of digits by chance. */
const IDS = /\b[a-z]{2,4}_[0-9a-f]{32}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** Digits of other scripts, which normalizing keeps. */
const OTHER_DIGIT = /(?!\d)\p{Nd}/gu;

/** Unicode orders the ten digits of a script from zero, in blocks without a gap. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++;
  return String(before % 10);
}

/** Digits with at most three blanks, dashes, dots or slashes between them, on one line. */
const RUN = /\d(?:[ \t\u00a0._/\u2010-\u2015-]{0,3}\d){12,}/g;

function cardNumberIn(text: string): boolean {
  const plain = text.replace(IDS, " ");
  const runs = (plain.match(RUN) ?? []).map((run) => run.split(/\D+/));
  const lists = plain.split(/\p{L}+/u).map((list) => list.match(/\d+/g) ?? []);
  return (
    runs.some((groups) => groups.some((_, from) => startsCard(groups, from))) ||
    lists.some((groups) => groups.some((_, from) => startsPrintedCard(groups, from)))
  );
}

/** Numbers as cards print them. A list of other numbers, such as years or sizes, rarely looks like one. */
const PRINTED_CARDS: readonly { issuers: RegExp; groups: RegExp }[] = [
  { issuers: /^(?:2[2-7]|35|[4-6])/, groups: /^(?:4 4 4 4(?: 3)?|8 8|16|2(?: 2){7}|1(?: 1){15})$/ },
  { issuers: /^3[47]/, groups: /^(?:4 6 5|15|1(?: 1){14})$/ },
  { issuers: /^3[0689]/, groups: /^(?:4 6 4|14|1(?: 1){13})$/ },
];

/** Whether a card's printed groups begin here. Anything but letters may stand between them. */
function startsPrintedCard(groups: readonly string[], from: number): boolean {
  let digits = "";
  let sizes = "";
  for (let i = from; i < groups.length && digits.length < CARD_DIGITS.most; i++) {
    digits += groups[i];
    sizes += `${sizes && " "}${groups[i]!.length}`;
    const isPrinted = PRINTED_CARDS.some(
      (card) => card.issuers.test(digits) && card.groups.test(sizes),
    );
    if (isPrinted && luhn(digits)) return true;
  }
  return false;
}

const CARD_DIGITS = { least: 13, most: 19 };

/** Joins whole groups, so that an expiry date after the number does not hide it. */
function startsCard(groups: readonly string[], from: number): boolean {
  let digits = "";
  for (let i = from; i < groups.length && digits.length < CARD_DIGITS.most; i++) {
    if (digits.length + groups[i]!.length > CARD_DIGITS.most) return false;
    digits += groups[i];
    if (digits.length >= CARD_DIGITS.least && luhn(digits)) return true;
  }
  return false;
}

function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, char, i) => {
    const digit = Number(char) * (i % 2 === 1 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

/** Rule of a text field. The error never repeats the secret. */
export const noSecrets: TextRule = (text) => {
  const found = secretIn(text);
  if (found === null) return null;
  const detail = `This holds ${found}. Take it out; nothing was stored.`;
  return { code: "SECRET_IN_MESSAGE", detail };
};
