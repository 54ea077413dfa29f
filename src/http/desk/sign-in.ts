import type { Express, Request, Response } from "express";
import { DESK_STAYS_MS, type DeskStay } from "../../merchant/desk.ts";
import type { Api } from "../api.ts";
import { fieldIn } from "../body.ts";
import { mountForm, sendDocument } from "../page-answers.ts";
import { callerAddress, sendLimits } from "../request-context.ts";
import { type SignInView, signInPage } from "./pages/sign-in.ts";
import { ownPath, SIGN_IN, sessionCookie, unencrypted } from "./session.ts";

/** The longest secret that is looked at. */
const MOST_CHARACTERS = 1000;

/** The one way in. Opening it changes nothing, also with the printed link: there is a button. */
export function mountSignIn(app: Express, { service, edge }: Api): void {
  const { merchant, limits } = service;
  const cookie = sessionCookie(merchant);
  const view = (req: Request, more: Partial<SignInView>): SignInView => ({
    stays: DESK_STAYS_MS,
    unencrypted: unencrypted(edge.baseUrl, req.hostname),
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
