/** An amount in integer minor units (cents) of usd. Never a float, never dollars. */
export type Minor = number;

export const CURRENCY = "usd";

/** "$1,234.50" for 123450: for people to read, beside every total, never to calculate with. */
export function display(minor: Minor): string {
  const sign = minor < 0 ? "-" : "";
  const cents = Math.abs(minor);
  const dollars = Math.floor(cents / 100)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sign}$${dollars}.${String(cents % 100).padStart(2, "0")}`;
}

export const sum = (amounts: readonly Minor[]): Minor => amounts.reduce((a, b) => a + b, 0);
