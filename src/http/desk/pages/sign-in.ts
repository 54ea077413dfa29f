import { hours } from "../../../domain/shared/policy.ts";
import { formField } from "../../pages/form-parts.ts";
import { html, type Renderable } from "../../pages/html.ts";
import type { Page } from "../../pages/layout.ts";
import { notice } from "../../pages/parts.ts";

export interface SignInView {
  /** The desk's page to go on to. */
  to: string;
  /** How long a device can stay signed in, in milliseconds; the first unless another is chosen. */
  stays: Readonly<Record<string, number>>;
  /** Out of the printed link: then there is only a button. Whether it is right, the button tells. */
  secret?: string | undefined;
  refused?: boolean | undefined;
  /** The address is http and others reach it. */
  unencrypted: boolean;
}

export function signInPage(view: SignInView): Page {
  return {
    title: "Sign in to the desk",
    heading: "The merchant's desk",
    lede: "Orders to roast and ship, stock, agents, and what happened to money.",
    body: html`${view.refused ? notice("bad", "This does not sign in.", LOST) : null}
    ${view.unencrypted ? notice("warn", "This address is not encrypted.", UNENCRYPTED) : null}
    <form class="form slip" method="post" action="/desk/sign-in">
      <input type="hidden" name="to" value="${view.to}">
      ${view.secret === undefined ? field : secretFromLink(view.secret)}
      <p class="field"><label for="stay">Stay signed in on this device</label>
        <select id="stay" name="stay">${Object.entries(view.stays).map(
          ([name, ms]) =>
            html`<option value="${name}">${ms < DAY_MS ? hours(ms) : `${ms / DAY_MS} days`}</option>`,
        )}</select></p>
      <button type="submit">Sign in</button>
    </form>`,
  };
}

const DAY_MS = 86_400_000;

const field = formField({
  name: "secret",
  label: "Merchant secret",
  type: "password",
  autocomplete: "current-password",
  hint: "MERCHANT_SECRET. Where it is not set: npm run merchant -- desk link prints a link to sign in.",
});

const secretFromLink = (
  secret: string,
): Renderable => html`<p>Your link signs in once, within 15 minutes of
      its making.</p>
      <input type="hidden" name="secret" value="${secret}">`;

const LOST = html`<p>It is not the secret, or a link that was used or is too old:
      <span class="code">npm run merchant -- desk link</span> prints a new one.</p>`;

const UNENCRYPTED = html`<p>Others on the way can read the secret. Put https in front and set BASE_URL,
      or use the command line.</p>`;
