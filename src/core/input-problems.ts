import { z } from "zod";
import { ERRORS, type ErrorCode, MerchantError, type NextStep, type Problem } from "./errors.ts";
import { meantName, nearest } from "./nearest.ts";
import { step, type ToolName } from "./next-step.ts";
import { LIMITS } from "./policy.ts";
import { secretIn } from "./secrets.ts";

type Path = readonly PropertyKey[];

/** `cut`: the value, if it was over a limit and is not part of the input any more. */
export type Issue = z.core.$ZodIssue & { cut?: unknown };

interface CheckedInput {
  schema: z.ZodType;
  input: unknown;
}

/** The mistakes in an input, for `invalid`. */
export interface Invalid {
  problems: Problem[];
  /** The number of problems beyond those listed. */
  more?: number;
  /** The tool that was called, to be called again. */
  again?: ToolName;
  /** Steps that help more than the same call again. */
  next?: readonly NextStep[];
  /** A minimal complete input, where a part of the input is missing or misplaced. */
  example?: object;
}

/**
 * zod's issues as problems: a JSON Pointer, a code, the received value, the expected one, and the nearest
 * valid name or value. Builds only as many as one answer lists.
 */
export function inputProblems(issues: readonly Issue[], checked: CheckedInput) {
  const problems: Problem[] = [];
  let all = 0;
  for (const issue of withoutConsequences(issues)) {
    const room = LIMITS.problems - problems.length;
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [];
    for (const key of keys.slice(0, room)) problems.push(unknownField(checked, issue.path, key));
    if (keys.length === 0 && room > 0) problems.push(problemOf(issue, checked));
    all += keys.length || 1;
  }
  return { problems, more: all - problems.length };
}

/** Problem of an address in another country. */
export const SHIPS_TO_US = "Ships to the US only.";

/**
 * A bound on a list says nothing about text in its place, and a state or ZIP code nothing about an address in
 * another country.
 */
function withoutConsequences(issues: readonly Issue[]) {
  const place = ({ path }: Issue) => JSON.stringify(path);
  const odd = new Set(issues.filter(({ code }) => code === "invalid_type").map(place));
  const abroad = new Set(
    issues
      .filter(({ message }) => message === SHIPS_TO_US)
      .flatMap(({ path }) =>
        ["region", "postal_code"].map((name) => JSON.stringify([...path.slice(0, -1), name])),
      ),
  );
  return issues.filter(
    (issue) =>
      !abroad.has(place(issue)) && (issue.code === "invalid_type" || !odd.has(place(issue))),
  );
}

function unknownField({ schema, input }: CheckedInput, path: Path, key: string): Problem {
  // Ids in the path of a request were sent, too.
  const free = namesIn(fieldAt(schema, path)).filter(
    (name) => valueAt(input, [...path, name]) === undefined,
  );
  const near = meantName(key, free);
  const meant = near === null ? null : pointer([...path, near]);
  const others = free.length > 0 ? `Other fields here: ${free.join(", ")}.` : "Leave it out.";
  return {
    pointer: pointer([...path, key]),
    code: "UNKNOWN_FIELD",
    detail: `"${printable(key)}" is not a field here. ${meant ? `Did you mean ${meant}?` : others}`,
    ...(meant && { did_you_mean: meant }),
  };
}

function problemOf(issue: Issue, { schema, input }: CheckedInput): Problem {
  const value = issue.cut ?? valueAt(input, issue.path);
  const isChoice = issue.code === "invalid_value" && typeof value === "string";
  const meant = isChoice ? nearest(value, issue.values.map(String)) : null;
  const detail = detailOf(issue, fieldAt(schema, issue.path), value);
  const code = codeOf(issue, value === undefined);
  // The number of shipments says nothing about the bags of a whole order.
  const isOverall = code === "LIMIT_EXCEEDED" && issue.code === "custom";
  return {
    pointer: pointer(issue.path),
    code,
    detail: meant === null ? detail : `${detail} Did you mean "${meant}"?`,
    ...(code === "SECRET_IN_MESSAGE" || isOverall ? {} : asReceived(value)),
    ...(meant !== null && { did_you_mean: meant }),
  };
}

/** The received value in a few characters; nothing for text that could be a secret. */
export function asReceived(value: unknown): Pick<Problem, "received"> {
  if (Array.isArray(value)) return { received: `a list of ${value.length}` };
  if (typeof value === "object" && value !== null) return { received: "an object" };
  if (value === undefined) return {};
  if (typeof value !== "string") return { received: String(value) };
  // The beginning of a longer text could be the beginning of a secret.
  const isHidden = value.length > MOST_REPEATED || secretIn(value) !== null;
  return isHidden ? {} : { received: `"${printable(value)}"` };
}

const MOST_REPEATED = 40;

/** Fields whose upper bounds are the bag limits of contract §3: beyond them a bulk lead helps. */
const BAG_FIELDS = new Set(["quantity", "items", "shipments"]);

