import type { PaymentMode } from "../core/answer.ts";
import { bags } from "../core/bags.ts";
import { type Pause, pauseWords, type Shop } from "../core/shop.ts";
import { dataBlock, html, type Markup, type Renderable } from "./html.ts";

export type { PaymentMode };

export interface Page {
  title: string;
  /** State of the order, quote, checkout or waitlist place on the page, as `data-state`. */
  state?: string;
  /** If it differs from the title. */
  heading?: Renderable;
  lede?: Renderable;
  /** Below heading and lede. */
  top?: Renderable;
  /** Replaces heading, lede and top. */
  head?: Renderable;
  body: Renderable;
  /** Public. Other pages stay out of search engines and out of the Referer header. */
  listed?: boolean;
  /** Beside the shop's name. */
  nav?: Renderable;
  /** A page for the merchant, without the buyers' footer. */
  desk?: boolean;
  /** A wider column. */
  wide?: boolean;
  /** Preview of a link to the front page, for chats and other sites. */
  preview?: { baseUrl: string; description: string };
  /** The page's subject in schema.org's terms, for crawlers. */
  data?: object;
  /** The page itself says that no money moves. */
  bannerless?: boolean;
}

const DESCRIPTION =
  "Small-lot whole-bean coffee, roasted to order. Your agent shops, you see the total and pay.";

/** A bean with its crease. */
const MARK = html`<svg class="mark" viewBox="0 0 32 32" width="30" height="30" aria-hidden="true">
  <ellipse cx="16" cy="16" rx="9.5" ry="13.5" transform="rotate(32 16 16)"></ellipse>
  <path d="M22.8 5.2c-5.4 4.6-2.6 7.6-6.6 10.9-4.2 3.4-1.6 7-7.2 10.5"></path>
</svg>`;

const BANNERS: Record<Exclude<PaymentMode, "live">, string> = {
  sandbox: "Demo shop: no money moves, and nothing ships.",
  test: "Test mode: no card is charged, and nothing ships.",
};

function banner(mode: PaymentMode): Markup | null {
  if (mode === "live") return null;
  return html`<aside class="mode-banner" aria-label="Payment mode"><p>${BANNERS[mode]}</p></aside>`;
}

const breakNotice = (pause: Pause): Markup =>
  html`<aside class="mode-banner" aria-label="Break"><p>${pauseWords(pause)}</p></aside>`;

/** Facts about the shop on every page. */
export interface ShopFrame {
  shop: Pick<Shop, "name">;
  /** The running break. */
  pause?: Pause | null;
  mode: PaymentMode;
  supportEmail: string | undefined;
  privacyUrl?: string | undefined;
  termsUrl?: string | undefined;
}

function footer({ supportEmail, privacyUrl, termsUrl }: ShopFrame): Markup {
  return html`<footer class="foot">
    <p>Whole-bean coffee in 8 oz bags, roasted to order. Ships within the United States.</p>
    ${supportEmail && html`<p>Questions? Write to ${mailLink(supportEmail)}.</p>`}
    <nav aria-label="About this shop">
      <ul>
        <li><a href="${supportEmail ? `mailto:${supportEmail}` : "/contact"}">Contact</a></li>
        <li><a href="/find-order">Find my order</a></li>
        <li><a href="/shipping">Shipping &amp; returns</a></li>
        <li><a href="${privacyUrl ?? "/privacy"}">Privacy</a></li>
        ${termsUrl && html`<li><a href="${termsUrl}">Terms</a></li>`}
      </ul>
    </nav>
  </footer>`;
}

/** Previews show no SVG, so the picture is a photo. */
function previewTags(
  title: string,
  shopName: string,
  { baseUrl, description }: NonNullable<Page["preview"]>,
): Markup {
  return html`<link rel="canonical" href="${baseUrl}/">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${shopName}">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">
    <meta property="og:url" content="${baseUrl}/">
    <meta property="og:image" content="${baseUrl}/assets/coffee.jpg">
    <meta property="og:image:alt" content="A bag of ${shopName} beans">
    <meta name="twitter:card" content="summary_large_image">`;
}

export const pageHead = ({ title, heading = title, lede, top }: Omit<Page, "body">): Markup =>
  html`<header class="head stack">
      <h1>${heading}</h1>
      ${lede && html`<p class="lede">${lede}</p>`}
      ${top}
    </header>`;

export const mailLink = (email: string): Markup => html`<a href="mailto:${email}">${email}</a>`;

/** `cartBags`: bags in the visitor's cart. */
export function layout(page: Page, frame: ShopFrame, cartBags = 0): string {
  const { shop } = frame;
  // With `no-referrer` browsers would post our own forms with `Origin: null`, like a foreign site's.
  const guard = page.listed
    ? html`<meta name="description" content="${page.preview?.description ?? DESCRIPTION}">`
    : html`<meta name="robots" content="noindex, nofollow">
    <meta name="referrer" content="same-origin">`;
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${page.title} · ${shop.name}</title>
    ${guard}
    ${page.preview && previewTags(page.title, shop.name, page.preview)}
    ${page.data && dataBlock(page.data)}
    <link rel="icon" type="image/svg+xml" href="/assets/icon.svg">
    <link rel="stylesheet" href="/assets/style.css">
  </head>
  <body>
    <a class="skip" href="#main">Skip to content</a>
    ${page.bannerless ? null : banner(frame.mode)}
    ${frame.pause && breakNotice(frame.pause)}
    <header class="top${page.desk ? "" : " row apart"}">
      <a class="brand" href="/">${MARK}<span>${shop.name}</span></a>
      ${page.nav}
      ${
        !page.desk &&
        html`<p class="cluster"><a class="quiet-link" href="/find-order">Find my order</a>
      ${cartBags > 0 && html`<a class="quiet-link" href="/#cart">Cart: ${bags(cartBags)}</a>`}</p>`
      }
    </header>
    <main id="main" class="main stack${page.wide ? " main-wide" : ""}${page.desk ? " desk" : ""}"${page.state && html` data-state="${page.state}"`} tabindex="-1">
    ${page.head === undefined ? pageHead(page) : page.head}
    ${page.body}
    </main>
    ${page.desk ? null : footer(frame)}
  </body>
</html>
`.toString();
}
