import type { NextFunction, Request, Response } from "express";
import type { Logger } from "pino";
import { ERRORS } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import { type CallNote, idsIn, type RequestNote, withNote } from "../core/request-note.ts";
import { callerAddress, HEALTH, type HttpContext } from "./request-context.ts";

/** One response, for metrics. */
interface Responded {
  /** Kind of route: "pages", "v1", "mcp" and so on. */
  route: string;
  /** "2xx" and so on. */
  status: string;
  ms: number;
}

const listeners = new Set<(response: Responded) => void>();

/** Calls `listener` after each response of this process. Returns the function that stops it. */
export function onResponse(listener: (response: Responded) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The first part of a path, if programs or the merchant use it. All others are pages. */
const KIND = /^\/(v1|mcp|ucp|webhooks|desk|assets|healthz|readyz)(\/|$)/i;

const kindOf = (path: string): string => KIND.exec(path)?.[1]?.toLowerCase() ?? "pages";

/** A stand-in for an address, which only this installation can compute. */
type Pseudonym = (address: string) => string;

/**
 * Gives each request an id and writes one line about it: its route, never its path, which may hold a token,
 * and what its calls were about. Refusals are sampled.
 */
export function requestLog({ clock, log }: HttpContext, pseudonym: Pseudonym) {
  const refusals = sampledRefusals(log, clock);
  function write(req: Request, res: Response, note: RequestNote, ms: number): void {
    const { request_id, calls, ...facts } = note;
    const status = res.statusCode;
    if (listeners.size > 0) {
      const response = { route: kindOf(req.path), status: `${Math.floor(status / 100)}xx`, ms };
      for (const listener of listeners) listener(response);
    }
    const isGood = status < 400 && !facts.code && calls.every(({ code }) => !code);
    if (isGood && !log.isLevelEnabled(HEALTH.test(req.path) ? "debug" : "info")) return;
    const [first = {}, ...rest] = calls;
    const line = {
      request_id,
      method: req.method,
      route: res.locals.route ?? req.route?.path ?? "(none)",
      status,
      ms,
      ...idsIn(req.params),
      ...facts,
      ...(res.locals.agent && { agent: res.locals.agent }),
      ...(rest.length > 0 ? { calls } : first),
    };
    const codes = [line, ...rest]
      .map(({ code }: CallNote) => code)
      .filter((code) => code !== undefined);
    const code = codes[0] ?? (status >= 400 ? `HTTP_${status}` : undefined);
    // What is not ready has a line of its own.
    if (HEALTH.test(req.path)) log.debug(line);
    else if (status >= 500 || codes.some(isOurFault)) log.error(line);
    else if (code !== undefined) {
      const caller = line.agent ?? `address ${pseudonym(callerAddress(req)).slice(0, 12)}`;
      refusals.write({ ...line, code, caller });
    } else log.info(line);
  }
  const logged = (req: Request, res: Response, next: NextFunction): void => {
    const started = performance.now();
    const id = newId("req", clock());
    const note: RequestNote = { request_id: id, calls: [] };
    res.locals.requestId = id;
    res.setHeader("Request-Id", id);
    res.on("finish", () => write(req, res, note, Math.round(performance.now() - started)));
    withNote(note, next);
  };
  return { logged, flush: refusals.flush };
}

const isOurFault = (code: string): boolean =>
  Object.hasOwn(ERRORS, code) && ERRORS[code as keyof typeof ERRORS].status >= 500;

/** Refusals of one kind to one caller are written once in this time, and then counted. */
const EVERY_MS = 60_000;
/** Kinds and callers that are counted at a time. */
const MOST_COUNTED = 10_000;

interface Refused {
  code: string;
  caller: string;
}

/** Whoever sends rubbish must not fill the disk: "and 412 more" stands for the lines left out. */
function sampledRefusals(log: Logger, clock: () => number) {
  const counted = new Map<string, Refused & { since: number; more: number }>();
  function flush(until = Number.POSITIVE_INFINITY): void {
    for (const [key, { code, caller, since, more }] of counted) {
      // In the order of their time. A clock that was set back ends all.
      if (since <= clock() && since + EVERY_MS > until) return;
      counted.delete(key);
      if (more > 0) log.info({ code, caller, more }, `and ${more} more`);
    }
  }
  return {
    flush,
    write(line: Refused): void {
      flush(clock());
      const { code, caller } = line;
      const known = counted.get(`${code} ${caller}`);
      if (known) known.more++;
      else if (counted.size < MOST_COUNTED) {
        counted.set(`${code} ${caller}`, { code, caller, since: clock(), more: 0 });
        log.info(line);
      }
    },
  };
}
