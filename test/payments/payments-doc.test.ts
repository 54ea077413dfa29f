/** docs/payments.md: its tables are what the code sends and reads, and the tests it names are there. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { READ } from "../../src/payments/stripe-answers.ts";
import { EVENTS_OF_INTEREST, READ_OF_EVENTS } from "../../src/payments/stripe-webhook.ts";
import { CALLS } from "./exchange.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const text = readFileSync(`${root}docs/payments.md`, "utf8");
const section = (title: string): string => text.split(`## ${title}\n`)[1]!.split("\n## ")[0]!;
const words = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);

test("every request that can be sent is in the table, and no other", () => {
  const rows = [...section("Requests").matchAll(/^\| `((?:GET|POST) [^`]+)` \|/gm)];
  const calls = CALLS.map(({ method, path }) => `${method} ${path}`);
  expect(rows.map(([, call]) => call).toSorted()).toEqual(calls.toSorted());
});

test("every field that is read is in the table, and no other", () => {
  const rows = [
    ...section("What is read of the answers").matchAll(
      /^\| (\w+) \| (`object`|`id`|`disputed`)(.*)\|$/gm,
    ),
  ];
  const told = Object.fromEntries(
    rows.map(([, name, first, rest]) => [name, words(first! + rest)]),
  );
  expect(told).toEqual({ ...READ, event: READ_OF_EVENTS });
});

test("every event that is listened to is in the table, and no other", () => {
  const rows = [...section("Events").matchAll(/^\| `([\w.]+)` \|/gm)];
  expect(rows.map(([, type]) => type)).toEqual([...EVENTS_OF_INTEREST]);
});

test("the tests that it names are there", () => {
  const named = [...text.matchAll(/`([\w-]+\.test\.ts)`: "([^"]+)"/g)];
  expect(named.length).toBeGreaterThan(20);
  const absent = named.filter(([, file, name]) => {
    const [path] = globSync(`test/**/${file}`, { cwd: root });
    return !path || !readFileSync(root + path, "utf8").includes(name!);
  });
  expect(absent.map(([row]) => row)).toEqual([]);
});
