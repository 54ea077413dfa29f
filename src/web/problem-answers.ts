import type { Response } from "express";
import { RateLimited } from "../agents/limits.ts";
import { ERRORS, type ErrorCode, MerchantError, type Problem } from "../core/errors.ts";
import { credentialAs, type Naming, namedSteps, placeOf } from "../core/next-step.ts";
import { LIMITS } from "../core/policy.ts";
import { noteRefusal } from "../core/request-note.ts";
import { pathParameters, UNCLEAR_BODY } from "./http-request.ts";
import {
  endpointOf,
  type HttpContext,
  requestId,
  sendLimits,
  templateOf,
} from "./request-context.ts";

/** An error in RFC 9457's form with its next steps (contract §11), the same on every interface. */
export type ProblemBody = ReturnType<typeof problemBody>;

interface ProblemContext {
  baseUrl: string;
  requestId: string;
  naming: Naming;
  /** The called operation as its caller names it: the default next step. */
  called?: string | undefined;
}

/** Errors about a credential: the interface says where to send it. MCP tells of an API key by connection. */
function whereToSend(code: ErrorCode, naming: Naming): string {
  if (code === "IDEMPOTENCY_KEY_REQUIRED")
    return ` Send it as ${placeOf("idempotency_key", naming)}.`;
  if (code !== "UNAUTHENTICATED" || naming !== "endpoints") return "";
  return ` Send the key as ${credentialAs("api_key", naming)}.`;
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
    detail: error.message + whereToSend(error.code, naming),
    code: error.code,
    retryable: error.retryable,
    // Whole seconds, only if waiting helps.
    ...(error.retryAfter !== undefined && { retry_after: error.retryAfter }),
    ...(error.reopensOn !== undefined && { reopens_on: error.reopensOn }),
    errors: error.problems,
    ...(error.moreProblems > 0 && { more_errors: error.moreProblems }),
    ...(error.example && { example: error.example }),
    next: error.next.length > 0 ? namedSteps(error.next, naming) : [{ action, why: help }],
    request_id: requestId,
  };
}

export const httpProblem = (error: MerchantError, context: Omit<ProblemContext, "naming">) =>
  problemBody(error, { ...context, naming: "endpoints" });

/** Any error as one that shows no internals. */
export function asMerchantError(error: unknown): MerchantError {
  if (error instanceof MerchantError) return error;
  const code = isStoreFailure(error) ? "STORE_UNAVAILABLE" : "INTERNAL";
  return new MerchantError(code, ERRORS[code].help, { retryAfter: 2 });
}

const STORE_FAILED =
  /^(SQLITE_(BUSY|FULL|IOERR|READONLY|CANTOPEN|LOCKED)|ECONN|ETIMEDOUT|ENOTFOUND|57P|08)/;

/** A full disk, a locked file, or a lost or closed connection. */
const isStoreFailure = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === "The database connection is not open" ||
    STORE_FAILED.test(String((error as { code?: unknown }).code ?? "")));

/** Logs an unexpected error and answers INTERNAL for it. */
export function asRefusal(res: Response, error: unknown, { log }: HttpContext): MerchantError {
  const refusal = asMerchantError(error);
  noteRefusal(refusal.code);
  if (refusal !== error) log.error({ request_id: requestId(res), error }, "a request failed");
  return refusal;
}

/** Sets the status, Retry-After and limits of an error. */
export function setRefused(res: Response, refusal: MerchantError): void {
  if (refusal instanceof RateLimited) sendLimits(res, refusal.metered);
  if (refusal.retryAfter !== undefined) res.setHeader("Retry-After", String(refusal.retryAfter));
  res.status(refusal.status);
}

/** Sends an error as application/problem+json. */
export function sendProblem(res: Response, error: unknown, edge: HttpContext): void {
  const refusal = asRefusal(res, error, edge);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (refusal.status === 401) {
    const invalid = refusal.code === "KEY_REVOKED" || res.req.headers.authorization !== undefined;
    res.setHeader(
      "WWW-Authenticate",
      `Bearer realm="coffee-merchant"${invalid ? ', error="invalid_token"' : ""}`,
    );
  }
  setRefused(res, refusal);
  res.type("application/problem+json");
  const { baseUrl } = edge;
  const called = endpointOf(res);
  const problem = httpProblem(refusal, { baseUrl, requestId: requestId(res), called });
  const errors = problem.errors.map(withParameter(res));
  const next = problem.next.map(({ action, why }) => ({ action: withIds(res, action), why }));
  res.send(JSON.stringify({ ...problem, errors, next }));
}

/** Fills in the ids of the request's path. An id that is too long is not repeated. */
function withIds({ req, locals }: Response, action: string): string {
  const names = templateOf(locals.route ?? req.route?.path).split("/");
  const came = req.path.split("/");
  const isLong = names.some(
    (name, i) => name.startsWith("{") && (came[i] ?? "").length > LIMITS.id_characters,
  );
  if (isLong && /\{\w+\}/.test(action)) return "act on this";
  return action.replace(/\{\w+\}/g, (name) => came[names.indexOf(name)] ?? name);
}

/** Names the parameter of a problem in the path or query, which has no JSON pointer. */
const withParameter =
  ({ req, locals }: Response) =>
  (problem: Problem): Problem => {
    const { pointer, ...said } = problem;
    const [, name = ""] = pointer.split("/");
    const parameter = name.replaceAll("~1", "/").replaceAll("~0", "~");
    const hasBody = req.method === "POST" || Object.hasOwn(req.body ?? {}, parameter);
    const inBody = hasBody && !pathParameters(String(locals.route)).includes(parameter);
    if (inBody || parameter === "") return problem;
    // Text in an address has no quotes, unlike text in JSON.
    const received = said.received?.replace(/^"(.*)"$/, "$1");
    return { pointer, parameter, ...said, ...(received !== undefined && { received }) };
  };

/** Translates errors of Express and its body parsers. */
export function fromExpress(error: unknown): unknown {
  if (error instanceof MerchantError) return error;
  const { type, status, limit } = error as { type?: unknown; status?: unknown; limit?: unknown };
  switch (type) {
    case "entity.parse.failed":
    case "request.size.invalid":
    case "request.aborted":
    case "stream.not.readable":
      return new MerchantError("MALFORMED_JSON", "The body is not valid JSON.");
    case UNCLEAR_BODY:
      return new MerchantError("MALFORMED_JSON", (error as Error).message);
    case "entity.too.large": {
      const most = `${Math.floor(Number(limit) / 1024)} KiB`;
      return new MerchantError("PAYLOAD_TOO_LARGE", `The body is over ${most}.`);
    }
    case "parameters.too.many":
      return new MerchantError("PAYLOAD_TOO_LARGE", "The form has too many fields.");
    case "charset.unsupported":
      return new MerchantError(
        "UNSUPPORTED_MEDIA_TYPE",
        "The body is declared in another charset.",
      );
    case "encoding.unsupported":
      return new MerchantError("UNSUPPORTED_MEDIA_TYPE", "The body is compressed.");
  }
  if (error instanceof URIError) {
    return new MerchantError("NOT_FOUND", "This address cannot be read.");
  }
  return status === 400 ? new MerchantError("MALFORMED_JSON", "The body cannot be read.") : error;
}

/** The error, for a message beside a form. Rethrows a failure of the service itself. */
export function refusalOf(error: unknown): MerchantError {
  if (error instanceof MerchantError && error.status < 500) return error;
  throw error;
}
