import { RETENTION_DAYS } from "../../core/policy.ts";
import type { Shop } from "../../core/shop.ts";
import { html, type Markup } from "../../web/html.ts";
import { mailLink, type Page } from "../../web/layout.ts";
import { policyList } from "../../web/parts.ts";

interface InformationView {
  shop: Shop;
  supportEmail: string | undefined;
}

const writeToUs = ({ supportEmail }: InformationView): Markup =>
  supportEmail
    ? html`Write to ${mailLink(supportEmail)}`
    : html`Tell us through the agent that ordered for you`;

export const shippingPage = (view: InformationView): Page => ({
  title: "Shipping & returns",
  listed: true,
  body: html`${policyList(view.shop)}
    <p>Every shipment has its own tracking number, which you find on your order’s page and in the email we
    send when it leaves.</p>
    <p>Damaged, lost or wrong? ${writeToUs(view)} and we’ll sort it out with you. To cancel, use the form on
    your order’s page.</p>`,
});

export const privacyPage = (view: InformationView): Page => ({
  title: "Privacy",
  listed: true,
  body: html`<ul class="policy stack tight">
      <li><b>What we keep.</b> The email, addresses and gift notes of your order, to make and ship it,
      to answer your questions, and for our books.</li>
      <li><b>What we don’t see.</b> Your card: you pay on our payment provider’s page.</li>
      <li><b>What we delete.</b> Orders you don’t pay for are deleted after ${RETENTION_DAYS.unpaid_quotes} days.</li>
      <li><b>What we don’t do.</b> No ads, no tracking and no cookies on these pages.</li>
    </ul>
    <p>Want your data erased? ${writeToUs(view)}.</p>`,
});
