import { span } from "../core/policy.ts";
import { DESK_STAYS_MS, type DeskStay } from "../merchant/desk-verbs.ts";
import { formField, hiddenFields, type SentFields, sendAgain } from "../web/form-parts.ts";
import { html, type Renderable } from "../web/html.ts";
import type { Page } from "../web/layout.ts";
import { notice } from "../web/parts.ts";

export interface SignInView {
  /** The desk's page to go on to. */
  to: string;
  /** Out of the printed link: then there is only a button. Whether it is right, the button tells. */
  secret?: string | undefined;
  stay?: DeskStay;
  refused?: boolean | undefined;
  /** A form that was sent without a session. */
  kept?: SentFields;
  /** The address is http and others reach it. */
  unencrypted: boolean;
  /** Prints another link. */
  linkCommand: string;
}

/** Before each of its fields: they stand beside the sign-in's own. */
export const KEPT = "kept.";

export function signInPage(view: SignInView): Page {
  const kept = hiddenFields(view.kept ?? {}, KEPT);
  return {
    title: "Sign in to the desk",
    heading: "The merchant's desk",
    lede: "Orders to roast and ship, stock, agents, and what happened to money.",
    body: html`${view.refused && notice("bad", "This does not sign in.", lost(view.linkCommand))}
    ${kept.length > 0 && notice("warn", "Your session has ended.", KEPT_FOR_YOU)}
    ${view.unencrypted && notice("warn", "This address is not encrypted.", UNENCRYPTED)}
    <form class="form slip" method="post" action="/desk/sign-in">
      <input type="hidden" name="to" value="${view.to}">${kept}
      ${view.secret === undefined ? field(view.linkCommand) : secretFromLink(view.secret)}
      <p class="field"><label for="stay">Stay signed in on this device</label>
        <select id="stay" name="stay">${Object.entries(DESK_STAYS_MS).map(
          ([name, ms]) =>
            html`<option value="${name}"${name === view.stay && html` selected`}>${span(ms)}</option>`,
        )}</select></p>
      <button type="submit">Sign in</button>
    </form>`,
  };
}

const KEPT_FOR_YOU = html`<p>Nothing was changed. Sign in, and you can send what you typed again.</p>`;

/** Signed in again; what was typed before is one press away, and not sent without it. */
export const sendAgainPage = (to: string, kept: SentFields): Page => ({
  title: "You are signed in again",
  lede: "What you sent before is still here. Nothing has been done with it yet.",
  body: html`<div class="cluster">${sendAgain(to, kept, "Send it now")}
    <a class="button quiet" href="${to}">Leave it</a></div>`,
});

const field = (linkCommand: string): Renderable =>
  formField({
    name: "secret",
    label: "Merchant secret",
    type: "password",
    autocomplete: "current-password",
    hint: `MERCHANT_SECRET. Where it is not set: ${linkCommand} prints a link to sign in. Open it, or paste it here.`,
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
