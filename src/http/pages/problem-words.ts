import type { Problem } from "../../domain/shared/errors.ts";

/** What a buyer reads where a page is refused: what happened, and what to do now. */
interface Words {
  title: string;
  text: string;
}

const LINK: Words = {
  title: "This link has a mistake in it",
  text:
    "Nothing was ordered and nothing was charged. Ask for a new link where you got this one, or " +
    "choose your coffee on our front page.",
};

const OUR_SIDE: Words = {
  title: "Something went wrong on our side",
  text:
    "Please try again in a moment. If you were about to pay, open the link you were given first: it " +
    "shows whether you have paid.",
};

const WORDS: Record<string, Words> = {
  NOT_FOUND: {
    title: "There is nothing at this address",
    text:
      "Part of a link may have been lost when it was copied. Open it again, whole, or start at our " +
      "front page.",
  },
  VALIDATION_FAILED: LINK,
  LIMIT_EXCEEDED: LINK,
  DISCOUNT_CODE_INVALID: LINK,
  OUT_OF_STOCK: {
    title: "There are not enough bags",
    text: "Nothing was ordered. Choose fewer bags or another coffee on our front page.",
  },
  GEISHA_LOCKED: {
    title: "This coffee is not sold by a link",
    text: "Nothing was ordered. Choose another one on our front page.",
  },
  RATE_LIMITED: {
    title: "That was a lot at once",
    text: "Please wait a minute, then load this page again.",
  },
  METHOD_NOT_ALLOWED: {
    title: "This page cannot be used that way",
    text: "Go back, and open the link you were given again.",
  },
  ORIGIN_REFUSED: {
    title: "This form came from another site",
    text: "Open the page from the link you were given, and send it from there.",
  },
  PAYLOAD_TOO_LARGE: {
    title: "That was too much text",
    text: "Go back, shorten it, and send it again.",
  },
  INTERNAL: OUR_SIDE,
  STORE_UNAVAILABLE: OUR_SIDE,
};

/** Null where what the refusal says itself is for people already. */
export const wordsFor = (code: string): Words | null => WORDS[code] ?? null;

const FIELDS: Record<string, string> = {
  "/items": "Coffee",
  "/bag": "Coffee",
  "/qty": "Bags",
  "/discount_code": "Discount code",
  "/gift_note": "Gift note",
  "/buyer_email": "Email",
};

export const fieldName = (pointer: string): string | null => FIELDS[pointer] ?? null;

/** What is told to programs in their terms, such as how items are written in a link. */
const PLAIN: Record<string, string> = {
  UNKNOWN_PRODUCT: "We do not sell a coffee of that name.",
  DISCOUNT_CODE_INVALID: "We have no such code.",
  REPEATED: "It stands in the link twice.",
  AMBIGUOUS: "The link says it in two ways.",
  MISSING: "It is missing.",
};

const UNCLEAR = "The link does not say clearly what is wanted.";

/** One problem of a link, in a buyer's words. */
export function plainly({ pointer, code, detail }: Problem): string {
  const unclear = code === "INVALID" && ["/items", "/format"].includes(pointer);
  return PLAIN[code] ?? (unclear ? UNCLEAR : detail);
}
