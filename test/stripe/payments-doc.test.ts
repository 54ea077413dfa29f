/** The tables in docs/payments.md match the code and the requests on the wire. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  DISPUTE_STATUS,
  MAY_PASS,
  REFUND_REFUSALS,
  REFUND_STATUS,
  SESSION_WORDS,
} from "../../src/payments/stripe/answers.ts";
import { CALLS, everything } from "./exchange.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const text = readFileSync(`${root}docs/payments.md`, "utf8");

/** Cells of the table whose first column has this name. */
function rowsOf(first: string): string[][] {
  const [, after = ""] = text.split(new RegExp(`^\\| ${first} \\|.*\\n\\|[ -|]+\\n`, "m"));
  const rows = after.split("\n\n")[0]!.split("\n");
  return rows.map((row) => row.split(/ ?\| ?/).slice(1, -1));
}

const words = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
const sorted = (list: Iterable<string>): string[] => [...list].toSorted();

const REQUESTS = rowsOf("Call");
const WORDS = rowsOf("Word");

test("the table lists every request with every parameter, and no other", async () => {
  const { made } = await everything();
  const sent = CALLS.map((call) => {
    const params = made.filter((one) => one.call === call).map((one) => Object.keys(one.params!));
    return [`${call.method} ${call.path}`, sorted(new Set(params.flat()))];
  });
  const told = REQUESTS.map(([call, , params]) => [words(call!)[0], sorted(words(params!))]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(sent));
});

test("exactly the requests that change something carry an idempotency key", () => {
  const keyed = REQUESTS.map(([call, , , key]) => [call, key !== ""]);
  expect(keyed).toEqual(REQUESTS.map(([call]) => [call, call!.includes("POST")]));
});

/** Meaning of each word in the rows of a kind. */
const takenAs = (kind: string): Record<string, string> =>
  Object.fromEntries(
    WORDS.filter(([word]) => word!.startsWith(`${kind} \``)).flatMap(([word, as]) =>
      words(word!).map((one) => [one, as!.split(",")[0]!]),
    ),
  );

test("the table explains every known status of refunds and disputes", () => {
  const refund = { pending: "PENDING", succeeded: "DONE", failed: "FAILED" } as const;
  const dispute = { open: "OPEN", won: "WON", lost: "LOST" } as const;
  expect(takenAs("refund")).toEqual(
    Object.fromEntries(Object.entries(REFUND_STATUS).map(([word, as]) => [word, refund[as]])),
  );
  expect(takenAs("dispute")).toEqual(
    Object.fromEntries(Object.entries(DISPUTE_STATUS).map(([word, as]) => [word, dispute[as]])),
  );
});

/** The rows whose first cell starts with this field, and the words after it. */
const named = (field: string) =>
  WORDS.filter(([word]) => word!.startsWith(`${field}:`)).map(
    ([word, as]) => [words(word!).slice(1), as!.split(/[,;]/)[0]!] as const,
  );

test("the table explains every known status of sessions and payments, and no other", () => {
  const payment = named("payment `status`").flatMap(([all, as]) => all.map((one) => [one, as]));
  expect({
    status: named("session `status`").flatMap(([all]) => all),
    payment_status: sorted(named("`payment_status`").flatMap(([all]) => all)),
    payment: Object.fromEntries(payment),
  }).toEqual({ ...SESSION_WORDS, payment_status: sorted(SESSION_WORDS.payment_status) });
});

test("the table lists every refusal of a refund and every failure that may pass", () => {
  const refusals = WORDS.filter(([, as]) => /^(the refund waits|nothing is left)/.test(as!));
  const codes = refusals.flatMap(([word]) => words(word!));
  expect(sorted(codes)).toEqual(sorted(Object.keys(REFUND_REFUSALS)));
  const passing = WORDS.find(([word]) => word!.includes("silence"))![0]!;
  // A 400 can be a rate limit; any other 400 is a refusal.
  expect(passing.match(/\b4\d\d\b/g)).toEqual(["400", ...[...MAY_PASS].map(String)]);
});
