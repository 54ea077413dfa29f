import { html as honoHtml, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** Escaped HTML. Templates escape every plain string. */
export type Markup = HtmlEscapedString;

/** A value in a template. Promises are excluded, so a page is a synchronous function of its view. */
export type Renderable =
  | Markup
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Renderable[];

/** Hono's escaping template tag, without promises. */
export function html(strings: TemplateStringsArray, ...values: Renderable[]): Markup {
  const made = honoHtml(strings, ...values);
  if (made instanceof Promise) throw new TypeError("A page must be rendered synchronously.");
  return made;
}

/** A block of data for crawlers. Browsers don't run it, and no text in it can end it. */
export const dataBlock = (data: object): Markup =>
  html`<script type="application/ld+json">${raw(JSON.stringify(data).replaceAll("<", "\\u003c"))}</script>`;
