import type { z } from "zod";
import { ERRORS, type ErrorCode, type Problem } from "./domain/errors.ts";

/** Fields whose upper bounds are the bag limits of CONTRACT §3: beyond them a bulk lead helps. */
const BAG_FIELDS = new Set(["quantity", "items", "shipments"]);

/** zod's issues as problems: a JSON Pointer, a code, and what to do about it. */
export function problemsOf(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        pointer: pointer([...issue.path, key]),
        code: "UNKNOWN_FIELD",
        detail: `"${printable(key)}" is not a field here. Leave it out.`,
      }));
    }
    return [{ pointer: pointer(issue.path), code: codeOf(issue), detail: detailOf(issue) }];
  });
}

function codeOf(issue: z.core.$ZodIssue): string {
  const given = issue.code === "custom" ? issue.params?.code : undefined;
  if (typeof given === "string") return given;
  if (issue.code === "too_big" && BAG_FIELDS.has(String(issue.path.at(-1))))
    return "LIMIT_EXCEEDED";
  if (issue.code === "invalid_type" && issue.input === undefined) return "MISSING";
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
const printable = (text: string): string => text.replace(/[\p{C}"]/gu, "?").slice(0, 80);

/** The problems' common code where there is one and it is a code of ours, else VALIDATION_FAILED. */
export function topCode(problems: readonly Problem[]): ErrorCode {
  const codes = new Set(problems.map((problem) => problem.code));
  const [only] = codes;
  return codes.size === 1 && only !== undefined && only in ERRORS
    ? (only as ErrorCode)
    : "VALIDATION_FAILED";
}
