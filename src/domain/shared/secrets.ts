import type { z } from "zod";

/**
 * Finds what must not be written into a message: card numbers, keys, tokens, passwords (
 * contract §3). Better one harmless number refused than one card number stored.
 */
export function secretIn(text: string): string | null {
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
  const found = PATTERNS.find(([, pattern]) => pattern.test(plain));
  if (found) return found[0];
  return cardNumberIn(plain) ? "a card number" : null;
}

/** Ours and the payment provider's, then what keys commonly look like. Naming a prefix is no key. */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ["a key", /\b(cma|fk|desk|sk_live|sk_test|rk_live|rk_test|rk|whsec)_[A-Za-z0-9_]{8,}/],
  [
    "a key",
    /\b(sk-[\w-]{20,}|gh[opsu]_\w{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{16}|xox[abp]-[\w-]{10,})/,
  ],
  ["a key", /-----BEGIN [A-Z ]*PRIVATE KEY/],
  ["a token", /\bbearer\s+(?=\S*\d)[\w.~+/=-]{8,}/i],
  ["a token", /\beyJ[\w-]{10,}\.[\w-]{10,}/],
  ["a password", /\bpass(word|wd|phrase)?\s*[:=]\s*\S{4,}/i],
  ["a card's security code", /\bcv[cv]2?\s*(is|:|=|#)?\s*\d{3,4}\b/i],
];

/** Ids of ours and UUIDs hold long runs of digits by chance. */
const IDS = /\b[a-z]{2,4}_[0-9a-f]{32}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** Digits, with at most a few blanks, dashes, dots or slashes between them; not over lines. */
const RUN = /\d(?:[ \t\u00a0._/\u2010-\u2015-]{0,3}\d){12,}/g;

function cardNumberIn(text: string): boolean {
  return (text.replace(IDS, " ").match(RUN) ?? []).some((run) => {
    const groups = run.split(/\D+/);
    return groups.some((_, from) => startsCard(groups.slice(from)));
  });
}

/** Whole groups from the first on: an expiry date behind the number does not hide it. */
function startsCard(groups: readonly string[]): boolean {
  let digits = "";
  for (const group of groups) {
    digits += group;
    if (digits.length > 19) return false;
    if (digits.length >= 13 && luhn(digits)) return true;
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

/** A text field that refuses secrets; the answer never repeats them. */
export const withoutSecrets = <S extends z.ZodString>(schema: S): S =>
  schema.refine((value) => secretIn(value) === null, {
    params: { code: "SECRET_IN_MESSAGE" },
    error: (issue) =>
      `This holds ${secretIn(String(issue.input)) ?? "a secret"}. Take it out; nothing was stored.`,
  });
