import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { MerchantError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { httpProblem } from "./problem-answers.ts";

/**
 * The answers that no route gives: before there are routes, and to what is not HTTP (contract §11).
 */
export interface FallbackContext {
  baseUrl: () => string;
  clock: () => number;
}

/** While the database is opened and migrated. */
export function notReadyHandler({ baseUrl, clock }: FallbackContext) {
  return (_req: IncomingMessage, res: ServerResponse): void => {
    const error = new MerchantError("STORE_UNAVAILABLE", "The service is starting. Try again.", {
      retryAfter: 1,
    });
    const { headers, body } = answer(error, baseUrl(), clock());
    res.writeHead(error.status, headers).end(body);
  };
}

/** A process that stood still finds requests that have been waiting for it longer than they may. */
function refusalOf(code: string | undefined): MerchantError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    const why = "The request did not come to its end in time. Send it again.";
    return new MerchantError("REQUEST_TIMEOUT", why, { retryAfter: 1 });
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    const why = "The address and the headers are over 16 KiB. Send fewer or shorter ones.";
    return new MerchantError("HEADERS_TOO_LARGE", why);
  }
  return new MerchantError("MALFORMED_REQUEST", "This is not a valid HTTP/1.1 request.");
}

/** What Node's parser gives up on; Node's own answer would have neither body nor Request-Id. */
export function onClientError({ baseUrl, clock }: FallbackContext) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    // The other side has gone, or has had the beginning of an answer.
    const begun = (socket as { _httpMessage?: ServerResponse })._httpMessage?.headersSent;
    if (error.code === "ECONNRESET" || !socket.writable || begun) {
      socket.destroy();
      return;
    }
    const refusal = refusalOf(error.code);
    const { headers, body } = answer(refusal, baseUrl(), clock());
    const lines = Object.entries({ ...headers, Connection: "close" });
    endWith(
      socket,
      [
        `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
        ...lines.map(([name, value]) => `${name}: ${value}`),
        "",
        body,
      ].join("\r\n"),
    );
  };
}

/** How long the other side may take to read why, before the line is gone. */
const LINGER_MS = 1_000;

/**
 * Answers and lets the line go, whatever the other side does. Not at once: closing on bytes that
 * was not read resets the connection, and the answer would be lost with it.
 */
function endWith(socket: Duplex, text: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
  socket.end(text);
}

function answer(error: MerchantError, baseUrl: string, now: number) {
  const id = newId("req", now);
  const body = JSON.stringify(httpProblem(error, { baseUrl, requestId: id }));
  const headers: Record<string, string> = {
    "Content-Type": "application/problem+json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    "Request-Id": id,
    ...(error.retryAfter !== undefined && { "Retry-After": String(error.retryAfter) }),
  };
  return { headers, body };
}
