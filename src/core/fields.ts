import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import { LIMITS } from "./policy.ts";

/**
 * Declares all text, lists and numbers from outside: tool arguments, query parameters, forms, the desk and
 * the command line (contract §3).
 *
 * The length is checked first and ends validation, so that no pattern or scan sees text or a list that is
 * too long. Everything that reads input takes a `Bounded` value.
 */

declare const WITHIN_LIMIT: unique symbol;

/** Text from outside whose length was checked. Made here, by `readInput` and by `fieldIn` of a form only. */
export type BoundedText = string & { readonly [WITHIN_LIMIT]: true };

/** Input whose texts and lists are within the limits of their fields. Only `readInput` makes it. */
export type Bounded =
  | undefined
  | null
  | boolean
  | number
  | BoundedText
  | readonly Bounded[]
  | { readonly [name: string]: Bounded };

/** Explains a problem to the text's writer, or returns null. Must take linear time. */
export type TextRule = (text: BoundedText) => string | { code: ErrorCode; detail: string } | null;

interface TextField {
  /** Name of the field as the subject of a sentence: "The city". */
  what: string;
  /** Characters (Unicode code points) before trimming. */
  most: number;
  /** 0 allows empty text. */
  least?: 0 | 1;
  /** Sentence that tells the caller where to find the value. */
  source?: string;
  /** Runs after the length check, before the rules. */
  clean?: (text: BoundedText) => string;
  /** Run in order until one finds a problem. They never see empty text. */
  rules?: readonly TextRule[];
}

export function text({ what, most, least = 1, source, clean, rules = [] }: TextField): z.ZodString {
  const missing = `${what} is missing.${source ? ` ${source}` : ""}`;
  const bounded = z
    .string({ error: ({ input }) => (input === undefined ? missing : undefined) })
    .max(most, { abort: true, error: tooLong(most) });
  const cleaned = clean ? bounded.overwrite(clean as (text: string) => string) : bounded;
  const present = least === 0 ? cleaned : cleaned.min(1, missing);
  return rules.length === 0 ? present : present.check(checked(rules));
}

const tooLong =
  (most: number) =>
  ({ input }: { input?: unknown }): string =>
    `At most ${most} characters; this has ${[...String(input)].length}.`;

/** One check for all rules: zod takes longer to call one than most rules take. */
const checked =
  (rules: readonly TextRule[]) =>
  (payload: z.core.ParsePayload<string>): void => {
    // The length check before these rules would have ended the field.
    if (payload.value === "") return;
    const text = payload.value as BoundedText;
    for (const rule of rules) {
      const wrong = rule(text);
      if (wrong === null) continue;
      const { code, detail } =
        typeof wrong === "string" ? { detail: wrong, code: undefined } : wrong;
      // Without `continue`, this field ends here and rules over other fields still run.
      payload.issues.push({
        code: "custom",
        input: text,
        message: detail,
        ...(code && { params: { code } }),
      });
      return;
    }
  };

const EDGE = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const isVisibleAscii = (code: number): boolean => code > 0x20 && code < 0x7f;

/** Without white space and invisible characters at its edges, which come with pasted text. Takes linear time. */
export function trimmed(value: string): string {
  // Nearly every text.
  if (isVisibleAscii(value.charCodeAt(0)) && isVisibleAscii(value.charCodeAt(value.length - 1))) {
    return value;
  }
  const characters = [...value];
  const isShown = (character: string) => !EDGE.test(character);
  const from = characters.findIndex(isShown);
  return from === -1 ? "" : characters.slice(from, characters.findLastIndex(isShown) + 1).join("");
}

/** Text of one format: an id, a hash, a code. `says` is the error for any other text. */
export const exact = (what: string, most: number, form: RegExp, says: string): z.ZodString =>
  text({
    what,
    most,
    clean: trimmed,
    rules: [inOneLine, (value) => (form.test(value) ? null : says)],
  });

/** Characters of our ids, hashes and addresses. PostgreSQL refuses some others, such as NUL. */
export const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/** Parses a whole number in plain digits; null for "0x10", "1e3", " 80 ", "+80" and "080". */
export const decimal = (text: string): number | null =>
  /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : null;

