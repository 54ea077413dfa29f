import { type TextRule, text } from "./fields.ts";

/** What people write: names, streets, notes, messages. Every rule here is linear (contract §3). */

/** Control characters, halves of characters, and what is there without being seen. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/u;

/** The same, but for line breaks, joiners inside words and the style of a symbol. */
const UNSEEN_IN_PROSE = new RegExp(`(?!\\n|[\\u200c-\\u200d\\ufe0e-\\ufe0f])${UNSEEN.source}`, "u");

/**
 * More accents on one letter than any writing has: they cover the lines above and below, and normalising
 * them takes ever longer.
 */
export const STACKED = /\p{M}{9}/u;

const LINE_BREAK = /^[\n\r\u0085\u2028\u2029]$/;

function unreadable(value: string, unseen: RegExp): string | null {
  const [found] = unseen.exec(value) ?? [];
  if (found === undefined) return STACKED.test(value) ? "Too many accents on one letter." : null;
  if (LINE_BREAK.test(found)) return "One line only, without a line break.";
  const name = `U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
  if (/\p{Cc}/u.test(found)) return `No control characters; this holds ${name}.`;
  if (/\p{Cs}/u.test(found)) return `Broken text; this holds half a character, ${name}.`;
  return `No invisible or direction-changing characters; this holds ${name}.`;
}

const inOneLine: TextRule = (value) => unreadable(value, UNSEEN);
const overLines: TextRule = (value) => unreadable(value, UNSEEN_IN_PROSE);

/** One line that people read: trimmed, not blank, nothing unseen in it. */
export const line = (what: string, most: number, ...rules: TextRule[]) =>
  text({ what, most, clean: (value) => value.trim(), rules: [inOneLine, ...rules] });

export const maybeLine = (what: string, most: number) =>
  text({ what, most, least: 0, clean: (value) => value.trim(), rules: [inOneLine] });

/** Text over several lines. Kept as it was written, but for the kind of line break. */
export const prose = (what: string, most: number, ...rules: TextRule[]) =>
  text({
    what,
    most,
    clean: (value) => value.replace(/\r\n|[\u2028\u2029]/g, "\n"),
    rules: [(value) => (value.trim() === "" ? `${what} is blank.` : null), overLines, ...rules],
  });

/** Symbols that are drawn in a few strokes: hearts, smileys, stars, suns, flowers, notes, cups, checks. */
const DRAWN = /[♡♥❤❣💙-💟🤍🤎🖤🧡🩵🩶🩷☺☻🙂🙃😀-😊😍🥰😘★☆⭐🌟☀☼🌞✿❀🌸🌼♪♫☕✓✔∞]|[:;]-?[)D]/u;

/** A note is written by hand, which cannot write a row of pictures (contract §3). */
export const handwritten: TextRule = (value) =>
  /[\p{L}\p{N}]/u.test(value) || DRAWN.test(value)
    ? null
    : "Gift notes are handwritten: use a letter, a digit or a simple symbol such as ♥, ☺ or ★.";

/** One key for all spellings of a tracking number: scanners leave out spaces and hyphens. */
export const trackingKey = (number: string): string => number.replace(/[\s-]/g, "").toUpperCase();
