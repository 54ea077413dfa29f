import { expect, test } from "vitest";
import { matchNumbers, readNumbers, type ToLabel } from "../../src/orders/labels.ts";

const UPS = ["1Z999AA10123456784", "1Z999AA10123456785", "1Z999AA10123456786"] as const;

const waiting = (number: number, ref = String(number)): ToLabel =>
  ({ order: { number, id: `ord_${number}` }, shipment: { id: `shp_${ref}` }, ref }) as ToLabel;

const TWO = [waiting(1001), waiting(1002)];

test.each([
  ["two columns with tabs", `1001\t${UPS[0]}\n1002\t${UPS[1]}`],
  ["two columns, the number first", `${UPS[0]},#1001\n${UPS[1]},#1002\n\n`],
  ["a heading and blank lines", `Order,Tracking\n\n1001,${UPS[0]}\n,\n1002,${UPS[1]}\n`],
  [
    "a tool's file with quotes and line breaks",
    `"Recipient","Order #","Tracking URL","Tracking Number"\r\n"Poe,\nMary","1001","https://x","${UPS[0]}"\r\n"B","1002","","'${UPS[1]}"`,
  ],
  ["semicolons", `order number;tracking\n1001;${UPS[0]}\n1002;${UPS[1]}`],
  [
    "a heading that no tool of ours writes",
    `Tracking Number,Order - Number\n${UPS[0]},1001\n${UPS[1]},1002`,
  ],
  ["headings in German", `Sendung,Bestellung,Name\n${UPS[0]},1001,Ann\n${UPS[1]},1002,Bo`],
  ["a copy of the column", `Order ID,Reference,Tracking\n1001,1001,${UPS[0]}\n1002,1002,${UPS[1]}`],
  [
    "a column of the tool's own ids",
    `Order ID,Note,Tracking\n77,1001,${UPS[0]}\n78,1002,${UPS[1]}`,
  ],
])("%s", (_name, text) => {
  const { lines, columns } = readNumbers(text, TWO);
  expect(columns).toBeNull();
  expect(lines.map(({ ref, number }) => [ref, number])).toEqual([
    ["1001", UPS[0]],
    ["1002", UPS[1]],
  ]);
});

test.each([
  ["no value is an order that waits", `Order,Tracking\n2001,${UPS[0]}\n2002,${UPS[1]}`, ["Order"]],
  [
    "two columns name different orders",
    `A,B,Tracking\n1001,1002,${UPS[0]}\n1002,1001,${UPS[1]}`,
    ["A", "B"],
  ],
  [
    "a few ZIP codes look like orders",
    `Name,Zip,Tracking\nAnn,1001,${UPS[0]}\nBo,2139,${UPS[1]}\nCy,60601,${UPS[2]}`,
    ["Name", "Zip"],
  ],
  ["there is no heading", `2001,${UPS[0]}\n2002,${UPS[1]}`, ["", ""]],
])("the merchant is asked for the column if %s", (_why, text, headings) => {
  const { lines, columns } = readNumbers(text, TWO);
  expect(lines).toEqual([]);
  expect(columns?.map(({ heading }) => heading)).toEqual(headings);
  const { column } = columns![0]!;
  const chosen = readNumbers(text, TWO, column);
  expect([chosen.columns, chosen.lines.map(({ number }) => number)]).toEqual([
    null,
    UPS.slice(0, chosen.lines.length),
  ]);
});

test("a table is never matched by its rows", () => {
  const text = `Order - Number,Name,Tracking Number\nx-7,Ann,${UPS[0]}\nx-8,Bo,${UPS[1]}`;
  for (const column of [undefined, 1, 2]) {
    const { lines } = readNumbers(text, TWO, column);
    expect(matchNumbers(lines, TWO).matched).toEqual([]);
  }
});

test("a plain column keeps its inner blank lines, and loses its heading", () => {
  const { lines } = readNumbers(`Tracking #\n${UPS[0]}\n\n${UPS[1]}\n\n`, TWO);
  expect(lines.map(({ ref, number }) => [ref, number])).toEqual([
    [null, UPS[0]],
    [null, ""],
    [null, UPS[1]],
  ]);
});

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
  const { matched, unmatched } = matchNumbers(readNumbers(text, TWO).lines, TWO);
  expect(matched.map(({ problem }) => problem)).toEqual([null, null]);
  expect(matched.map(({ notice }) => notice !== null)).toEqual([false, true]);
  expect(unmatched).toMatchObject([{ line: 3 }]);
});
