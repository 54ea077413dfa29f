import { hash } from "node:crypto";

/** SHA-256 as hex. Secrets, requests and terms are stored and compared by it. */
export const sha256 = (text: string): string => hash("sha256", text, "hex");

/**
 * The same value with object members in the order of RFC 8785, so that JSON.stringify writes its canonical
 * form. Only for validated values: no member's name is a number, and no text has half a character.
 */
export function inCanonicalOrder<T>(value: T): T;
export function inCanonicalOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inCanonicalOrder);
  const ordered: Record<string, unknown> = {};
  const names = Object.keys(value);
  // Sorting allocates more than everything else here, and most values are in order.
  if (!isSorted(names)) names.sort();
  for (const name of names) {
    ordered[name] = inCanonicalOrder((value as Record<string, unknown>)[name]);
  }
  return ordered;
}

const isSorted = (names: readonly string[]): boolean =>
  names.every((name, i) => i === 0 || names[i - 1]! < name);

export const canonicalJson = (value: object): string => JSON.stringify(inCanonicalOrder(value));
