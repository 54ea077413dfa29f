import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { derivedKey } from "../../core/ids.ts";

/** A review link's token in text. Older versions' tokens lack the quote's id before the dot. */
const OPEN = /\/review\/((?:qte_\w+\.)?[\w-]{32})(?![\w-])/g;
const SEALED = /\/review\/sealed\.([\w-]+)/g;

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts the review links in stored text, so that only this installation can read them. */
export function sealedLinks(secret: Buffer) {
  const key = derivedKey(secret, "sandbox links");

  function seal(token: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const body = Buffer.concat([cipher.update(token, "utf8"), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
  }

  function unseal(sealed: string): string {
    const bytes = Buffer.from(sealed, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([body, decipher.final()]).toString("utf8");
  }

  return {
    seal: (text: string) =>
      text.replace(OPEN, (_, token: string) => `/review/sealed.${seal(token)}`),
    unseal: (text: string) =>
      text.replace(SEALED, (_, sealed: string) => `/review/${unseal(sealed)}`),
  };
}
