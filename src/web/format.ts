import { display } from "../core/money.ts";
import { MOMENT } from "../core/time.ts";

/** Money and times in en-US. Times are in the process's time zone, which is set to TIME_ZONE at startup. */

const dayFormat = whenUsed({ timeZone: "UTC", dateStyle: "long" });
const shortDay = whenUsed({ timeZone: "UTC", month: "long", day: "numeric" });
const weekdayFormat = whenUsed({
  timeZone: "UTC",
  weekday: "short",
  month: "short",
  day: "numeric",
});
const momentFormat = whenUsed(MOMENT);

/** Made on first use: the time zone is set by then, and startup does not wait for it. */
function whenUsed(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | undefined;
  return () => {
    made ??= new Intl.DateTimeFormat("en-US", options);
    return made;
  };
}

/** `3520` → `$35.20`. */
export const money = display;

/** `1000` off → `−$10.00`, with a true minus sign. */
export function moneyOff(minor: number): string {
  return `−${money(minor)}`;
}

/** Characters of a message in a table. */
const SHOWN_CHARACTERS = 160;

/** The start of a message that is too long for a table. */
export function excerpt(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  // Never half of an emoji.
  const start = text.slice(0, SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
  return `${start.trimEnd()}…`;
}

/** `2026-03-01T09:30:00.000Z` → `Mar 1, 2026, 9:30 AM UTC`. */
export function moment(at: string | number): string {
  // The space before AM and PM depends on the version of ICU.
  return momentFormat()
    .format(new Date(at))
    .replace(/\s(?=[AP]M\b)/, "\u00a0");
}

/** The same without the time zone, which the merchant knows: `Mar 1, 2026, 9:30 AM`. */
export const shopMoment = (iso: string): string => moment(iso).replace(/(?<=[AP]M) .*/, "");

/** `Mar 1, 2026`. */
export const shopDay = (iso: string): string => shopMoment(iso).replace(/,[^,]*$/, "");

/** `9:30 AM`. */
export const clockTime = (iso: string): string => shopMoment(iso).replace(/.*, /, "");

/** `2026-03-01` → `Sun, Mar 1`. */
export const weekday = (day: string): string => weekdayFormat().format(new Date(day));

/** `2026-03-01` → `March 1, 2026`. */
export const calendarDay = (day: string): string => dayFormat().format(new Date(day));

/** `March 6 – March 15, 2026`. */
export function daySpan(earliest: string, latest: string): string {
  const first = earliest.slice(0, 4) === latest.slice(0, 4) ? shortDay : dayFormat;
  return `${first().format(new Date(earliest))} – ${calendarDay(latest)}`;
}
