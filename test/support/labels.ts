/** A tracking number of USPS with its check digit. */
export function uspsNumber(serial: number): string {
  const body = `9400100${String(serial).padStart(14, "0")}`;
  const weighted = [...body].reverse().map((digit, i) => Number(digit) * (i % 2 === 0 ? 3 : 1));
  const sum = weighted.reduce((all, one) => all + one, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}
