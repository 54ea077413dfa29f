import type { IncomingMessage, ServerResponse } from "node:http";
import { printable } from "../core/input-problems.ts";
import { LIMITS } from "../core/policy.ts";

/** Of a body whose error tells its sender what is wrong; the other types are those of Express' parsers. */
export const UNCLEAR_BODY = "body.unclear";

/**
 * The JSON of a request (contract §3); undefined where it has no body. Bounded, and never inflated, since
 * a small body that grows is how a bound is got round. Rejects with what Express' own parser throws; that
 * one reads every body twice, for it does not hand on the text that it has decoded.
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
  const bytes = await bytesOf(req);
  return bytes.length === 0 ? {} : parseJsonBody(decoded(bytes));
}

/** Once more than the bound has come, or is announced, nothing more is read. */
function bytesOf(req: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const most = LIMITS.body_bytes;
  const tooLarge = () => Object.assign(unreadable(413, "entity.too.large"), { limit: most });
  if (Number(req.headers["content-length"]) > most) throw tooLarge();
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= most) return;
    req.off("data", take).pause();
    reject(tooLarge());
  };
  req.on("data", take);
  req.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  // Only for who went away: an error with its stack would be made for every good request.
  req.once("close", () => req.complete || reject(unreadable(400, "request.aborted")));
  return promise;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw unreadable(400, UNCLEAR_BODY, "The body is not valid UTF-8.");
  }
}

/** An object or a list. Refuses what a JSON parser takes without a word: a name that one object has twice. */
export function parseJsonBody(text: string): object {
  const twice = repeatedName(text);
  if (twice !== undefined) {
    const message = `"${printable(twice)}" stands twice in one object. Send it once.`;
    throw unreadable(400, UNCLEAR_BODY, message);
  }
  const value = parsedOrNull(text);
  if (typeof value === "object" && value !== null) return value;
  // Written as JSON twice, an object is a string: "not valid" would not lead to that.
  if (value !== null || text.trim() === "null") {
    throw unreadable(400, UNCLEAR_BODY, "The body is valid JSON, but not an object.");
  }
  throw unreadable(400, "entity.parse.failed");
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

/**
 * Linear, and letter by letter: every body comes by here. Of text that is no JSON it may say anything:
 * the parser refuses that.
 */
function repeatedName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "{") open.push(new Set());
    else if (letter === "}") open.pop();
    if (letter !== '"') continue;
    const from = at + 1;
    at = endOfString(text, from);
    const names = open.at(-1);
    if (!names || !isBeforeColon(text, at + 1)) continue;
    const name = unescaped(text.slice(from, at));
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

/** Where the quote stands that ends a string; the text's end where none does. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text[at]!)) at++;
  return text[at] === ":";
}

/** `\u0061` and `a` are one name. */
const unescaped = (written: string): string =>
  written.includes("\\") ? String(parsedOrNull(`"${written}"`) ?? written) : written;

/**
 * The key of "Authorization: Bearer KEY", also without the word Bearer; undefined without such a header.
 * Another scheme, or no key behind it, is a key that is present and bad: "" is no agent's.
 */
export function bearerKey(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  return /^(?:Bearer +)?(\S+) *$/i.exec(authorization)?.[1] ?? "";
}

/** One signal for all that waits on a response: a batch may be a hundred calls. */
export function callerGone(response: ServerResponse, leaving: AbortSignal): CallerGone {
  let gone: AbortSignal | undefined;
  return () => {
    gone ??= signalOf(response, leaving);
    return gone;
  };
}

function signalOf(response: ServerResponse, leaving: AbortSignal): AbortSignal {
  const controller = new AbortController();
  // Only for who went away: aborting makes an exception with a stack, expensive on every good answer.
  const closed = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) closed();
  else response.once("close", closed);
  return AbortSignal.any([controller.signal, leaving]);
}

/**
 * Aborted when no answer is waited for any more: the client has gone, or the service stops. Made by
 * what waits, when it waits: hardly any call does, and V8 is slow to free a signal that follows others.
 */
export type CallerGone = () => AbortSignal;

/** The names in braces of a path such as /v1/orders/{order_id}. */
export const pathParameters = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