interface WholeNumber {
  least: number;
  most: number;
  /** Numbers above `most` and up to this are left to a rule, which knows a better next step. */
  leftToRule?: number;
  /** The counted things, for error messages: "bags in one line". */
  of?: string | undefined;
}

export const whole = (range: WholeNumber): z.ZodInt =>
  z
    .int({ error: ({ input }) => notWhole(input, range), abort: true })
    .min(range.least, tooFew(range))
    .max(range.leftToRule ?? range.most, tooMany(range));

const tooFew = ({ least, of }: WholeNumber): string =>
  of ? `${least} or more ${of}.` : `At least ${least}.`;
const tooMany = ({ most, of }: WholeNumber): string => `At most ${most}${of ? ` ${of}` : ""}.`;

function notWhole(input: unknown, range: WholeNumber): string {
  const { least, most, of } = range;
  if (input === undefined) return `Missing. Use a whole number from ${least} to ${most}.`;
  const isNumber = typeof input === "number" && !Number.isNaN(input);
  // Only people type amounts, in dollars; JSON has no NaN.
  if (Number.isNaN(input) && of === "cents")
    return "Use an amount in dollars, such as 12.50 or 12.";
  // Whole, and too large to be exact.
  if (Number.isInteger(input)) return Number(input) > most ? tooMany(range) : tooFew(range);
  return isNumber ? "Use a whole number, without a fraction." : "Use a whole number, such as 12.";
}

interface Spelling {
  /** Returns the usual spelling of a value. */
  read: (value: Bounded) => unknown;
  /** Characters of the longest spelling. Default: the field's own limit. */
  most?: number;
}

/** As `unknown`, because zod would look for its own types inside. */
const SPELLINGS = z.registry<{ spelling: unknown }>();

/** Declares further spellings of a field's value whose meaning is certain. */
export function alsoSpelled<S extends z.ZodType>(
  field: S,
  read: Spelling["read"],
  most?: number,
): S {
  SPELLINGS.add(field, { spelling: { read, ...(most && { most }) } satisfies Spelling });
  return field;
}

export const spellingOf = (field: z.ZodType): Spelling | undefined =>
  SPELLINGS.get(field)?.spelling as Spelling | undefined;

/** An id or a hash of this service. Also accepts the address of a thing in place of its id. */
export const identifier = (most = 80, what = "The id", source = "") =>
  alsoSpelled(
    text({
      what,
      most,
      source,
      clean: trimmed,
      rules: [(value) => (VISIBLE_ASCII.test(value) ? null : notAnId(value))],
    }),
    idInAddress,
    LIMITS.uri_characters,
  );

const notAnId = (value: string): string =>
  ["Not an id of this service.", unreadable(value, UNSEEN) ?? ""].join(" ").trim();

/**
 * `coffee://orders/ord_…`, `https://shop.example/v1/orders/ord_…` and a page's `…/wl_….token` name an id,
 * also at the end of a sentence.
 */
function idInAddress(value: Bounded): unknown {
  if (typeof value !== "string") return value;
  const last = trimmed(value.slice(value.lastIndexOf("/") + 1));
  return /^((?:qte|ord|shp|wl)_\w+)(?:\.[\w-]+)?[\s.,;:!?*)>\]}"'`]*$/.exec(last)?.[1] ?? value;
}

const MOST_WAIT = 25;

/** A whole number in which a larger one counts as the most. */
export const atMost = ({ least, most }: { least: number; most: number }) =>
  alsoSpelled(whole({ least, most }), (value) =>
    /^\s*\d{1,15}\s*$/.test(String(value)) && Number(value) > most ? most : value,
  );

/** Seconds that a response may wait for a result, at most MOST_WAIT. */
export const WaitSeconds = atMost({ least: 0, most: MOST_WAIT }).default(0).describe("Seconds.");

interface List {
  /** Error for an empty list, if it may not be empty. */
  empty?: string;
  most: number;
  /** The elements, for error messages: "shipments". */
  of: string;
}

/** A list. Its length is checked before its elements. */
export function list<S extends z.ZodType>(element: S, { empty, most, of }: List): z.ZodArray<S> {
  const bounded = z.array(element).max(most, {
    abort: true,
    error: ({ input }) => `At most ${most} ${of}; these are ${(input as unknown[]).length}.`,
  });
  return empty === undefined ? bounded : bounded.min(1, empty);
}

