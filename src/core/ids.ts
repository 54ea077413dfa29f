import {
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
  timingSafeEqual,
} from "node:crypto";

/** Prefixes of ids (contract §0), one per kind of thing. */
export type Prefix =
  | "agt"
  | "qte"
  | "shp"
  | "ord"
  | "evt"
  | "wl"
  | "cr"
  | "fb"
  | "lead"
  | "req"
  | "pay"
  | "rf"
  | "inc"
  | "note"
  | "aud";

/**
 * An id of one kind. An id of another kind is a type error; plain text, as input has it, is not.
 */
export type Id<P extends Prefix> = string & { readonly prefix?: P };

export type AgentId = Id<"agt">;
export type QuoteId = Id<"qte">;
export type AttemptId = Id<"pay">;
export type OrderId = Id<"ord">;
export type ShipmentId = Id<"shp">;
export type RefundId = Id<"rf">;

/** A prefix and a UUIDv7 (RFC 9562) without dashes: sorts by time, has 74 random bits. */
export function newId<P extends Prefix>(prefix: P, now: number): Id<P> {
  const id = random16();
  id.writeUIntBE(now, 0, 6);
  id[6] = (id[6]! & 0x0f) | 0x70;
  id[8] = (id[8]! & 0x3f) | 0x80;
  return `${prefix}_${id.toString("hex")}`;
}

const pool = Buffer.alloc(4096);
let taken = pool.length;

/** Taken from a pool, because a system call for 16 bytes costs more than the rest of an id. */
function random16(): Buffer {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += 16;
  return pool.subarray(taken - 16, taken);
}

export const newIds = <P extends Prefix>(prefix: P, now: number, count: number): Id<P>[] =>
  Array.from({ length: count }, () => newId(prefix, now));

/** Random text that is unique but not secret. */
export const newNonce = (): string => random16().toString("base64url");

/**
 * Whether nobody else would choose this text, because it holds a UUID, a ULID, 32 hexadecimal digits, or 21
 * characters of random base64. Words, dates and versions don't count, in any mixture: "gpt-4o-2024-08-06-v1".
 */
export const isRandom = (text: string): boolean =>
  !MADE_UP.test(text) &&
  ((HEXADECIMAL.exec(text) ?? ULID.exec(text) ?? []).some((found) => /[a-z]/i.test(found)) ||
    [...(text.match(/[a-z0-9]{21,}/gi) ?? []), withoutDashes(text)].some(isMixed));

/** A UUID that models write from memory, or keys in the order of the keyboard or the alphabet. */
const MADE_UP =
  /(.)\1{5}|01234|12345|23456|34567|45678|56789|67890|abcde|bcdef|e29b-?41d4-?a716|e89b-?12d3-?a456/i;

const HEXADECIMAL = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{32}/i;

/** Its time begins with 01 until the year 2039, then with 02. */
const ULID = /0[12][0-9a-hjkmnp-tv-z]{24}(?![a-z0-9])/i;

/** Random base64url may have two dashes or so. */
const withoutDashes = (text: string): string => text.replace(/[-_]/, "").replace(/[-_]/, "");

/** Capitals, small letters and digits alternate, as words in camel case don't. */
function isMixed(text: string): boolean {
  if (!/^[a-z0-9+/]{19,}=*$/i.test(text) || /[a-z]{7}|[A-Z]{7}|\d{5}/.test(text)) return false;
  const kinds = text.replace(/[a-z]/g, "a").replace(/[A-Z]/g, "A").replace(/\d/g, "1");
  const changes = kinds.match(/(.)(?!\1)(?=.)/g) ?? [];
  return new Set(changes).size >= 3 && changes.length >= 0.4 * text.length;
}

const derived = new WeakMap<Buffer, Map<string, Buffer>>();

/**
 * Derives a key of 32 bytes for one purpose, which reveals nothing about the secret or other keys. Cached
 * with its secret, because every request to the desk needs one.
 */
export function derivedKey(secret: Buffer, purpose: string): Buffer {
  const known = derived.get(secret) ?? new Map<string, Buffer>();
  derived.set(secret, known);
  const key = known.get(purpose) ?? Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  known.set(purpose, key);
  return key;
}

/** An unguessable token, always the same for a secret and a subject (contract §5). */
export const derivedToken = (secret: Buffer, purpose: string, subject: string): string =>
  createHmac("sha256", keyOf(secret))
    .update(`${purpose}:${subject}`)
    .digest()
    .subarray(0, 24)
    .toString("base64url");

type LinkPurpose = "review" | "waitlist" | "joined" | "confirm";

/**
 * A link's token without anything that Markdown, brackets or the end of a sentence add. It ends in a letter
 * or digit, because renderers cut other characters off a link.
 */
export const bareToken = (token: string): string => /^.*[A-Za-z0-9]/s.exec(token)?.[0] ?? "";

/** A key without the quotes and invisible characters that were pasted around it. */
export const pastedKey = (key: string): string => bareToken(key.replace(/^[^A-Za-z0-9]+/, ""));

/** Token of a link: an id and a signature that only this installation can compute. */
export const linkToken = (secret: Buffer, purpose: LinkPurpose, id: string): string =>
  bareToken(`${id}.${derivedToken(secret, purpose, id)}`);

/** Id in a link's token; undefined for a token that this installation did not make. */
export function linkedId(secret: Buffer, purpose: LinkPurpose, token: string): string | undefined {
  const [id = ""] = token.split(".");
  return sameText(bareToken(token), linkToken(secret, purpose, id)) ? id : undefined;
}

const keys = new WeakMap<Buffer, KeyObject>();

/** Cached, because creating a key costs several times the HMAC itself. */
function keyOf(secret: Buffer): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(secret);
  keys.set(secret, key);
  return key;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A prefix, 32 secret bytes in base62, and six characters of checksum (contract §8). */
export function newKey(prefix: "cma_" | "fk_" | "desk_", bytes = randomBytes(32)): string {
  return withChecksum(`${prefix}${base62(bytes, 43)}`);
}

/** Whether a key is complete and has no typing error. */
export const isWholeKey = (prefix: "cma_", key: string): boolean =>
  key.length === prefix.length + 49 &&
  key.startsWith(prefix) &&
  key === withChecksum(key.slice(0, -6));

const withChecksum = (key: string): string =>
  `${key}${base62(hash("sha256", key, "buffer").subarray(0, 4), 6)}`;

/** Divides by hand, four bytes at a time, because a BigInt takes several times as long. */
function base62(bytes: Buffer, width: number): string {
  const words: number[] = [];
  for (let at = 0; at < bytes.length; at += 4) words.push(bytes.readUInt32BE(at));
  let text = "";
  for (let digit = 0; digit < width; digit++) {
    let rest = 0;
    for (let i = 0; i < words.length; i++) {
      const value = rest * 2 ** 32 + words[i]!;
      words[i] = Math.floor(value / 62);
      rest = value % 62;
    }
    text = BASE62[rest]! + text;
  }
  return text;
}

/** Compares secrets in constant time. */
export const sameText = (given: string, known: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", known, "buffer"));
