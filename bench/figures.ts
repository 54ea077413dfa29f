import { cpus } from "node:os";

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}`;

/** Markdown, so that it can be pasted as it is: names on the left, numbers on the right. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** 1234567 as "1,234,567". */
export const whole = (value: number): string => value.toLocaleString("en-US");
