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
  for (const name of Object.keys(value).sort()) {
    ordered[name] = inCanonicalOrder((value as Record<string, unknown>)[name]);
  }
  return ordered;
}

export const canonicalJson = (value: object): string => JSON.stringify(inCanonicalOrder(value));
