import type { z } from "zod";
import {
  ERRORS,
  type ErrorCode,
  MerchantError,
  type NextStep,
  type Problem,
} from "../domain/shared/errors.ts";

/** Fields whose upper bounds are the bag limits of contract §3: beyond them a bulk lead helps. */
const BAG_FIELDS = new Set(["quantity", "items", "shipments"]);

/** zod's issues with an input as problems: a JSON Pointer, a code, and what to do about it. */
export function problemsOf(error: z.ZodError, input: unknown): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        pointer: pointer([...issue.path, key]),
        code: "UNKNOWN_FIELD",
        detail: `"${printable(key)}" is not a field here. Leave it out.`,
      }));
    }
    const missing = at(input, issue.path) === undefined;
    const { path } = issue;
    return [{ pointer: pointer(path), code: codeOf(issue, missing), detail: detailOf(issue) }];
  });
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
const printable = (text: string): string => text.replace(/[\p{C}"]/gu, "?").slice(0, 80);

/** RFC 9457, with what an agent needs to go on (contract §11). The same object on every door. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  retryable: boolean;
  /** Whole seconds; only where waiting helps. */
  retry_after?: number;
  errors: Problem[];
  next: NextStep[];
  request_id: string;
}

export function problemBody(error: MerchantError, baseUrl: string, requestId: string): ProblemBody {
  const { status, title, help } = ERRORS[error.code];
  return {
    type: `${baseUrl}/errors#${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    retryable: error.retryable,
    ...(error.retryAfter !== undefined && { retry_after: error.retryAfter }),
    errors: error.problems,
    next: error.next.length > 0 ? error.next : [{ action: "read the error's page", why: help }],
    request_id: requestId,
  };
}

/** Whatever was thrown, as a refusal that shows no internals. The cause is for the log only. */
export function asMerchantError(error: unknown): MerchantError {
  if (error instanceof MerchantError) return error;
  const code = storeFailed(error) ? "STORE_UNAVAILABLE" : "INTERNAL";
  return new MerchantError(code, ERRORS[code].help, { retryAfter: 2 });
}

const STORE_FAILED =
  /^(SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN|LOCKED)|ECONN|ETIMEDOUT|ENOTFOUND|57P|08)/;

/** The database could not answer: a full disk, a locked file, a lost or closed connection. */
const storeFailed = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === "The database connection is not open" ||
    STORE_FAILED.test(String((error as { code?: unknown }).code ?? "")));
