import { DAY_MS } from "./policy.ts";
import type { Shop } from "./shop.ts";

/** Making one costs a hundred times what using it does; a shop has one. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of a moment in a time zone (an IANA name), YYYY-MM-DD. */
export function dayIn(timeZone: string): (ms: number) => string {
  const known = formats.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  formats.set(timeZone, format);
  return (ms) => format.format(ms);
}

/**
 * When an order is expected, by the shop's own calendar: the order date is the day that it was there
 * (contract §5). `daysPast`: by how many days of the calendar that is over now; below 1 where it is not.
 */
export function estimateIn(
  { timeZone, shop }: { timeZone: string; shop: Pick<Shop, "delivery_days"> },
  now: number,
) {
  const [first, last] = shop.delivery_days;
  const dayOf = dayIn(timeZone);
  const today = dayOf(now);
  return (orderedAt: number) => {
    const day = dayOf(orderedAt);
    const earliest = daysAfter(day, first);
    const latest = daysAfter(day, last);
    // Both are read as midnights of UTC, whose days are all of one length.
    const daysPast = (Date.parse(today) - Date.parse(latest)) / DAY_MS;
    return { delivery: { earliest, latest }, daysPast };
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
