import { html, type Markup } from "../web/html.ts";
import { notice } from "../web/parts.ts";

/** The typed email, and the one that was probably meant. */
export interface MeantEmail {
  email: string;
  meant: string;
}

/**
 * Asks once about a domain that looks mistyped. Enter in a field continues with the typed email, which the
 * form with this id sends again as `sure_of`.
 */
export const meantNotice = ({ email, meant }: MeantEmail, form: string): Markup =>
  notice(
    "warn",
    html`Did you mean <bdi>${meant}</bdi>?`,
    html`<button class="unseen" form="${form}" tabindex="-1" aria-hidden="true">Continue</button>
    <p><button form="${form}" name="corrected_email" value="${meant}">Yes, use that</button></p>
    <p>If <bdi>${email}</bdi> is right, just continue below.</p>`,
  );

export const sureOfField = (email: string | undefined): Markup | null =>
  email ? html`<input type="hidden" name="sure_of" value="${email}">` : null;
