import { domainToASCII } from "node:url";
import { inOneLine, STACKED, text, trimmed } from "./fields.ts";
import { slips } from "./nearest.ts";
import { LIMITS } from "./policy.ts";

/** Before the @: no white space, no invisible characters, no separators or quotes. */
const NAME = /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}"<>(),:;[\]\\]+$/u;

/** One label of a domain. `domainOf` checks the whole domain. */
const LABEL = /^[\p{L}\p{M}\p{N}-]{1,63}$/u;

const DOTS_IGNORED = new Set(["gmail.com", "googlemail.com"]);

const NOT_AN_EMAIL = "Not an email address; it should look like name@example.com.";

const PLAIN_LETTERS =
  "Many mail servers can't deliver to letters such as ö before the @. Use an address with plain letters.";

/** Without the scheme of a link, the brackets of a letter's header and the end of a sentence. */
function asPasted(value: string): string {
  const [, address = ""] = /^(?:mailto:)?([^?]*)/.exec(trimmed(value).toLowerCase()) ?? [];
  return address.replace(/^<(.*)>$/, "$1").replace(/\.$/, "");
}

/** An email address, trimmed and lower-cased for display and search. */
export const Email = text({
  what: "The email address",
  most: LIMITS.email_characters,
  clean: asPasted,
  rules: [
    inOneLine,
    (value) => (canonicalEmail(value) === null ? NOT_AN_EMAIL : null),
    // Servers without SMTPUTF8 refuse such a mailbox, so its receipt would never arrive.
    (value) => (/^[\x21-\x7e]*@[^@]*$/.test(value) ? null : PLAIN_LETTERS),
  ],
});

/**
 * Identifies the customer behind an address, for the first-order courtesy (contract §2): without the +tag,
 * with an IDNA domain, and for Gmail without dots and under one domain. Null for an invalid address.
 */
export function canonicalEmail(email: string): string | null {
  const typed = email.trim().toLowerCase();
  const at = typed.lastIndexOf("@");
  if (at < 1 || !NAME.test(typed.slice(0, at)) || STACKED.test(typed)) return null;
  const domain = domainOf(typed.slice(at + 1));
  const name = typed.slice(0, at).split("+", 1)[0]!.normalize("NFC");
  if (domain === null) return null;
  if (!DOTS_IGNORED.has(domain)) return name ? `${name}@${domain}` : null;
  const bare = name.replaceAll(".", "");
  return bare ? `${bare}@gmail.com` : null;
}

/** Canonical form of an address that has passed validation. */
export function customerOf(email: string): string {
  const customer = canonicalEmail(email);
  if (customer === null) throw new Error("an email that passed validation has a canonical form");
  return customer;
}

/** Mailboxes of most buyers. */
const FREQUENT = [
  ...["gmail.com", "yahoo.com", "outlook.com", "hotmail.com", "icloud.com", "aol.com", "live.com"],
  ...["msn.com", "comcast.net", "verizon.net", "protonmail.com"],
] as const;

/** Real domains that differ from a frequent one by a letter or two. */
const ALSO_REAL = new Set([
  ...["mail.com", "email.com", "ymail.com", "gmx.com", "me.com", "mac.com", "live.ca", "proton.me"],
  ...["yahoo.ca", "hotmail.ca", "hotmail.fr", "outlook.fr", "yahoo.fr"],
]);

const ENDINGS: Readonly<Record<string, string>> = {
  ...{ con: "com", cmo: "com", ocm: "com", comm: "com", vom: "com", xom: "com", cpm: "com" },
  ...{ nte: "net", ent: "net", ogr: "org" },
};

/** The address that was probably meant: `ann@gmial.con` → `ann@gmail.com`. Null for a likely one. */
export function meantEmail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1).toLowerCase();
  if (ALSO_REAL.has(domain) || FREQUENT.some((known) => known === domain)) return null;
  const near = FREQUENT.map((known) => ({ known, off: slips(domain, known) }))
    .filter(({ known, off }) => off <= (known.length > 8 ? 2 : 1))
    .sort((a, b) => a.off - b.off)[0]?.known;
  const ending = domain.slice(domain.lastIndexOf(".") + 1);
  const fixed = ENDINGS[ending] && `${domain.slice(0, -ending.length)}${ENDINGS[ending]}`;
  const meant = near ?? fixed;
  return meant === undefined ? null : `${email.slice(0, at)}@${meant}`;
}

/** Nearly every domain: `domainToASCII` returns it as it is, and takes longer. */
const PLAIN_DOMAIN = /^(?!.*xn--)[a-z\d.-]+\.[a-z][a-z-]*$/;

/** At least two labels, the last with a letter: numbers alone are an IP address. */
function domainOf(typed: string): string | null {
  if (typed.length > LIMITS.email_characters) return null;
  const labels = typed.split(".");
  const named = labels.length > 1 && /[^\d-]/.test(labels.at(-1)!);
  if (!named || !labels.every((label) => LABEL.test(label))) return null;
  return PLAIN_DOMAIN.test(typed) ? typed : domainToASCII(typed) || null;
}

/** An address in a text, perhaps with other words before it. It ends before a dot that ends a sentence. */
const IN_TEXT =
  /[^\s@\p{C}"'<>(),:;[\]\\]{1,254}@[\p{L}\p{M}\p{N}-]{1,63}(?:\.[\p{L}\p{M}\p{N}-]{1,63}){1,8}/gu;

/** Words before an address: none, punctuation, or anything up to an unusual sign, as in `to=ann@example.com`. */
const BEFORE = [/^/u, /^[^\p{L}\p{N}]+/u, /^.*[^\p{L}\p{M}\p{N}._%+-](?=[^@]*@)/u];

/** Escapes in JSON, which would look like letters of an address. */
const ESCAPED = /\\(?:[bfnrt]|u[\da-f]{4})/g;

/** Replaces every spelling of a customer's address in a text. Longer addresses that contain it stay. */
export const withoutCustomer = (text: string, customer: string, instead: string): string =>
  text.replaceAll(IN_TEXT, (found) => {
    const before = BEFORE.map((words) => words.exec(found)?.[0] ?? "");
    const own = before.find((words) => canonicalEmail(found.slice(words.length)) === customer);
    return own === undefined ? found : own + instead;
  });

/** Whether a text, plain or in JSON, contains an address of this customer in any spelling. */
export function namesCustomer(text: string, customer: string): boolean {
  const plain = text.replaceAll(ESCAPED, " ");
  return withoutCustomer(plain, customer, "") !== plain;
}
