import type { Express, Request, RequestHandler, Response } from "express";
import type { Limits } from "../agents/limits.ts";
import type { Api } from "../api/api.ts";
import { bareToken } from "../core/ids.ts";
import { isLoopback } from "../core/network.ts";
import { span } from "../core/policy.ts";
import type { Cost } from "../core/rate-limits.ts";
import { DESK_STAYS_MS, type DeskStay } from "../merchant/desk-verbs.ts";
import type { Merchant } from "../merchant/merchant.ts";
import { fieldIn, readKeptForm, signInForm } from "../web/body.ts";
import { cookieOptions, cookies } from "../web/cookies.ts";
import { formField, hiddenFields, type SentFields, sendAgain } from "../web/form-parts.ts";
import { html, type Renderable } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { sendDocument } from "../web/page-answers.ts";
import { notice } from "../web/parts.ts";
import { callerAddress, type HttpContext } from "../web/request-context.ts";
import { mountForm } from "../web/routes.ts";

/** Path of the desk, to which its cookie is limited. */
export const DESK = "/desk";
const SIGN_IN = `${DESK}/sign-in`;
const MAIL_LINK = `${SIGN_IN}/link`;

/**
 * The session's cookie. A link in a letter opens the desk signed in; another site's forms carry no cookie, and
 * their Origin is refused too.
 */
function sessionCookie({ baseUrl, desk }: Merchant) {
  const options = cookieOptions({ baseUrl }, DESK);
  // Browsers accept a cookie of this name only over https.
  const name = options.secure ? "__Secure-desk" : "desk";
  return {
    set: (res: Response, session: string, maxAge: number) =>
      void res.cookie(name, session, { ...options, maxAge }),
    clear: (res: Response) => void res.clearCookie(name, options),
    /** The request's valid session and who acts in it, or undefined. */
    async of(req: Request) {
      const session = cookies(req).get(name);
      const actor = session === undefined ? null : await desk.admits(session);
      return session !== undefined && actor ? { session, actor } : undefined;
    },
  };
}

/** The interrupted form that a sign-in carries along. */
const keptIn = (body: unknown): SentFields =>
  Object.fromEntries(
    Object.entries((body ?? {}) as SentFields)
      .filter(([name]) => name.startsWith(KEPT))
      .map(([name, value]) => [name.slice(KEPT.length), value]),
  );

/** Limits the next page to the desk, so that a sign-in link cannot lead elsewhere. */
const ownPath = (to: unknown): string =>
  typeof to === "string" && OWN_PATH.test(to) && !to.startsWith(SIGN_IN) ? to : DESK;

const OWN_PATH = /^\/desk(\/[\w-]+)*(\?[\w=&.%+-]*)?$/;

/**
 * Whether others could read the secret on its way: over http to a name that is not this machine's.
 * Without BASE_URL the requested host name decides.
 */
function unencrypted(baseUrl: string, calledBy?: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && ![hostname, calledBy ?? hostname].every(isLoopback);
}

const MOST_CHARACTERS = 1000;

/** Accepts a pasted sign-in link too; opening the link would lose the kept form. */
function secretIn(typed: string): string {
  const secret = /^\W*https?:\/\/\S+\/sign-in\?secret=(\S+)/.exec(typed)?.[1] ?? typed;
  // A merchant's own secret may end in any character.
  return secret.startsWith("desk_") ? bareToken(secret) : secret;
}

const viewOf = (
  { baseUrl, merchantCommand }: HttpContext,
  { hostname }: Request,
  more: Omit<SignInView, "unencrypted" | "linkCommand">,
): SignInView => ({
  unencrypted: unencrypted(baseUrl, hostname),
  linkCommand: `${merchantCommand} desk link`,
  ...more,
});

/** Counts a visitor without a session. Whoever is signed in shares no limit with strangers. */
const countVisitor = (limits: Limits, req: Request, cost: Cost = {}): void =>
  void limits.charge({ requests: 1, ...cost }, { address: callerAddress(req) });

