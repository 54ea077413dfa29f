import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { MerchantError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { httpProblem } from "./problem-answers.ts";

/** Answers without a route: before startup ends, and to requests that are not HTTP (contract §11). */
export interface FallbackContext {
  baseUrl: () => string;
  clock: () => number;
}

/** Answers while the database is opened and migrated. */
export function notReadyHandler({ baseUrl, clock }: FallbackContext) {
  return (_req: IncomingMessage, res: ServerResponse): void => {
    const error = new MerchantError("STORE_UNAVAILABLE", "The service is starting. Try again.", {
      retryAfter: 1,
    });
    const { headers, body } = answer(error, baseUrl(), clock());
    res.writeHead(error.status, headers).end(body);
  };
}

function refusalOf(code: string | undefined): MerchantError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    // A process that was suspended finds requests that are past their time.
    const why = "The request did not arrive in time. Send it again.";
    return new MerchantError("REQUEST_TIMEOUT", why, { retryAfter: 1 });
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    const why = "The address and the headers are over 16 KiB. Send fewer or shorter ones.";
    return new MerchantError("HEADERS_TOO_LARGE", why);
  }
  return new MerchantError("MALFORMED_REQUEST", "This is not a valid HTTP/1.1 request.");
}

/** Answers a request that Node's parser refuses, with a body and a Request-Id. */
export function onClientError({ baseUrl, clock }: FallbackContext) {
  return (error: Error & { code?: string }, socket: Duplex): void => {
    // The client has gone, or has part of an answer.
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

/** Time for the client to read the answer. */
const LINGER_MS = 1_000;

/** Closes the connection after a while: closing on unread bytes would reset it and lose the answer. */
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
