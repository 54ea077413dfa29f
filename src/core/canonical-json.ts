import { sha256 } from "./sha256.ts";

/**
 * The same value with the members of every object in the order of RFC 8785, so that JSON.stringify of
 * it is its canonical form: numbers and strings are written there as JSON.stringify writes them. For
 * what was validated: names are ours, none of them a number, and no text holds half a character.
 */
export function inCanonicalOrder<T>(value: T): T;
export function inCanonicalOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inCanonicalOrder);
  const ordered: Record<string, unknown> = {};
  const names = Object.keys(value);
  // Sorting allocates more than all the rest, and most of what comes here is in order.
  if (!isSorted(names)) names.sort();
  for (const name of names) {
    ordered[name] = inCanonicalOrder((value as Record<string, unknown>)[name]);
  }
  return ordered;
}

const isSorted = (names: readonly string[]): boolean =>
  names.every((name, i) => i === 0 || names[i - 1]! < name);

export const canonicalJson = (value: object): string => JSON.stringify(inCanonicalOrder(value));

/**
 * A mark of what a page showed, sent along with its form: by it an act knows whether that is still so.
 */
export const markOf = (shown: object): string => sha256(canonicalJson(shown)).slice(0, 16);