/** Shows the sign-in page without a session. Afterwards the visitor returns with what they typed. */
export function signedInOnly({ service, edge }: Api): RequestHandler {
  const cookie = sessionCookie(service.merchant);
  return async (req, res, next) => {
    const to = req.originalUrl;
    const open = await cookie.of(req).catch(async (error: unknown) => {
      await readKeptForm(req, res);
      throw error;
    });
    if (open !== undefined) {
      res.locals.deskActor = open.actor;
      next();
      return;
    }
    countVisitor(service.limits, req);
    if (req.method === "POST") {
      await readKeptForm(req, res);
      sendDocument(res, signInPage(viewOf(edge, req, { to: ownPath(to), kept: req.body })), 403);
    } else res.redirect(303, to === DESK ? SIGN_IN : `${SIGN_IN}?to=${encodeURIComponent(to)}`);
  };
}

/** Opening the sign-in page changes nothing, even with the printed link, which needs its button. */
export function mountSignIn(app: Express, { service, edge }: Api): void {
  const { merchant, limits } = service;
  const cookie = sessionCookie(merchant);
  const mailsLink = merchant.mail.reachesMerchant;
  app.use(SIGN_IN, signInForm);
  mountForm(app, edge, SIGN_IN, {
    get: async (req, res) => {
      const secret = fieldIn(req.query, "secret").slice(0, MOST_CHARACTERS) || undefined;
      const isOver = secret !== undefined && !(await merchant.desk.admitsSecret(secret));
      countVisitor(limits, req, isOver ? { sign_in: 1 } : {});
      const to = ownPath(req.query.to);
      const view = isOver ? { isOver, to, mailsLink } : { secret, to, mailsLink };
      sendDocument(res, signInPage(viewOf(edge, req, view)), isOver ? 403 : 200);
    },
    post: async (req, res) => {
      const secret = secretIn(fieldIn(req.body, "secret").slice(0, MOST_CHARACTERS).trim());
      // A secret cannot be guessed, so the right one works however many wrong ones came before.
      if (!(await merchant.desk.admitsSecret(secret))) countVisitor(limits, req, { sign_in: 1 });
      const to = ownPath(req.body?.to);
      const stay = stayOf(req.body?.stay);
      const kept = keptIn(req.body);
      const name = fieldIn(req.body, "name");
      const session = await merchant.desk.signIn(secret, stay, name);
      if (session === null) {
        edge.log.warn("a sign-in to the desk was refused");
        sendDocument(
          res,
          signInPage(viewOf(edge, req, { to, stay, name, kept, refused: true, mailsLink })),
          403,
        );
        return;
      }
      cookie.set(res, session, DESK_STAYS_MS[stay]);
      if (Object.keys(kept).length > 0) sendDocument(res, sendAgainPage(to, kept));
      else res.redirect(303, to);
    },
  });

  if (mailsLink)
    mountForm(app, edge, MAIL_LINK, {
      get: (_req, res) => res.redirect(303, SIGN_IN),
      post: async (req, res) => {
        countVisitor(limits, req, { sign_in: 1 });
        const isSent = await merchant.desk.mailLink();
        sendDocument(res, mailedPage(isSent), isSent ? 200 : 503);
      },
    });

  mountForm(app, edge, "/desk/sign-out", {
    post: async (req: Request, res: Response) => {
      const open = await cookie.of(req);
      if (open === undefined) countVisitor(limits, req);
      else {
        const everywhere = req.body?.everywhere === "yes";
        await merchant.desk.signOut(everywhere ? "everywhere" : open.session, open.actor);
      }
      cookie.clear(res);
      res.redirect(303, SIGN_IN);
    },
  });
}

const stayOf = (posted: unknown): DeskStay =>
  posted === "week" || posted === "month" ? posted : "day";

