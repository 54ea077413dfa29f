import type { IncomingMessage, ServerResponse } from "node:http";
import getRawBody from "raw-body";
import { pastedKey } from "../core/ids.ts";
import { LIMITS } from "../core/policy.ts";

/** Error type with a message for the sender. The other types are those of Express's parsers. */
export const UNCLEAR_BODY = "body.unclear";

/** Whether a body is declared as JSON. Express's `req.is` takes ten times as long for the usual header. */
export const isJson = ({ headers }: IncomingMessage): boolean =>
  /^\s*application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");

/**
 * The JSON of a request (contract §3), or undefined without a body. Refuses compressed bodies, which could
 * expand past the limit. Express's own parser would read a refused body to its end before it answers.
 */
export async function readJsonBody(req: IncomingMessage): Promise<unknown> {
  const { headers } = req;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) {
    return undefined;
  }
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity") {
    throw unreadable(415, "encoding.unsupported");
  }
  const [, charset = "utf-8"] =
    /;\s*charset="?([^\s;"]+)/i.exec(headers["content-type"] ?? "") ?? [];
  if (!/^utf-?8$/i.test(charset)) throw unreadable(415, "charset.unsupported");
  const bytes = await getRawBody(req, {
    length: headers["content-length"] ?? null,
    limit: LIMITS.body_bytes,
  }).catch((error: unknown) => {
    // It leaves the request paused, and the connection's next request would wait behind the rest.
    req.resume();
    throw error;
  });
  return bytes.length === 0 ? {} : parseJsonBody(decoded(bytes));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw unreadable(400, UNCLEAR_BODY, "The body is not valid UTF-8.");
  }
}

/** An object or a list. */
export function parseJsonBody(text: string): object {
  refuseDeep(text);
  const value = parsedOrNull(text);
  if (typeof value === "object" && value !== null) return value;
  // An object that was serialized twice is a string: "not valid" would mislead its sender.
  if (value !== null || text.trim() === "null") {
    throw unreadable(400, UNCLEAR_BODY, "The body is valid JSON, but not an object.");
  }
  throw unreadable(400, "entity.parse.failed");
}

/** Throws for JSON nested so deep that code which walks its value could overflow the stack. */
export function refuseDeep(json: string): void {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < json.length; i++) {
    const sign = json[i];
    if (inText) {
      if (sign === "\\") i++;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === "]" || sign === "}") depth--;
    else if ((sign === "[" || sign === "{") && ++depth > LIMITS.json_depth) {
      const why = `Objects and lists are nested more than ${LIMITS.json_depth} levels deep.`;
      throw unreadable(400, UNCLEAR_BODY, why);
    }
  }
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const unreadable = (status: number, type: string, message: string = type): Error =>
  Object.assign(new Error(message), { status, type });

/** The key of "Authorization: Bearer KEY", with or without Bearer. Undefined without the header, else "". */
export function bearerKey(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  return pastedKey(/^(?:Bearer +)?(\S+) *$/i.exec(authorization)?.[1] ?? "");
}

/** One signal for every call that waits on a response: a batch may have a hundred. */
export function callerGone(response: ServerResponse, leaving: AbortSignal): CallerGone {
  let gone: AbortSignal | undefined;
  return () => {
    gone ??= signalOf(response, leaving);
    return gone;
  };
}

function signalOf(response: ServerResponse, leaving: AbortSignal): AbortSignal {
  const controller = new AbortController();
  // The condition spares good answers the cost of an exception with its stack.
  const closed = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) closed();
  else response.once("close", closed);
  return AbortSignal.any([controller.signal, leaving]);
}

/**
 * Aborts when the client has gone or the service stops. Created only by calls that wait, because V8 is slow
 * to free a signal that follows others.
 */
export type CallerGone = () => AbortSignal;

const parametersOf = new Map<string, readonly string[]>();

/** `/v1/orders/{order_id}` → `["order_id"]`. For paths of ours, which are few. */
export function pathParameters(path: string): readonly string[] {
  const known = parametersOf.get(path);
  if (known) return known;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  parametersOf.set(path, names);
  return names;
}

/** Whether an Accept header allows JSON by its name or by a wildcard. No header allows everything. */
export const acceptsJson = (accept = ""): boolean =>
  accept === "" || accept.split(",").some((range) => JSON_RANGE.test(range));

const JSON_RANGE = /^\s*(application\/(json|\*)|\*\/\*)\s*(;(?!\s*q=0(\.0*)?\s*$)|$)/i;
