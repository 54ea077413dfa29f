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

/** A prefix and a UUIDv7 (RFC 9562) without dashes: sorts by time, 74 random bits. */
export function newId(prefix: Prefix, now: number): string {
  const id = random16();
  id.writeUIntBE(now, 0, 6);
  id[6] = (id[6]! & 0x0f) | 0x70;
  id[8] = (id[8]! & 0x3f) | 0x80;
  return `${prefix}_${id.toString("hex")}`;
}

const pool = Buffer.alloc(4096);
let taken = pool.length;

/** Out of a pool: asking the system for sixteen bytes costs more than all the rest of an id. */
function random16(): Buffer {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += 16;
  return pool.subarray(taken - 16, taken);
}

export const newIds = (prefix: Prefix, now: number, count: number): string[] =>
  Array.from({ length: count }, () => newId(prefix, now));

/** Makes equal things different; it is no secret. */
export const newNonce = (): string => random16().toString("base64url");

const derived = new WeakMap<Buffer, Map<string, Buffer>>();

/**
 * A key of 32 bytes for one purpose: it tells nothing about the secret or other keys. Each is derived
 * once, as the desk asks for one with every request, and forgotten with its secret.
 */
export function derivedKey(secret: Buffer, purpose: string): Buffer {
  const known = derived.get(secret) ?? new Map<string, Buffer>();
  derived.set(secret, known);
  const key = known.get(purpose) ?? Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  known.set(purpose, key);
  return key;
}

/** A token that the secret and the subject decide: the same each time, unguessable (contract §5). */
export const derivedToken = (secret: Buffer, purpose: string, subject: string): string =>
  createHmac("sha256", keyOf(secret))
    .update(`${purpose}:${subject}`)
    .digest()
    .subarray(0, 24)
    .toString("base64url");

type LinkPurpose = "review" | "waitlist" | "confirm";

/** What a link carries: a thing's id, and what only this installation can have put beside it. */
export const linkToken = (secret: Buffer, purpose: LinkPurpose, id: string): string =>
  `${id}.${derivedToken(secret, purpose, id)}`;

/** The id that a link names; undefined where the link was not made here. */
export function linkedId(secret: Buffer, purpose: LinkPurpose, token: string): string | undefined {
  const [id = ""] = token.split(".");
  return sameText(token, linkToken(secret, purpose, id)) ? id : undefined;
}

const keys = new WeakMap<Buffer, KeyObject>();

/** Making a key out of bytes costs several times the HMAC itself, so each secret's is kept. */
function keyOf(secret: Buffer): KeyObject {
  const key = keys.get(secret) ?? createSecretKey(secret);
  keys.set(secret, key);
  return key;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** 32 secret bytes in base62 after the prefix, then six characters of checksum (contract §8). */
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

function base62(bytes: Buffer, width: number): string {
  let value = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  while (value > 0n) {
    text = BASE62[Number(value % 62n)]! + text;
    value /= 62n;
  }
  return text.padStart(width, "0");
}

/** Compares a secret in a time that tells nothing of it. */
export const sameText = (given: string, known: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", known, "buffer"));
