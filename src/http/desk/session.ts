import type { CookieOptions, Request, RequestHandler, Response } from "express";
import { isLoopback } from "../../domain/shared/client-address.ts";
import type { Merchant } from "../../merchant/merchant.ts";

/** Where the desk is; its cookie goes nowhere else. */
export const DESK = "/desk";
export const SIGN_IN = `${DESK}/sign-in`;

/**
 * The session's cookie: not for scripts, not from other sites, and over https only where we have
 * it.
 */
export function sessionCookie({ baseUrl, desk }: Merchant) {
  const secure = baseUrl.startsWith("https:");
  // Browsers keep a cookie of this name only when it came over https.
  const name = secure ? "__Secure-desk" : "desk";
  const options: CookieOptions = { httpOnly: true, sameSite: "strict", path: DESK, secure };
  return {
    set: (res: Response, session: string, maxAge: number) =>
      void res.cookie(name, session, { ...options, maxAge }),
    clear: (res: Response) => void res.clearCookie(name, options),
    /** The session that this request may act in; undefined where it has none that is good. */
    async of(req: Request): Promise<string | undefined> {
      const session = cookies(req).get(name);
      return session !== undefined && (await desk.admits(session)) ? session : undefined;
    },
  };
}

const cookies = (req: Request): Map<string, string> =>
  new Map(
    (req.headers.cookie ?? "").split(";").map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split("=", 2);
      return [name.trim(), value.trim()];
    }),
  );

/**
 * A visitor who has not signed in sees that page first, and nothing was done; then back to where
 * they were.
 */
export function signedInOnly(merchant: Merchant): RequestHandler {
  const cookie = sessionCookie(merchant);
  return async (req, res, next) => {
    if ((await cookie.of(req)) !== undefined) {
      next();
      return;
    }
    const to = req.originalUrl.split("?", 1)[0] ?? DESK;
    res.redirect(303, to === DESK ? SIGN_IN : `${SIGN_IN}?to=${encodeURIComponent(to)}`);
  };
}

/** Only pages of the desk: a link to its sign-in must not lead elsewhere afterwards. */
export const ownPath = (to: unknown): string =>
  typeof to === "string" && /^\/desk(\/[\w-]+)*$/.test(to) && to !== SIGN_IN ? to : DESK;

/**
 * Whether the secret would travel where others can read it: over http by a name that is not this
 * machine's own. Where no BASE_URL was said, the name by which the page was called tells.
 */
export function unencrypted(baseUrl: string, calledBy?: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && ![hostname, calledBy ?? hostname].every(isLoopback);
}
