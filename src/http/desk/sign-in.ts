import type { CookieOptions, Express, Request, RequestHandler, Response } from "express";
import { isLoopback } from "../../domain/shared/client-address.ts";
import { hours } from "../../domain/shared/policy.ts";
import { DESK_STAYS_MS, type DeskStay } from "../../merchant/desk.ts";
import type { Merchant } from "../../merchant/merchant.ts";
import type { Api } from "../api.ts";
import { fieldIn } from "../body.ts";
import { mountForm, sendDocument } from "../page-answers.ts";
import { formField } from "../pages/form-parts.ts";
import { html, type Renderable } from "../pages/html.ts";
import type { Page } from "../pages/layout.ts";
import { notice } from "../pages/parts.ts";
import { callerAddress, sendLimits } from "../request-context.ts";

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
const ownPath = (to: unknown): string =>
  typeof to === "string" && /^\/desk(\/[\w-]+)*$/.test(to) && to !== SIGN_IN ? to : DESK;

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

/** The one way in. Opening it changes nothing, also with the printed link: there is a button. */
export function mountSignIn(app: Express, { service, edge }: Api): void {
  const { merchant, limits } = service;
  const cookie = sessionCookie(merchant);
  const view = (req: Request, more: Partial<SignInView>): SignInView => ({
    unencrypted: unencrypted(edge.baseUrl, req.hostname),
    linkCommand: `${edge.merchantCommand} desk link`,
    to: "",
    ...more,
  });

  mountForm(app, edge, SIGN_IN, {
    get: (req, res) => {
      const secret = fieldIn(req.query, "secret").slice(0, MOST_CHARACTERS) || undefined;
      sendDocument(res, signInPage(view(req, { secret, to: ownPath(req.query.to) })));
    },
    post: async (req, res) => {
      const secret = fieldIn(req.body, "secret").slice(0, MOST_CHARACTERS).trim();
      // A link cannot be guessed, so however many others guess the secret, it lets its owner in.
      const metered = (await merchant.desk.isGoodLink(secret))
        ? null
        : await limits.take(["desk_sign_in", "desk_sign_in_total"], {
            address: callerAddress(req),
          });
      if (metered) sendLimits(res, metered);
      const to = ownPath(req.body?.to);
      const stay = stayOf(req.body?.stay);
      const session = await merchant.desk.signIn(secret, stay);
      if (session === null) {
        edge.log.warn("a sign-in to the desk was refused");
        sendDocument(res, signInPage(view(req, { to, refused: true })), 403);
        return;
      }
      cookie.set(res, session, DESK_STAYS_MS[stay]);
      res.redirect(303, to);
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

export interface SignInView {
  /** The desk's page to go on to. */
  to: string;
  /** Out of the printed link: then there is only a button. Whether it is right, the button tells. */
  secret?: string | undefined;
  refused?: boolean | undefined;
  /** The address is http and others reach it. */
  unencrypted: boolean;
  /** Prints another link. */
  linkCommand: string;
}

export function signInPage(view: SignInView): Page {
  return {
    title: "Sign in to the desk",
    heading: "The merchant's desk",
    lede: "Orders to roast and ship, stock, agents, and what happened to money.",
    body: html`${view.refused && notice("bad", "This does not sign in.", lost(view.linkCommand))}
    ${view.unencrypted && notice("warn", "This address is not encrypted.", UNENCRYPTED)}
    <form class="form slip" method="post" action="/desk/sign-in">
      <input type="hidden" name="to" value="${view.to}">
      ${view.secret === undefined ? field(view.linkCommand) : secretFromLink(view.secret)}
      <p class="field"><label for="stay">Stay signed in on this device</label>
        <select id="stay" name="stay">${Object.entries(DESK_STAYS_MS).map(
          ([name, ms]) =>
            html`<option value="${name}">${ms < DAY_MS ? hours(ms) : `${ms / DAY_MS} days`}</option>`,
        )}</select></p>
      <button type="submit">Sign in</button>
    </form>`,
  };
}

const DAY_MS = 86_400_000;

const field = (linkCommand: string): Renderable =>
  formField({
    name: "secret",
    label: "Merchant secret",
    type: "password",
    autocomplete: "current-password",
    hint: `MERCHANT_SECRET. Where it is not set: ${linkCommand} prints a link to sign in.`,
  });

const secretFromLink = (
  secret: string,
): Renderable => html`<p>Your link signs in once, within 15 minutes of
      its making.</p>
      <input type="hidden" name="secret" value="${secret}">`;

const lost = (linkCommand: string): Renderable =>
  html`<p>It is not the secret, or a link that was used or is too old:
      <span class="code">${linkCommand}</span> prints a new one.</p>`;

const UNENCRYPTED = html`<p>Others on the way can read the secret. Put https in front and set BASE_URL,
      or use the command line.</p>`;
