import { html as honoHtml } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** HTML that is already escaped. Every plain string that meets a template is escaped on the way. */
export type Markup = HtmlEscapedString;

/** What may stand in a template. No promises: a page is one synchronous function of its view. */
export type Renderable =
  | Markup
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Renderable[];

/**
 * Hono's escaping template tag, held to the synchronous half of what it can do: with the values
 * above it never answers a promise, so pages need not be awaited.
 */
export function html(strings: TemplateStringsArray, ...values: Renderable[]): Markup {
  const made = honoHtml(strings, ...values);
  if (made instanceof Promise) throw new TypeError("A page must be rendered synchronously.");
  return made;
}