function codeOf(issue: Issue, isMissing: boolean): string {
  const given = issue.code === "custom" ? issue.params?.code : undefined;
  if (typeof given === "string") return given;
  const isOfBags = BAG_FIELDS.has(String(issue.path.at(-1)));
  if (issue.code === "too_big" && isOfBags && issue.origin !== "string") return "LIMIT_EXCEEDED";
  if (isMissing && /^invalid_(type|value)$/.test(issue.code ?? "")) return "MISSING";
  const codes = { too_big: "TOO_BIG", too_small: "TOO_SMALL", invalid_type: "WRONG_TYPE" };
  return codes[issue.code as keyof typeof codes] ?? "INVALID";
}

/** zod's own words are for programmers; a field's own words stand as they are. */
function detailOf(issue: Issue, field: z.ZodType | undefined, value: unknown): string {
  const missing = value === undefined ? "Missing. " : "";
  if (issue.code === "invalid_value" && issue.message.startsWith("Invalid ")) {
    const values = issue.values.map((one) => JSON.stringify(one)).join(", ");
    return `${missing}Send ${issue.values.length > 1 ? "one of " : ""}${values}.`;
  }
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) {
    return issue.message;
  }
  return `${missing}Send ${expectedBy(field)}.`;
}

function expectedBy(field: z.ZodType | undefined): string {
  if (field instanceof z.ZodArray) {
    const names = namesIn(field.element as z.ZodType).join(", ");
    return `a JSON array${names && ` of objects with ${names}`}`;
  }
  if (field instanceof z.ZodObject) return `an object with ${namesIn(field).join(", ")}`;
  if (field instanceof z.ZodString) return "text in quotes";
  if (field instanceof z.ZodBoolean) return "true or false";
  return field instanceof z.ZodNumber ? "a whole number" : "another kind of value";
}

/** The field inside its optional, nullable and default wrappers. */
export function bareField(field: z.ZodType): z.ZodType {
  const isWrapped = [z.ZodOptional, z.ZodDefault, z.ZodNullable].some(
    (kind) => field instanceof kind,
  );
  return isWrapped ? bareField((field as z.ZodOptional<z.ZodType>).unwrap()) : field;
}

function fieldAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  const field = bareField(schema);
  const [first, ...rest] = path;
  if (first === undefined) return field;
  const shape = field instanceof z.ZodObject ? field.shape : {};
  const inner =
    field instanceof z.ZodArray
      ? (field.element as z.ZodType)
      : Object.hasOwn(shape, first)
        ? (shape[first as string] as z.ZodType)
        : undefined;
  return inner && fieldAt(inner, rest);
}

/** The names of an object's fields; none for other fields. */
const namesIn = (field: z.ZodType | undefined): string[] =>
  field instanceof z.ZodObject ? Object.keys(field.shape) : [];

const valueAt = (input: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Record<PropertyKey, unknown>)[part]
        : undefined,
    input,
  );

/** RFC 6901. Numbers are positions in lists. */
export const pointer = (path: Path): string =>
  path
    .map((part) => `/${printable(String(part)).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");

/** A stranger's word inside our answer: short and without control characters. */
export const printable = (text: string): string => text.slice(0, 40).replace(/[\p{C}"]/gu, "?");

/** Most pointers named in one sentence. */
const MOST_NAMED = 5;

/** The places of the problems, in words. */
export function named(problems: readonly Problem[]): string {
  const pointers = [...new Set(problems.map(({ pointer }) => pointer || "the whole input"))];
  const rest = pointers.length - MOST_NAMED;
  return `${pointers.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** An input of the wrong shape is explained fastest by one of the right shape. */
const SHAPE = new Set(["MISSING", "UNKNOWN_FIELD", "WRONG_TYPE"]);

/** All problems in one refusal, under their common code if they share one (contract §11). */
export function invalid(found: Invalid): MerchantError {
  const { problems, more = 0, again, next = [], example } = found;
  const code = topCode(problems);
  const bulk = step("send_bulk_lead", "Tell the merchant about orders above these limits.");
  const count = problems.length + more;
  return new MerchantError(
    code,
    count === 1 ? problems[0]!.detail : `Found ${count} problems. Nothing was changed.`,
    {
      problems,
      moreProblems: more,
      next: [
        ...(code === "LIMIT_EXCEEDED" ? [bulk] : []),
        ...next,
        ...(again ? [step(again, `Send it again with ${named(problems)} corrected.`)] : []),
      ],
      ...(example && problems.some((one) => SHAPE.has(one.code)) && { example }),
    },
  );
}

function topCode(problems: readonly Problem[]): ErrorCode {
  const codes = new Set(problems.map((problem) => problem.code));
  const [only] = codes;
  const isShared = codes.size === 1 && only !== undefined && Object.hasOwn(ERRORS, only);
  return isShared ? (only as ErrorCode) : "VALIDATION_FAILED";
}
