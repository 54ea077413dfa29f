import { ERRORS, MerchantError } from "../core/errors.ts";
import { type Naming, namedSteps, namedText } from "../core/next-step.ts";

/** RFC 9457, with what an agent needs to go on (contract §11). The same object on every interface. */
export type ProblemBody = ReturnType<typeof problemBody>;

interface ProblemContext {
  baseUrl: string;
  requestId: string;
  naming: Naming;
  /**
   * What was called, as its caller names it: the step to take where the refusal names no other.
   * Undefined where the refusal came before it was clear what was called.
   */
  called?: string | undefined;
}

export function problemBody(
  error: MerchantError,
  { baseUrl, requestId, naming, called }: ProblemContext,
) {
  const { status, title, help } = ERRORS[error.code];
  const action = called ?? (error.retryable ? "send it again" : "act on this");
  return {
    type: `${baseUrl}/errors#${error.code}`,
    title,
    status,
    detail: namedText(error.message, naming),
    code: error.code,
    retryable: error.retryable,
    // Whole seconds; only where waiting helps.
    ...(error.retryAfter !== undefined && { retry_after: error.retryAfter }),
    errors: error.problems,
    ...(error.moreProblems > 0 && { more_errors: error.moreProblems }),
    ...(error.example && { example: error.example }),
    next:
      error.next.length > 0
        ? namedSteps(error.next, naming)
        : [{ action, why: namedText(help, naming) }],
    request_id: requestId,
  };
}

export const httpProblem = (error: MerchantError, of: Omit<ProblemContext, "naming">) =>
  problemBody(error, { ...of, naming: "endpoints" });

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
