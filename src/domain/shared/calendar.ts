import { DAY_MS, DELIVERY_DAYS } from "./policy.ts";

/** Making one costs a hundred times what using it does; a shop has one. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of a moment in a time zone (an IANA name), YYYY-MM-DD. */
export function dayIn(timeZone: string): (ms: number) => string {
  const known = formats.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  formats.set(timeZone, format);
  return (ms) => format.format(ms);
}

/** By the shop's own calendar: the order date is the day that it was there (contract §5). */
export function deliveryIn(timeZone: string) {
  const dayOf = dayIn(timeZone);
  return (orderedAt: number): { earliest: string; latest: string } => {
    const day = dayOf(orderedAt);
    const { earliest, latest } = DELIVERY_DAYS;
    return { earliest: daysAfter(day, earliest), latest: daysAfter(day, latest) };
  };
}

/** The same with `daysPast`: how many days of the calendar it is over now; below 1 where it is not. */
export function estimateIn(timeZone: string, now: number) {
  const deliveryOf = deliveryIn(timeZone);
  const today = dayIn(timeZone)(now);
  return (orderedAt: number) => {
    const delivery = deliveryOf(orderedAt);
    // Both are read as midnights of UTC, whose days are all of one length.
    const daysPast = (Date.parse(today) - Date.parse(delivery.latest)) / DAY_MS;
    return { delivery, daysPast };
  };
}

/** "1 day", "3 days". */
export const days = (count: number): string => `${count} ${count === 1 ? "day" : "days"}`;

/** So many days after a day, or before it where `days` is negative. By the calendar: hours differ. */
export function daysAfter(day: string, days: number): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
