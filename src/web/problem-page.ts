import type { MerchantError, Problem } from "../core/errors.ts";
import { type SentFields, sendAgain } from "./form-parts.ts";
import { html, type Markup } from "./html.ts";
import type { Page } from "./layout.ts";

/** A problem (contract §11) as its page shows it. */
export interface ProblemView {
  title: string;
  detail: string;
  code: string;
  /** Whole seconds. */
  retry_after?: number | undefined;
  errors: readonly Problem[];
  request_id?: string | undefined;
  /** The same link without the discount code, if nothing else is wrong with it. */
  withoutCode?: string | undefined;
  /** The form that was sent, if sending it again may work. */
  again?: { action: string; fields: SentFields } | undefined;
}

export function problemPage(problem: ProblemView): Page {
  const { again, withoutCode } = problem;
  const typed = Object.keys(again?.fields ?? {}).length > 0;
  const { title, text } = wordsOf(problem) ?? { title: problem.title, text: problem.detail };
  return {
    title,
    lede: html`${text}${typed && " We kept what you typed."}`,
    body: html`${problem.errors.length > 0 && problemList(problem.errors)}
    <div class="cluster">${again && sendAgain(again.action, again.fields, "Try again")}${
      withoutCode && html`<a class="button" href="${withoutCode}">Continue without the code</a>`
    } <a class="${again || withoutCode ? "button quiet" : "button"}" href="/">Go to the front page</a></div>
    <dl class="small-print">
      <div><dt>Error code</dt>
        <dd class="code">${problem.code}${problem.request_id && html`, ${problem.request_id}`}</dd></div>
    </dl>`,
  };
}

function problemList(errors: readonly Problem[]): Markup {
  return html`<section class="slip stack" aria-labelledby="what">
    <h2 id="what">What went wrong</h2>
    <dl class="stack">
      ${errors.map(
        (error) => html`<div><dt>${FIELDS[error.pointer] ?? "The link"}</dt>
        <dd>${detailForBuyer(error)}</dd></div>`,
      )}
    </dl>
  </section>`;
}

interface Words {
  title: string;
  text: string;
}

const LINK: Words = {
  title: "There’s a mistake in this link",
  text:
    "Nothing was ordered and nothing was charged. Ask for a new link where you got this one, or " +
    "choose your coffee on our front page.",
};

export const TOO_FEW_BAGS: Words = {
  title: "We don’t have enough bags",
  text: "Nothing was ordered. Choose fewer bags or another coffee on our front page.",
};

const OUR_SIDE: Words = {
  title: "Something went wrong on our side",
  text:
    "Please try again in a moment. If you were about to pay, open the link you were given first: it " +
    "shows whether you have paid.",
};

/** Other codes have a title and detail that suit buyers. */
const WORDS: Partial<Record<string, Words>> = {
  NOT_FOUND: {
    title: "We can’t find this page",
    text:
      "Part of the link may have been lost in copying. Open the whole link again. If you have paid, press " +
      "“Find my order” below; else start on our front page.",
  },
  VALIDATION_FAILED: LINK,
  LIMIT_EXCEEDED: LINK,
  DISCOUNT_CODE_INVALID: LINK,
  OUT_OF_STOCK: TOO_FEW_BAGS,
  GEISHA_LOCKED: {
    title: "This coffee can’t be bought through a link",
    text: "Nothing was ordered. Choose another one on our front page.",
  },
  METHOD_NOT_ALLOWED: {
    title: "This page doesn’t work that way",
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

const wordsOf = ({ code, retry_after }: ProblemView): Words | undefined =>
  code === "RATE_LIMITED"
    ? { title: "That was a lot at once", text: waitWords(retry_after) }
    : WORDS[code];

/** Message above a form that was refused as a whole. */
export const refusalWords = ({ code, message, retryAfter }: MerchantError): string =>
  code === "RATE_LIMITED" ? waitWords(retryAfter) : message;

function waitWords(seconds = 60): string {
  const minutes = Math.ceil(seconds / 60);
  const wait =
    minutes <= 1
      ? "a minute"
      : minutes < 120
        ? `${minutes} minutes`
        : `${Math.ceil(minutes / 60)} hours`;
  return `Please wait ${wait}, then try again.`;
}

const FIELDS: Partial<Record<string, string>> = {
  "/items": "Coffee",
  "/bag": "Coffee",
  "/qty": "Bags",
  "/discount_code": "Discount code",
  "/gift_note": "Gift note",
  "/buyer_email": "Email",
};

/** Details that are written for programs, in a buyer's words. */
const PLAIN: Record<string, string> = {
  UNKNOWN_PRODUCT: "We don’t sell a coffee by that name.",
  DISCOUNT_CODE_INVALID: "We don’t have this code.",
  REPEATED: "It’s in the link twice.",
  AMBIGUOUS: "The link says it in two ways.",
  MISSING: "It’s missing.",
  UNKNOWN_FIELD: "The link isn’t clear about this.",
};

function detailForBuyer({ pointer, code, detail, received }: Problem): Markup {
  const unclear = code === "INVALID" && ["/items", "/format"].includes(pointer);
  // Only received text is in quotes.
  const said = received?.startsWith('"') && html` The link says <bdi>${received}</bdi>.`;
  return html`${PLAIN[unclear ? "UNKNOWN_FIELD" : code] ?? detail}${said}`;
}
