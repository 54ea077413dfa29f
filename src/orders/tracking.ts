import { z } from "zod";
import type { MerchantError } from "../core/errors.ts";
import { line, text, trackingKey } from "../core/fields.ts";
import { invalid } from "../core/input-problems.ts";
import { sum } from "../core/money.ts";

/** Longer than any carrier's number. */
const LONGEST_NUMBER = 40;

/** Refuses a pasted column of numbers, with or without spaces in between. */
function onlyOne(value: string): string | null {
  if (carrierOf(value) !== null) return null;
  const key = trackingKey(value);
  const complete = value.split(/\s+/).filter((part) => /^(?=.*\d)[\w-]{8,}$/.test(part));
  const repeats = [2, 3, 4].some((count) => isRepeated(key, count));
  if (complete.length < 2 && key.length <= LONGEST_NUMBER && !repeats) return null;
  return "This looks like more than one tracking number. Enter one per shipment.";
}

const isRepeated = (key: string, count: number): boolean => {
  const length = key.length / count;
  const parts = Array.from({ length: count }, (_, i) => key.slice(i * length, (i + 1) * length));
  return Number.isInteger(length) && parts.every((part) => carrierOf(part) !== null);
};

export const TypedTracking = z.strictObject({
  carrier: line("The carrier", 60)
    .optional()
    .describe("Not needed if the number tells: USPS, UPS, FedEx, DHL."),
  number: line("The tracking number", 100, onlyOne).describe("The tracking number."),
  url: text({ what: "The tracking link", most: 500, rules: [followable] })
    .optional()
    .describe("Tracking link."),
});

/** Buyers open the link from our page, so it must be https without a password. */
function followable(value: string): string | null {
  const url = /^[\x21-\x7e]+$/.test(value) && URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== "https:") return "The tracking link must be a complete https address.";
  return url.username || url.password ? "The tracking link must not carry a user's name." : null;
}

type TypedTracking = z.infer<typeof TypedTracking>;

export interface Tracking extends TypedTracking {
  carrier: string;
}

/** Adds the carrier by the number's format if none was typed. */
export function completeTracking(typed: TypedTracking): Tracking {
  const carrier = typed.carrier ?? carrierOf(typed.number);
  if (carrier !== null) return { ...typed, carrier };
  const detail =
    "We don't recognize this number. Enter its carrier, such as USPS, UPS, FedEx or DHL.";
  throw invalid({ problems: [{ pointer: "/tracking/carrier", code: "MISSING", detail }] });
}

/** Columns of a shipment's row. */
export const trackingColumns = ({ carrier, number, url }: Tracking) => ({
  carrier,
  tracking_number: number,
  tracking_key: trackingKey(number),
  tracking_url: url ?? null,
});

/** Tracking pages of US carriers, by the carrier's name as people write it. */
const CARRIER_PAGES: readonly [carrier: RegExp, number: RegExp, page: string][] = [
  [
    /\busps\b|postal service/i,
    /^(\d{20,34}|[A-Z]{2}\d{9}US)$/,
    "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
  ],
  [/\bups\b/i, /^(1Z[A-Z0-9]{16}|T?\d{9,12})$/, "https://www.ups.com/track?tracknum="],
  [
    /\bfed ?ex\b/i,
    /^(\d{12}|\d{15}|\d{20}|\d{22}|\d{34})$/,
    "https://www.fedex.com/fedextrack/?trknbr=",
  ],
  [
    /\bdhl\b/i,
    /^(\d{10,22}|[A-Z]{2,5}\d{9,20}[A-Z]{0,2})$/,
    "https://www.dhl.com/us-en/home/tracking.html?tracking-id=",
  ],
];

/** The carrier's tracking page, or null for another carrier or an unknown number format. */
export function trackingPage(carrier: string, number: string): string | null {
  const key = trackingKey(number);
  const known = CARRIER_PAGES.find(([name, form]) => name.test(carrier) && form.test(key));
  return known ? known[2] + key : null;
}

