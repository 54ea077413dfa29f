import { domainToASCII } from "node:url";
import { z } from "zod";
import { LIMITS } from "./policy.ts";

/** One @, something on both sides, a dotted domain; no white space, no control characters. */
const SHAPE =
  /^[^\s@\p{C}"<>(),:;[\]\\]+@[^\s@\p{C}"<>(),:;[\]\\.]+(\.[^\s@\p{C}"<>(),:;[\]\\.]+)+$/u;

const DOTS_IGNORED = new Set(["gmail.com", "googlemail.com"]);

/** An email address as people type it; trimmed and lower-cased, the form it is shown and searched in. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(LIMITS.email_characters, "At most 254 characters.")
  .refine((value) => SHAPE.test(value) && canonicalEmail(value) !== null, {
    message: "Not an email address; it should look like name@example.com.",
  })
  .describe("Email address.");

/**
 * The customer behind an address, used only to decide whether the first-order courtesy is still
 * theirs (contract §2): +tag cut, IDNA domain, and for Gmail no dots and one of its two domains.
 * Null where nothing is left of the name or the domain is none.
 */
export function canonicalEmail(email: string): string | null {
  const typed = email.trim().toLowerCase();
  const at = typed.lastIndexOf("@");
  const domain = domainToASCII(typed.slice(at + 1).replace(/\.$/, ""));
  let name = typed.slice(0, at).split("+")[0]!.normalize("NFC");
  if (DOTS_IGNORED.has(domain)) {
    name = name.replaceAll(".", "");
    return name ? `${name}@gmail.com` : null;
  }
  return name && domain ? `${name}@${domain}` : null;
}
