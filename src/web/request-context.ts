import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { charged, type Limits, type LimitUse } from "../agents/limits.ts";
import { openCounts } from "../core/concurrency.ts";
import { MerchantError } from "../core/errors.ts";
import { clientNetwork } from "../core/network.ts";

export interface HttpContext {
  baseUrl: string;
  clock: () => number;
  log: Logger;
  /** Aborts when the service stops, which ends waiting requests. */
  leaving: AbortSignal;
  /** The command that runs the merchant's command line here. */
  merchantCommand: string;
}

/** Warns once about an undeclared proxy: behind one, all clients share one address and its limits. */
export function warnAboutProxy({ log }: HttpContext): RequestHandler {
  let told = false;
  return (req, _res, next) => {
    if (!told && req.headers["x-forwarded-for"] !== undefined) {
      told = true;
      log.warn(
        "Ignored X-Forwarded-For because TRUST_PROXY is 0. If a proxy stands in front, set TRUST_PROXY: " +
          "until then all clients share the limits of its address.",
      );
    }
    next();
  };
}

/** "/v1/orders/:order_id" of Express is "/v1/orders/{order_id}" in our descriptions. */
export const templateOf = (path = ""): string => path.replace(/:(\w+)/g, "{$1}");

/** The matched route as descriptions name it, such as "GET /v1/orders/{order_id}". */
export function endpointOf({ req, locals }: Response, method = req.method): string | undefined {
  const path: string | undefined = locals.route ?? req.route?.path;
  return path && `${method} ${templateOf(path)}`;
}

export const requestId = (res: Response): string => res.locals.requestId as string;

/** The client's network, for limits and idempotency scopes. */
export function callerAddress(req: Request): string {
  const { locals } = req.res!;
  // Several parts of a request ask, and Express reads the proxies' headers again for each.
  locals.callerAddress ??= clientNetwork(req.ip);
  return locals.callerAddress;
}

/** A link preview or a prefetch, which nobody has opened yet: it makes nothing. */
export const isPreview = (req: Request): boolean =>
  req.method === "HEAD" ||
  PREVIEWERS.test(req.header("user-agent") ?? "") ||
  PREVIEW_HEADERS.some((name) => /prefetch|prerender|preview/i.test(req.header(name) ?? ""));

/** Chats that read a link to show a card. Agents open links under other names. */
const PREVIEWERS =
  /Slackbot-LinkExpanding|facebookexternalhit|WhatsApp|TelegramBot|Discordbot|Twitterbot|LinkedInBot|SkypeUriPreview/;

const PREVIEW_HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** RateLimit fields of draft-ietf-httpapi-ratelimit-headers. */
export function sendLimits(res: Response, { name, limit, remaining, reset }: LimitUse): void {
  res.setHeader("RateLimit", `"${name}";r=${remaining};t=${reset}`);
  res.setHeader("RateLimit-Policy", `"${name}";q=${limit.points};w=${limit.seconds}`);
}

/** Takes more points for each request than the one that every request takes. */
export const metered =
  (points: number, limits: Limits): RequestHandler =>
  (req, res, next) => {
    const left = limits.charge({ requests: points }, { address: callerAddress(req) });
    if (left) sendLimits(res, left);
    next();
  };

/** Asked for every few seconds by balancers. Patterns of paths ignore case, as Express does. */
export const HEALTH = /^\/(healthz|readyz)$/i;

/** The provider sends many from one address. */
const WEBHOOKS = /^\/webhooks\/stripe$/i;

/** UCP has its own words for a refusal. The desk counts only strangers, who must not lock out the owner. */
const COUNTS_ITSELF = /^\/(desk|ucp)(\/|$)/i;

/**
 * Counts every request of an address, whatever its path, before anything is done for it, and charges what
 * it stores. `most`: its open requests, for a proxy's connections say nothing about its clients.
 */
export function door(limits: Limits, most: number): RequestHandler {
  const enter = openCounts(most);
  return (req, res, next) => {
    if (HEALTH.test(req.path)) return next();
    const address = callerAddress(req);
    const isWebhook = WEBHOOKS.test(req.path);
    if (!isWebhook && !COUNTS_ITSELF.test(req.path)) {
      const left = limits.charge({ requests: 1 }, { address });
      if (left) sendLimits(res, left);
    }
    const leave = enter(address);
    if (!leave) {
      const why = `At most ${most} open requests of one address. Wait for their answers.`;
      throw new MerchantError("RATE_LIMITED", why, { retryAfter: 1 });
    }
    res.once("close", leave);
    if (isWebhook) next();
    else charged(limits, { address }, next);
  };
}
