import type { Response } from "express";
import { RateLimited } from "../agents/limits.ts";
import { MerchantError, type Problem } from "../core/errors.ts";
import { LIMITS } from "../core/policy.ts";
import { pathParameters, UNCLEAR_BODY } from "./http-request.ts";
import { asMerchantError, httpProblem } from "./problems.ts";
import {
  endpointOf,
  type HttpContext,
  requestId,
  sendLimits,
  templateOf,
} from "./request-context.ts";

/** What is no refusal is logged, and told as INTERNAL. */
export function asRefusal(res: Response, error: unknown, { log }: HttpContext): MerchantError {
  const refusal = asMerchantError(error);
  if (refusal !== error) log.error({ request: requestId(res), error }, "a request failed");
  return refusal;
}

/** The status of a refusal, and when to come back. */
export function setRefused(res: Response, refusal: MerchantError): void {
  if (refusal instanceof RateLimited) sendLimits(res, refusal.metered);
  if (refusal.retryAfter !== undefined) res.setHeader("Retry-After", String(refusal.retryAfter));
  res.status(refusal.status);
}

/** A refusal as application/problem+json. */
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
  const errors = problem.errors.map(placedIn(res));
  const next = problem.next.map(({ action, why }) => ({ action: asSent(res, action), why }));
  res.send(JSON.stringify({ ...problem, errors, next }));
}

/** With the ids that came in the path; one that is longer than any is not repeated. */
function asSent({ req, locals }: Response, action: string): string {
  const names = templateOf(locals.route ?? req.route?.path).split("/");
  const came = req.path.split("/");
  const isLong = names.some(
    (name, i) => name.startsWith("{") && (came[i] ?? "").length > LIMITS.id_characters,
  );
  if (isLong && /\{\w+\}/.test(action)) return "act on this";
  return action.replace(/\{\w+\}/g, (name) => came[names.indexOf(name)] ?? name);
}

/** A POST's input is in its body, but for the path's own parameters; what others send there is not read. */
const placedIn =
  ({ req, locals }: Response) =>
  (problem: Problem): Problem => {
    const { pointer, ...said } = problem;
    const [, name = ""] = pointer.split("/");
    const parameter = name.replaceAll("~1", "/").replaceAll("~0", "~");
    const hasBody = req.method === "POST" || Object.hasOwn(req.body ?? {}, parameter);
    const inBody = hasBody && !pathParameters(String(locals.route)).includes(parameter);
    if (inBody || parameter === "") return problem;
    // An address has no quotes around a text, as JSON has.
    const received = said.received?.replace(/^"(.*)"$/, "$1");
    return { pointer, parameter, ...said, ...(received !== undefined && { received }) };
  };

/** What Express and its body parsers throw, in our words. */
export function fromExpress(error: unknown): unknown {
  if (error instanceof MerchantError) return error;
  const { type, status, limit } = error as { type?: unknown; status?: unknown; limit?: unknown };
  switch (type) {
    case "entity.parse.failed":
    case "request.size.invalid":
    case "request.aborted":
      return new MerchantError("MALFORMED_JSON", "The body is not valid JSON.");
    case UNCLEAR_BODY:
      return new MerchantError("MALFORMED_JSON", (error as Error).message);
    case "entity.too.large":
      return new MerchantError("PAYLOAD_TOO_LARGE", `The body is over ${inKib(limit)} KiB.`);
    case "parameters.too.many":
      return new MerchantError("PAYLOAD_TOO_LARGE", `Over ${LIMITS.form_fields} fields.`);
    case "charset.unsupported":
    case "encoding.unsupported":
      return new MerchantError("UNSUPPORTED_MEDIA_TYPE", "Send UTF-8, without Content-Encoding.");
  }
  if (error instanceof URIError) {
    return new MerchantError("NOT_FOUND", "This address cannot be read.");
  }
  // Whatever else a body parser cannot read, such as bytes that are not the gzip they claim to be.
  if (status === 400) return new MerchantError("MALFORMED_JSON", "The body cannot be read.");
  return error;
}

const inKib = (bytes: unknown): number => Math.floor(Number(bytes) / 1024);

/** What a page tells beside its form; whatever else is thrown is told where every failure is. */
export function refusalOf(error: unknown): MerchantError {
  if (error instanceof MerchantError && error.status < 500) return error;
  throw error;
}