/** Number formats that reveal their carrier. The pages above accept more formats. */
const FORMATS: readonly (readonly [carrier: string, format: RegExp])[] = [
  ["UPS", /^1Z[0-9A-Z]{16}$/],
  ["USPS", /^(420\d{5}(\d{4})?)?9[1-5]\d{18}(\d{2}){0,3}$|^[A-Z]{2}\d{9}US$/],
  ["FedEx", /^(\d{12}|\d{15}|96\d{20})$/],
  ["DHL", /^(\d{10}|JJ?D\d{16,20}|GM\d{16,20})$/],
];

/** The carrier with this number format, or null. */
export function carrierOf(number: string): string | null {
  const key = trackingKey(number);
  return FORMATS.find(([, format]) => format.test(key))?.[0] ?? null;
}

const USPS_BARCODE = /^9[1-5]\d{18}(?:\d{2}){0,3}$/;

/** Whether its last digit contradicts the others, which from the right count three times and once in turn. */
function isMistyped(number: string): boolean {
  const key = trackingKey(number);
  // The ZIP code before it has five or nine digits.
  const cuts = key.startsWith("420") ? [8, 12] : [0];
  const barcodes = cuts.map((cut) => key.slice(cut)).filter((part) => USPS_BARCODE.test(part));
  const isRight = (digits: string) =>
    sum([...digits].reverse().map((digit, i) => Number(digit) * (i % 2 === 0 ? 1 : 3))) % 10 === 0;
  return barcodes.length > 0 && !barcodes.some(isRight);
}

/** Excel writes a long number as 9.40011E+21 and loses its digits. */
const SHORTENED = /^\d([.,]\d+)?E\+?\d+$/i;

/** Why a scanned, pasted or uploaded number can't be right, or null. */
export function numberProblem({ number, carrier }: TypedTracking): string | null {
  if (SHORTENED.test(number.trim())) {
    return "Your spreadsheet shortened this number. Format the column as text, and export it again.";
  }
  if (carrierOf(number) !== null) return null;
  if (carrier === undefined) return "No carrier has such numbers. Check it, or name its carrier.";
  const known = CARRIER_PAGES.find(([name]) => name.test(carrier));
  if (known) return trackingPage(carrier, number) ? null : `${carrier} has no such numbers.`;
  const isOne = /\d/.test(number) && /^[\w\s./-]{1,40}$/.test(number);
  return isOne ? null : "This is no tracking number.";
}

/** Refuses what `numberProblem` finds. */
export function refuseNumber(typed: TypedTracking): void {
  const detail = numberProblem(typed);
  if (detail === null) return;
  throw invalid({ problems: [{ pointer: "/tracking/number", code: "INVALID", detail }] });
}

/** A label for a shipment. */
export interface Label {
  tracking: Tracking;
  /** Why its number is probably wrong; null if it isn't, or if the merchant keeps it anyway. */
  doubt: Doubt | null;
}

interface Doubt {
  code: string;
  /** What the number is. */
  words: string;
}

/** `alsoOn`: shipments to other addresses with this number. */
export function doubtAbout(number: string, alsoOn: readonly string[]): Doubt | null {
  if (alsoOn.length > 0) return { code: USED, words: `also on ${alsoOn.join(", ")}` };
  const words = "mistyped: its last digit doesn’t fit the others";
  return isMistyped(number) ? { code: MISTYPED, words } : null;
}

/** Says once that a number is doubtful: the buyer would follow another's parcel, or none. */
export function refuseDoubtful(
  { doubt, tracking: { number } }: Label,
  by: { actor: string },
): void {
  if (doubt === null) return;
  const keep = by.actor === "cli" ? "add --again" : "submit again";
  const detail = `${number} is ${doubt.words}; ${keep} to keep it.`;
  throw invalid({ problems: [{ pointer: "/tracking/number", code: doubt.code, detail }] });
}

const USED = "USED";
const MISTYPED = "MISTYPED";

/** Whether a refusal only asks to submit again. */
export const isDoubt = ({ problems }: Pick<MerchantError, "problems">): boolean =>
  [USED, MISTYPED].includes(problems[0]?.code ?? "");
