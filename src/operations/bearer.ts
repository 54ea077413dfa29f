/**
 * The key of "Authorization: Bearer KEY"; undefined where there is no such header. Another scheme, or no
 * key behind it, is a key that is present and bad: "" is no agent's.
 */
export function bearerKey(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? "";
}
