import { DAY_MS, HOUR_MS, MINUTE_MS } from "./policy.ts";

const calendars = new Map<string, (ms: number) => string>();

/** Formats a moment as its calendar day in a time zone (an IANA name), YYYY-MM-DD. */
export function dayIn(timeZone: string): (ms: number) => string {
  const known = calendars.get(timeZone);
  const calendar = known ?? calendarOf(timeZone);
  calendars.set(timeZone, calendar);
  return calendar;
}

/** Days begin on a minute, and most questions are about the current one. */
function calendarOf(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  let minute = Number.NaN;
  let day = "";
  return (ms) => {
    const asked = Math.floor(ms / MINUTE_MS);
    if (asked !== minute) [minute, day] = [asked, format.format(ms)];
    return day;
  };
}

/** Formats a moment as ISO 8601 by the clock of a time zone, such as 2026-03-04T04:00:00-06:00. */
export function clockIn(timeZone: string): (at: Date) => string {
  const two = "2-digit";
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: "h23",
    timeZoneName: "longOffset",
  });
  // Node.js 22 writes UTC as "GMT" alone.
  const offset = (_: string, shift: string) => shift || "+00:00";
  const iso = (text: string) => text.replace(", ", "T").replace(/ GMT(.*)/, offset);
  return (at) => iso(format.format(at));
}

/** Start of the day in a time zone, in milliseconds. */
export function midnightIn(timeZone: string, now: number): number {
  const toDay = dayIn(timeZone);
  const today = toDay(now);
  // Days have 23 to 25 hours, so the midnight is found, not computed.
  let [before, from] = [now - 26 * HOUR_MS, now];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (toDay(middle) === today) from = middle;
    else before = middle;
  }
  return from;
}

/** Moment of the day that begins at `midnight` when the clock of its time zone shows this hour. */
export function hourIn(timeZone: string, midnight: number, hour: number): number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    timeStyle: "short",
    hourCycle: "h23",
  });
  const usual = midnight + hour * HOUR_MS;
  const [shown = 0, minutes = 0] = format.format(usual).split(":").map(Number);
  // The clock was changed since midnight.
  return usual + (hour - shown) * HOUR_MS - minutes * MINUTE_MS;
}

interface Calendar {
  timeZone: string;
  shop: {
    readonly delivery_days: readonly [earliest: number, latest: number];
    readonly pause?: { readonly from: string; readonly until: string } | null;
  };
}

/**
 * Estimates deliveries by the shop's calendar: the order date is the shop's day (contract §5). Orders that
 * a break of the shop interrupts count from its reopening. `daysPast`: calendar days since the latest
 * estimate; below 1 while the order is not late.
 */
export function estimateIn({ timeZone, shop }: Calendar, now: number) {
  const [first, last] = shop.delivery_days;
  const { pause } = shop;
  const isInterrupted = (day: string) =>
    pause && day < pause.until && daysAfter(day, last) >= pause.from;
  const toDay = dayIn(timeZone);
  const today = toDay(now);
  return (orderedAt: number) => {
    const ordered = toDay(orderedAt);
    const day = pause && isInterrupted(ordered) ? pause.until : ordered;
    const earliest = daysAfter(day, first);
    const latest = daysAfter(day, last);
    // Both are parsed as midnights in UTC, whose days all have the same length.
    const daysPast = (Date.parse(today) - Date.parse(latest)) / DAY_MS;
    return { delivery: { earliest, latest }, daysPast };
  };
}

/** "1 day", "3 days". */
export const days = (count: number): string => `${count} ${count === 1 ? "day" : "days"}`;

export const years = (count: number): string => `${count} ${count === 1 ? "year" : "years"}`;

/** The same date and time, so many years ago. */
export function yearsBefore(now: number, count: number): number {
  const then = new Date(now);
  return then.setUTCFullYear(then.getUTCFullYear() - count);
}

/** Sums of a day and a number of days. Every quote asks for the same two. */
const sums = new Map<string, string>();

/** Adds calendar days to a day; a negative number subtracts them. */
export function daysAfter(day: string, days: number): string {
  const asked = `${day} ${days}`;
  const known = sums.get(asked);
  if (known) return known;
  // A day is parsed as its midnight in UTC, whose days all have the same length.
  const sum = new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
  if (sums.size >= MOST_SUMS) sums.clear();
  sums.set(asked, sum);
  return sum;
}

const MOST_SUMS = 1000;

/** Format of a moment in letters and on pages. */
export const MOMENT = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const satisfies Intl.DateTimeFormatOptions;

/** `2026-03-04T10:00:00.000Z` → `Mar 4, 2026, 4:00 AM CST`, by the shop's clock. */
export const momentIn = (timeZone: string, iso: string): string =>
  new Intl.DateTimeFormat("en-US", { ...MOMENT, timeZone })
    .format(new Date(iso))
    .replace(/\s(?=[AP]M\b)/, " ");

/** `2026-03-09` → `Monday, March 9`: a calendar day, the same in every time zone. */
export const dayOf = (day: string): string =>
  new Intl.DateTimeFormat("en-US", {
    timeZone: "UTC",
    weekday: "long",
    month: "long",
    day: "numeric",
  }).format(new Date(day));

/** Tolerance for the clocks of two instances, and for two calls that overtake each other. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

/**
 * Whether a window of `lengthMs` that ends at `endsAt` is open. A window that ends much later began by a
 * clock that was set back since: it counts as over, because it could stay open for years.
 */
export const isUnderWay = (endsAt: number, lengthMs: number, now: number): boolean =>
  now < endsAt && endsAt - now <= lengthMs + CLOCKS_DIFFER_MS;