interface SignInView {
  /** Next page. */
  to: string;
  /** Secret from the printed link; the page then has only a button. */
  secret?: string | undefined;
  stay?: DeskStay;
  name?: string;
  refused?: boolean | undefined;
  /** The link that was opened was used, or has expired. */
  isOver?: boolean | undefined;
  /** A form sent without a session. */
  kept?: SentFields;
  /** The address is http and reachable by others. */
  unencrypted: boolean;
  /** Command that prints another link. */
  linkCommand: string;
  /** A link can be mailed instead. */
  mailsLink?: boolean;
}

/** Prefix of the kept form's fields. */
const KEPT = "kept.";

export function signInPage(view: SignInView): Page {
  const kept = hiddenFields(view.kept ?? {}, KEPT);
  return {
    title: "Sign in to the desk",
    heading: "The merchant’s desk",
    lede: "Orders, stock, agents and money.",
    body: html`${view.refused && notice("bad", "Sign-in failed.", lost(view.linkCommand))}
    ${view.isOver && notice("bad", "This link was used or has expired.", newLink(view.linkCommand))}
    ${kept.length > 0 && notice("warn", "Your session has ended.", KEPT_FOR_YOU)}
    ${view.unencrypted && notice("warn", "This address is not encrypted.", UNENCRYPTED)}
    <form class="form slip" method="post" action="/desk/sign-in">
      <input type="hidden" name="to" value="${view.to}">${kept}
      ${view.secret === undefined ? field(view.linkCommand) : secretFromLink(view.secret)}
      ${formField({
        name: "name",
        label: "Your name",
        hint: "The log and your notes show it.",
        autocomplete: "given-name",
        optional: true,
        maxlength: 60,
        value: view.name ?? "",
      })}
      <p class="field"><label for="stay">Stay signed in on this device</label>
        <select id="stay" name="stay">${Object.entries(DESK_STAYS_MS).map(
          ([name, ms]) =>
            html`<option value="${name}"${name === view.stay && html` selected`}>${span(ms)}</option>`,
        )}</select></p>
      <button type="submit">Sign in</button>
    </form>
    ${
      view.mailsLink &&
      view.secret === undefined &&
      kept.length === 0 &&
      html`<form method="post" action="${MAIL_LINK}"><button class="quiet" type="submit">Mail a link to the merchant</button></form>`
    }`,
  };
}

const KEPT_FOR_YOU = html`<p>Nothing was changed. Sign in, and you can send what you typed again.</p>`;

/** Strangers read the same as the merchant. */
const mailedPage = (isSent: boolean): Page => ({
  title: isSent ? "Look into your mailbox" : "The link was not sent",
  lede: isSent
    ? "A sign-in link is in the merchant’s mailbox, or on its way. It works once, for 15 minutes."
    : "The mail server did not take the letter. Try again in a minute.",
  body: html`<p><a class="quiet-link" href="${SIGN_IN}">Back to the sign-in</a></p>`,
});

/** Signed in again: the kept form is sent by one press, and not without it. */
export const sendAgainPage = (to: string, kept: SentFields): Page => ({
  title: "You are signed in again",
  lede: "Your form is still here. It has not been sent yet.",
  body: html`<div class="cluster">${sendAgain(to, kept, "Send it now")}
    <a class="button quiet" href="${to}">Leave it</a></div>`,
});

const field = (linkCommand: string): Renderable =>
  formField({
    name: "secret",
    label: "Merchant secret",
    type: "password",
    autocomplete: "current-password",
    hint: `MERCHANT_SECRET. If it is not set, run ${linkCommand} and paste the link here or open it.`,
  });

const secretFromLink = (
  secret: string,
): Renderable => html`<p>Your link works once, for 15 minutes.</p>
      <input type="hidden" name="secret" value="${secret}">`;

const lost = (linkCommand: string): Renderable =>
  html`<p>Wrong secret, or a used or expired link.</p>${newLink(linkCommand)}`;

const newLink = (linkCommand: string): Renderable =>
  html`<p><span class="code">${linkCommand}</span> prints a new one.</p>`;

const UNENCRYPTED = html`<p>Others on the network can read the secret. Put https in front and set BASE_URL,
      or use the command line.</p>`;
