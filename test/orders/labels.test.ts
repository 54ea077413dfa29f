import { expect, test } from "vitest";
import { matchNumbers, readNumbers, type ToLabel } from "../../src/orders/labels.ts";

const UPS = ["1Z999AA10123456784", "1Z999AA10123456785", "1Z999AA10123456786"] as const;

test.each([
  ["two columns with tabs", `1001\t${UPS[0]}\n1002\t${UPS[1]}`],
  ["two columns, the number first", `${UPS[0]},#1001\n${UPS[1]},#1002\n\n`],
  ["a heading and blank lines", `Order,Tracking\n\n1001,${UPS[0]}\n,\n1002,${UPS[1]}\n`],
  [
    "a tool's file with quotes and line breaks",
    `"Recipient","Order #","Tracking URL","Tracking Number"\r\n"Poe,\nMary","1001","https://x","${UPS[0]}"\r\n"B","1002","","'${UPS[1]}"`,
  ],
  ["semicolons", `order number;tracking\n1001;${UPS[0]}\n1002;${UPS[1]}`],
])("%s", (_name, text) => {
  expect(readNumbers(text).map(({ ref, number }) => [ref, number])).toEqual([
    ["1001", UPS[0]],
    ["1002", UPS[1]],
  ]);
});

test("a plain column keeps its inner blank lines, and loses its heading", () => {
  const numbers = readNumbers(`Tracking #\n${UPS[0]}\n\n${UPS[1]}\n\n`);
  expect(numbers.map(({ ref, number }) => [ref, number])).toEqual([
    [null, UPS[0]],
    [null, ""],
    [null, UPS[1]],
  ]);
});

const waiting = (number: number, ref: string): ToLabel =>
  ({ order: { number, id: `ord_${number}` }, shipment: { id: `shp_${ref}` }, ref }) as ToLabel;

test("one of several shipments is named by its suffix, which the last one doesn't need", () => {
  const line = (ref: string, number: string) => ({ line: 1, ref, number, carrier: null });
  const both = [waiting(1001, "1001-1"), waiting(1001, "1001-2")];
  const { unmatched } = matchNumbers([line("1001", UPS[0])], both);
  expect(unmatched[0]?.problem).toBe("#1001 has several shipments: use 1001-1, 1001-2.");
  const { matched } = matchNumbers([line("1001", UPS[0])], both.slice(1));
  expect(matched).toMatchObject([{ shipment_id: "shp_1001-2", problem: null }]);
});

test("a number or order that is listed twice is reported", () => {
  const text = `1001,${UPS[0]}\n1002,${UPS[0]}\n1001,${UPS[2]}`;
  const all = [waiting(1001, "1001"), waiting(1002, "1002")];
  const { matched, unmatched } = matchNumbers(readNumbers(text), all);
  expect(matched.map(({ problem }) => problem)).toEqual([null, null]);
  expect(matched.map(({ notice }) => notice !== null)).toEqual([false, true]);
  expect(unmatched).toMatchObject([{ line: 3 }]);
});
