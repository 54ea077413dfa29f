import type { z } from "zod";
import type { Problem } from "./errors.ts";
import { LIMITS } from "./policy.ts";

/** Fields whose upper bounds are the bag limits of contract §3: beyond them a bulk lead helps. */
const BAG_FIELDS = new Set(["quantity", "items", "shipments"]);

/**
 * zod's issues with an input as problems: a JSON Pointer, a code, and what to do about it. As many as
 * an answer tells, and how many more there are, which nobody looks at.
 */
export function inputProblems(error: z.ZodError, input: unknown): Found {
  const problems: Problem[] = [];
  let all = 0;
  for (const issue of error.issues) {
    const room = LIMITS.problems - problems.length;
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    problems.push(...keys.slice(0, room).map((key) => unknownField(issue.path, key)));
    if (keys.length === 0 && room > 0) problems.push(problemOf(issue, input));
    all += keys.length || 1;
  }
  return { problems, more: all - problems.length };
}

export interface Found {
  problems: Problem[];
  /** Those that are not told. */
  more: number;
}

const unknownField = (path: readonly PropertyKey[], key: string): Problem => ({
  pointer: pointer([...path, key]),
  code: "UNKNOWN_FIELD",
  detail: `"${printable(key)}" is not a field here. Leave it out.`,
});

function problemOf(issue: z.core.$ZodIssue, input: unknown): Problem {
  const missing = at(input, issue.path) === undefined;
  return { pointer: pointer(issue.path), code: codeOf(issue, missing), detail: detailOf(issue) };
}

/** What was sent there; zod keeps it to itself. */
const at = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown>)?.[part], input);

const ABSENT = new Set(["invalid_type", "invalid_value"]);

function codeOf(issue: z.core.$ZodIssue, missing: boolean): string {
  const given = issue.code === "custom" ? issue.params?.code : undefined;
  if (typeof given === "string") return given;
  if (issue.code === "too_big" && BAG_FIELDS.has(String(issue.path.at(-1))))
    return "LIMIT_EXCEEDED";
  if (missing && ABSENT.has(issue.code ?? "")) return "MISSING";
  return (
    { too_big: "TOO_BIG", too_small: "TOO_SMALL", invalid_type: "WRONG_TYPE" }[
      issue.code as string
    ] ?? "INVALID"
  );
}

function detailOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type") return issue.message;
  if (issue.message.startsWith("Invalid input: expected")) {
    const expected = `${issue.expected === "int" ? "a whole number" : issue.expected}`;
    return issue.message.endsWith("received undefined")
      ? `Missing; expected ${expected}.`
      : `Expected ${expected}.`;
  }
  return issue.message;
}

/** RFC 6901. Numbers are positions in arrays. */
const pointer = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => `/${printable(String(part)).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");

/** A stranger's word inside our answer: short and without control characters. */
const printable = (text: string): string => text.slice(0, 40).replace(/[\p{C}"]/gu, "?");
