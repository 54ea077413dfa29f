import type { CookieOptions, Express, Request, RequestHandler, Response } from "express";
import type { Api } from "../api/api.ts";
import { isLoopback } from "../core/network.ts";
import { DESK_STAYS_MS, type DeskStay } from "../merchant/desk-verbs.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { fieldIn } from "../web/body.ts";
import type { SentFields } from "../web/form-parts.ts";
import { sendDocument } from "../web/page-answers.ts";
import { callerAddress, type HttpContext, sendLimits } from "../web/request-context.ts";
import { mountForm } from "../web/routes.ts";
import { KEPT, type SignInView, sendAgainPage, signInPage } from "./sign-in-page.ts";

/** Where the desk is; its cookie goes nowhere else. */
export const DESK = "/desk";
const SIGN_IN = `${DESK}/sign-in`;

/**
 * The session's cookie: not for scripts, not from other sites, and over https only where we have
 * it.
 */
function sessionCookie({ baseUrl, desk }: Merchant) {
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

/** The form that a sign-in carries along. */
const keptIn = (body: unknown): SentFields =>
  Object.fromEntries(
    Object.entries((body ?? {}) as SentFields)
      .filter(([name]) => name.startsWith(KEPT))
      .map(([name, value]) => [name.slice(KEPT.length), value]),
  );

/** Only pages of the desk: a link to its sign-in must not lead elsewhere afterwards. */
const ownPath = (to: unknown): string =>
  typeof to === "string" && OWN_PATH.test(to) && !to.startsWith(SIGN_IN) ? to : DESK;

const OWN_PATH = /^\/desk(\/[\w-]+)*(\?[\w=&.%+-]*)?$/;

/**
 * Whether the secret would travel where others can read it: over http by a name that is not this
 * machine's own. Where no BASE_URL was said, the name by which the page was called tells.
 */
function unencrypted(baseUrl: string, calledBy?: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && ![hostname, calledBy ?? hostname].every(isLoopback);
}

/** The longest secret that is looked at. */
const MOST_CHARACTERS = 1000;

/** A link may be pasted where the secret is typed: to open it would leave a form that is kept there. */
const secretIn = (typed: string): string =>
  /^https?:\/\/\S+\/sign-in\?secret=([\w-]+)$/.exec(typed)?.[1] ?? typed;

const viewOf = (
  { baseUrl, merchantCommand }: HttpContext,
  { hostname }: Request,
  more: Omit<SignInView, "unencrypted" | "linkCommand">,
): SignInView => ({
  unencrypted: unencrypted(baseUrl, hostname),
  linkCommand: `${merchantCommand} desk link`,
  ...more,
});

/**
 * A visitor who has not signed in sees that page first, and nothing was done; then back to where
 * they were, with what they typed.
 */
export function signedInOnly({ service, edge }: Api): RequestHandler {
  const cookie = sessionCookie(service.merchant);
  return async (req, res, next) => {
    const to = req.originalUrl;
    if ((await cookie.of(req)) !== undefined) next();
    else if (req.method === "POST") {
      const view = viewOf(edge, req, { to: ownPath(to), kept: req.body });
      sendDocument(res, signInPage(view), 403);
    } else res.redirect(303, to === DESK ? SIGN_IN : `${SIGN_IN}?to=${encodeURIComponent(to)}`);
  };
}

/** The one way in. Opening it changes nothing, also with the printed link: there is a button. */
export function mountSignIn(app: Express, { service, edge }: Api): void {
  const { merchant, limits } = service;
  const cookie = sessionCookie(merchant);
  mountForm(app, edge, SIGN_IN, {
    get: (req, res) => {
      const secret = fieldIn(req.query, "secret").slice(0, MOST_CHARACTERS) || undefined;
      sendDocument(res, signInPage(viewOf(edge, req, { secret, to: ownPath(req.query.to) })));
    },
    post: async (req, res) => {
      const secret = secretIn(fieldIn(req.body, "secret").slice(0, MOST_CHARACTERS).trim());
      // A link cannot be guessed, so however many others guess the secret, it lets its owner in.
      if (!(await merchant.desk.isGoodLink(secret))) {
        const address = callerAddress(req);
        const left = await limits.take(["desk_sign_in", "desk_sign_in_total"], { address });
        if (left) sendLimits(res, left);
      }
      const to = ownPath(req.body?.to);
      const stay = stayOf(req.body?.stay);
      const kept = keptIn(req.body);
      const session = await merchant.desk.signIn(secret, stay);
      if (session === null) {
        edge.log.warn("a sign-in to the desk was refused");
        sendDocument(res, signInPage(viewOf(edge, req, { to, stay, kept, refused: true })), 403);
        return;
      }
      cookie.set(res, session, DESK_STAYS_MS[stay]);
      if (Object.keys(kept).length > 0) sendDocument(res, sendAgainPage(to, kept));
      else res.redirect(303, to);
    },
  });

  mountForm(app, edge, "/desk/sign-out", {
    post: async (req: Request, res: Response) => {
      const session = await cookie.of(req);
      if (session !== undefined) {
        const everywhere = req.body?.everywhere === "yes";
        await merchant.desk.signOut(everywhere ? "everywhere" : session, "desk");
      }
      cookie.clear(res);
      res.redirect(303, SIGN_IN);
    },
  });
}

/** Whatever else is posted is a working day. */
const stayOf = (posted: unknown): DeskStay =>
  posted === "week" || posted === "month" ? posted : "day";
