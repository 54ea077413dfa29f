import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { LimitUse } from "../agents/limits.ts";
import type { Api } from "../api/api.ts";
import { clientNetwork } from "../core/client-address.ts";
import { newId } from "../core/ids.ts";
import type { LimitName } from "../core/rate-limits.ts";

/** What every answer of HTTP carries, good or bad (contract §11, §14). */
export interface HttpContext {
  baseUrl: string;
  clock: () => number;
  log: Logger;
  /** Aborted when the service stops: then waiting requests end. */
  leaving: AbortSignal;
  /** How the merchant's command line is called here. */
  merchantCommand: string;
}

/** Gives every request an id, and logs it by its route: never the path, which may hold a token. */
export function traced({ clock, log }: HttpContext) {
  return (req: Request, res: Response, next: NextFunction): void => {
    const started = performance.now();
    const id = newId("req", clock());
    res.locals.requestId = id;
    res.setHeader("Request-Id", id);
    res.on("finish", () => {
      log.info({
        request: id,
        method: req.method,
        route: res.locals.route ?? req.route?.path ?? "(none)",
        status: res.statusCode,
        ms: Math.round(performance.now() - started),
        ...(res.locals.agent && { agent: res.locals.agent }),
      });
    });
    next();
  };
}

/** Behind a proxy that is not told of, a few strangers use up the limits of everybody: said once. */
export function tellOfProxy({ log }: HttpContext): RequestHandler {
  let told = false;
  return (req, _res, next) => {
    if (!told && req.headers["x-forwarded-for"] !== undefined) {
      told = true;
      log.warn(
        "X-Forwarded-For is sent and not believed: TRUST_PROXY is 0. Is there a proxy in front? Then " +
          "all callers have one address, and share its limits.",
      );
    }
    next();
  };
}

export const requestId = (res: Response): string => res.locals.requestId as string;

/** Who asks, for limits and scopes. */
export const callerAddress = (req: Request): string => clientNetwork(req.ip);

/** RateLimit fields of draft-ietf-httpapi-ratelimit-headers. */
export function sendLimits(res: Response, { name, limit, remaining, reset }: LimitUse): void {
  res.setHeader("RateLimit", `"${name}";r=${remaining};t=${reset}`);
  res.setHeader("RateLimit-Policy", `"${name}";q=${limit.points};w=${limit.seconds}`);
}

/** Counts the call, for the limits of these names by who asks. */
export const metered =
  (names: readonly LimitName[], { service }: Api): RequestHandler =>
  async (req, res, next) => {
    const left = await service.limits.take(names, { address: callerAddress(req) });
    if (left) sendLimits(res, left);
    next();
  };
