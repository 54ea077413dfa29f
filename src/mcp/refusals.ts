import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import type { Logger } from "pino";
import type { MerchantError, Problem } from "../core/errors.ts";
import { noteRefusal } from "../core/request-note.ts";
import { asMerchantError, type ProblemBody, problemBody } from "../web/problem-answers.ts";
import { stepLines } from "./answer-text.ts";
import type { Caller } from "./caller.ts";

/** Facts about an error for programs; its text is in the content (contract §11). */
const ERROR_META = "coffee/error";

interface RefusalContext {
  caller: Caller;
  baseUrl: string;
  log: Logger;
  /** Tool or resource, for the log. */
  what: string;
  /** A tool that takes an idempotency key. */
  isWrite?: boolean;
}

/**
 * Turns an error into a tool's result: text without structured content. ORDER_NOT_READY is the normal state
 * before payment, so it is no error.
 */
export function toolRefusal(thrown: unknown, context: RefusalContext): CallToolResult {
  const { problem } = describe(thrown, context);
  const { example } = problem;
  // MCP has no header for the key.
  const whole =
    example && context.isWrite ? { ...example, idempotency_key: "new-intent-1" } : example;
  const text = problemText(
    { ...problem, ...(whole && { example: whole }) },
    context.caller.howToKey,
  );
  const content = [{ type: "text" as const, text }];
  if (problem.code === "ORDER_NOT_READY") {
    const { code: status, detail: message, retryable, next } = problem;
    return { content, structuredContent: { status, message, retryable, next } };
  }
  return { isError: true, content, _meta: { [ERROR_META]: errorFacts(problem) } };
}

/**
 * Turns an error of a resource into a JSON-RPC error, with the HTTP status as its code. A missing resource and
 * another key's get the same error.
 */
export function resourceRefusal(
  thrown: unknown,
  uri: string,
  context: RefusalContext,
): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const { error, problem } = describe(thrown, context);
  if (error.code === "NOT_FOUND") return new ResourceNotFoundError(uri);
  const code = error.code === "INTERNAL" ? ProtocolErrorCode.InternalError : error.status;
  return new ProtocolError(code, problemText(problem, context.caller.howToOwnKey), {
    [ERROR_META]: errorFacts(problem),
  });
}

const errorFacts = ({ code, status, retryable, retry_after, request_id }: ProblemBody) => ({
  code,
  status,
  retryable,
  ...(retry_after !== undefined && { retry_after }),
  request_id,
});

function describe(thrown: unknown, { caller, baseUrl, log, what }: RefusalContext) {
  const error: MerchantError = asMerchantError(thrown);
  const requestId = caller.requestId();
  if (error !== thrown)
    log.error({ request_id: requestId, what, error: thrown }, "an MCP call failed");
  noteRefusal(error.code);
  return {
    error,
    problem: problemBody(error, { baseUrl, requestId, naming: caller.naming, called: what }),
  };
}

const receivedText = ({ received }: Problem): string =>
  received === undefined ? "" : ` Received: ${received}.`;

/** The code, then all problems and next steps, one per line. */
function problemText(problem: ProblemBody, howToKey: string): string {
  const { code, detail, errors, more_errors, example, next, retry_after } = problem;
  return [
    `${code}: ${detail}`,
    ...(errors.length > 1 || errors.some((e) => e.detail !== detail)
      ? errors.map((e) => `- ${e.pointer || "(the whole)"}: ${e.detail}${receivedText(e)}`)
      : errors.map((e) => `At ${e.pointer || "(the whole)"}.${receivedText(e)}`)),
    ...(more_errors === undefined ? [] : [`- and ${more_errors} more`]),
    ...(example ? [`A complete call: ${JSON.stringify(example)}`] : []),
    ...(code === "UNAUTHENTICATED" ? [howToKey] : []),
    ...(retry_after === undefined ? [] : [`Retry after ${retry_after} s.`]),
    ...stepLines(next),
  ].join("\n");
}
