import { z } from "zod";
import type { Problem } from "./errors.ts";
import { VALUE_ALIASES } from "./field-aliases.ts";
import { fieldAt, isOptional, meantField, namesIn, type Path, valueAt } from "./field-places.ts";
import { nearest } from "./nearest.ts";
import { LIMITS } from "./policy.ts";
import { secretIn } from "./secrets.ts";

/**
 * Fields whose upper bounds are the bag limits of contract §3: beyond them a bulk lead helps. Where one is
 * text, as the quantity of a bulk lead is, its bound is one of length.
 */
const BAG_FIELDS = new Set(["quantity", "items", "shipments"]);

interface CheckedInput {
  schema: z.ZodType;
  input: unknown;
}

interface InputProblems {
  problems: Problem[];
  /** Those that are not told. */
  more: number;
}

/**
 * zod's issues with an input as problems: a JSON Pointer, a code, what came, what is expected, and the
 * nearest right name or value. As many as an answer tells, and how many more there are, which are not
 * looked at.
 */
export function inputProblems(error: z.ZodError, checked: CheckedInput): InputProblems {
  const problems: Problem[] = [];
  let all = 0;
  for (const issue of sensible(error.issues)) {
    const room = LIMITS.problems - problems.length;
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    problems.push(...keys.slice(0, room).map((key) => unknownField(checked, issue.path, key)));
    if (keys.length === 0 && room > 0) problems.push(problemOf(issue, checked));
    all += keys.length || 1;
  }
  return { problems, more: all - problems.length };
}

/** Of what is of another kind, such as text in place of a list, no bound of that kind says anything. */
function sensible(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const place = ({ path }: z.core.$ZodIssue) => JSON.stringify(path);
  const odd = new Set(issues.filter(({ code }) => code === "invalid_type").map(place));
  return issues.filter((issue) => issue.code === "invalid_type" || !odd.has(place(issue)));
}

function unknownField({ schema, input }: CheckedInput, path: Path, key: string): Problem {
  const meant = meantField(schema, path, key, input);
  const inside = valueAt(input, [...path, key]);
  const wraps =
    meant === null &&
    namesIn(fieldAt(schema, path)).some((name) => valueAt(inside, [name]) !== undefined);
  const what = `"${printable(key)}" is not a field here.`;
  return {
    pointer: pointer([...path, key]),
    code: "UNKNOWN_FIELD",
    detail: meant
      ? `${what} Did you mean ${pointer(meant)}?`
      : `${what} ${wraps ? "Send what is in it without it." : "Leave it out."}`,
    ...(meant && { did_you_mean: pointer(meant) }),
  };
}

function problemOf(issue: z.core.$ZodIssue, { schema, input }: CheckedInput): Problem {
  const value = valueAt(input, issue.path);
  const meant = issue.code === "invalid_value" ? meantValue(issue.values, value) : null;
  const told = detailOf(issue, fieldAt(schema, issue.path), value);
  const detail =
    (value === null || value === "") && isOptional(schema, issue.path)
      ? `${told} Or leave it out.`
      : told;
  const code = codeOf(issue, value === undefined);
  // Of the bags of a whole order its shipments are no measure.
  const ofAll = code === "LIMIT_EXCEEDED" && issue.code === "custom";
  const came = code === "SECRET_IN_MESSAGE" || ofAll ? {} : asReceived(value);
  return {
    pointer: pointer(issue.path),
    code,
    detail: meant === null ? detail : `${detail} Did you mean "${meant}"?`,
    ...came,
    ...(meant !== null && { did_you_mean: meant }),
  };
}

const meantValue = (values: readonly unknown[], value: unknown): string | null =>
  typeof value === "string" ? nearest(value, values.map(String), VALUE_ALIASES) : null;

/** What came, for a problem to name; nothing where that says nothing, or might be a secret. */
export const asReceived = (value: unknown): Pick<Problem, "received"> => {
  const came = received(value);
  return came === undefined ? {} : { received: came };
};

/** The same in a few characters. */
function received(value: unknown): string | undefined {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return value === undefined ? undefined : String(value);
  const secret = value.length > MOST_TOLD || secretIn(value) !== null;
  return secret ? undefined : `"${printable(value)}"`;
}

/** Of longer text its beginning would say little, and could be the beginning of a secret. */
const MOST_TOLD = 40;

const ABSENT = new Set(["invalid_type", "invalid_value"]);

function codeOf(issue: z.core.$ZodIssue, missing: boolean): string {
  const given = issue.code === "custom" ? issue.params?.code : undefined;
  if (typeof given === "string") return given;
  const ofBags = BAG_FIELDS.has(String(issue.path.at(-1)));
  if (issue.code === "too_big" && ofBags && issue.origin !== "string") return "LIMIT_EXCEEDED";
  if (missing && ABSENT.has(issue.code ?? "")) return "MISSING";
  return (
    { too_big: "TOO_BIG", too_small: "TOO_SMALL", invalid_type: "WRONG_TYPE" }[
      issue.code as string
    ] ?? "INVALID"
  );
}

/** zod's own words are for programmers; a field's own words stand as they are. */
function detailOf(issue: z.core.$ZodIssue, field: z.ZodType | undefined, value: unknown): string {
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid ")) {
    return `${value === undefined ? "Missing; o" : "O"}ne of ${issue.values.map((one) => JSON.stringify(one)).join(", ")}.`;
  }
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) {
    return issue.message;
  }
  const expected = expectedIn(field, value, issue.path.at(-1));
  return value === undefined
    ? `Missing; expected ${expected}.`
    : `${expected.charAt(0).toUpperCase()}${expected.slice(1)}.`;
}

function expectedIn(field: z.ZodType | undefined, value: unknown, name?: PropertyKey): string {
  if (field instanceof z.ZodArray) {
    return `a list, also of one: [ … ]${typeof value === "string" ? ", and not as text" : ""}`;
  }
  if (field instanceof z.ZodObject) return `an object with ${namesIn(field).join(", ")}`;
  if (field instanceof z.ZodString) {
    if (typeof value !== "number") return "text in quotes";
    // As a number a ZIP code has lost the zeros that it begins with.
    const written = name === "postal_code" ? String(value).padStart(5, "0") : value;
    return `text: send "${written}" in quotes`;
  }
  if (field instanceof z.ZodBoolean) return "true or false";
  return field instanceof z.ZodNumber ? "a whole number" : "another kind of value";
}

/** RFC 6901. Numbers are positions in lists. */
export const pointer = (path: Path): string =>
  path
    .map((part) => `/${printable(String(part)).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");

/** A stranger's word inside our answer: short and without control characters. */
export const printable = (text: string): string => text.slice(0, 40).replace(/[\p{C}"]/gu, "?");