/**
 * `when` of a rule over several fields that runs despite other problems, so that all are reported at once.
 * The rule must not trust any shape. zod still skips it after text or a list over its limit.
 */
export const withOtherProblems = (): boolean => true;

/** A field of any value. */
export function field(value: Bounded, name: string): Bounded;
export function field(value: unknown, name: string): unknown;
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Elements of an array; none of any other value. */
export function elements(value: Bounded): readonly Bounded[];
export function elements(value: unknown): readonly unknown[];
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Control characters, halves of characters, and invisible ones. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/** The same without line breaks, joiners inside words and the style of a symbol. */
const UNSEEN_IN_PROSE = new RegExp(`(?!\\n|[\\u200c-\\u200d\\ufe0e-\\ufe0f])${UNSEEN.source}`, "u");

/** The same without joiners between letters. */
const UNSEEN_IN_NAME = new RegExp(
  `(?!(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=\\p{L}))${UNSEEN.source}`,
  "u",
);

/**
 * More accents on one letter than any script has. They cover the lines above and below, and normalizing
 * them takes quadratic time.
 */
export const STACKED = /(?<!\p{M})\p{M}{9}/u;

const LINE_BREAK = /^[\n\r\u0085\u2028\u2029]$/;

/** Nearly every text. */
const PLAIN = /^[\x20-\x7e]*$/;

function unreadable(value: string, unseen: RegExp): string | null {
  if (PLAIN.test(value)) return null;
  const [found] = unseen.exec(value) ?? [];
  if (found === undefined) return STACKED.test(value) ? "Too many accents on one letter." : null;
  if (LINE_BREAK.test(found)) return "One line only, without a line break.";
  const name = `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  const what = /\p{Cs}/u.test(found) ? "half a character" : "a character that people can't see";
  return `This text holds ${what} (${name}). Type it again without that.`;
}

export const inOneLine: TextRule = (value) => unreadable(value, UNSEEN);
const overLines: TextRule = (value) => unreadable(value, UNSEEN_IN_PROSE);

/** Marks of direction, which come with pasted text and say nothing. */
const DIRECTION = /[\u061c\u200e\u200f]/g;

const asLine = (value: string): string => trimmed(value.replace(DIRECTION, ""));

/** Persian and Indian names need joiners between their letters. */
const overName: TextRule = (value) => unreadable(value, UNSEEN_IN_NAME);

/** One line that people read: trimmed, not blank, no invisible characters. */
export const line = (what: string, most: number, ...rules: TextRule[]) =>
  text({ what, most, clean: asLine, rules: [overName, ...rules] });

export const maybeLine = (what: string, most: number) =>
  text({ what, most, least: 0, clean: asLine, rules: [overName] });

/** Text of several lines. Only its line breaks are normalized. */
export const prose = (
  name: string | Pick<TextField, "what" | "source">,
  most: number,
  ...rules: TextRule[]
) => {
  const { what, ...source } = typeof name === "string" ? { what: name } : name;
  return text({
    ...{ what, ...source, most },
    clean: (value) => value.replace(DIRECTION, "").replace(/\r\n|[\u2028\u2029]/g, "\n"),
    rules: [(value) => (value.trim() === "" ? `${what} is blank.` : null), overLines, ...rules],
  });
};

/** Symbols that a few strokes draw: hearts, smileys, stars, suns, flowers, notes, cups, checks. */
const DRAWN = /[♡♥❤❣💙-💟🤍🤎🖤🧡🩵🩶🩷☺☻🙂🙃😀-😊😍🥰😘★☆⭐🌟☀☼🌞✿❀🌸🌼♪♫☕✓✔∞]|[:;]-?[)D]/u;

/** A note is written by hand, so pictures alone are refused (contract §3). */
export const handwritten: TextRule = (value) =>
  /[\p{L}\p{N}]/u.test(value) || DRAWN.test(value)
    ? null
    : "Gift notes are handwritten: use a letter, a digit or a simple symbol such as ♥, ☺ or ★.";

/** One key for all spellings of a tracking number: scanners omit spaces and hyphens. */
export const trackingKey = (number: string): string => number.replace(/[\s-]/g, "").toUpperCase();
