import { html as honoHtml } from "hono/html";
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
