/** An amount in integer minor units (cents) of usd. Never a float, never dollars. */
export type Minor = number;

export const CURRENCY = "usd";

/** "$1,234.50" for 123450: for people, never for calculations. */
export function display(minor: Minor): string {
  const sign = minor < 0 ? "-" : "";
  const cents = Math.abs(minor);
  const dollars = Math.floor(cents / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}$${dollars}.${String(cents % 100).padStart(2, "0")}`;
}

/** "$100" for 10000: for sentences, in which whole dollars have no cents. */
export const plainDollars = (minor: Minor): string => display(minor).replace(/\.00$/, "");

export const typedDollars = (minor: Minor): string => display(minor).replace(/[$,]/g, "");

/** Parses "12.50" or "12.5" as 1250, without floats; null for other text. */
export function cents(text: string): Minor | null {
  const [, dollars, rest = ""] = /^\$?(0|[1-9]\d{0,5})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(rest.padEnd(2, "0"));
}

export const sum = (amounts: readonly Minor[]): Minor => amounts.reduce((a, b) => a + b, 0);
