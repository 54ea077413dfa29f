import { type FieldProblem, problemSummary } from "../web/form-parts.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { type Page, pageHead } from "../web/layout.ts";
import { notice } from "../web/parts.ts";

/** The desk's pages that a day goes through, in its order. */
const DAILY = [
  ["", "Today"],
  ["orders", "Orders"],
  ["roast", "Roast"],
  ["ship", "Ship"],
  ["deliver", "Deliver"],
  ["stock", "Stock"],
] as const;

/** What is looked up now and then: behind one more press, so that a phone has one row. */
const MORE = [
  ["messages", "Messages"],
  ["catalog", "Catalog"],
  ["waitlist", "Waitlist"],
  ["agents", "Agents"],
  ["sales", "Sales"],
  ["mail", "Mail"],
  ["incidents", "Incidents"],
  ["log", "Log"],
] as const;

export type Place = (typeof DAILY | typeof MORE)[number][0];

/** A page of the desk. The frame adds what all of them have. */
export interface DeskPage extends Omit<Page, "title"> {
  /** Where the page belongs; absent where it is none of them. */
  place?: Place;
  /** Where it is another than the name of the place. */
  title?: string;
  /** What is wrong in the page's form, field by field: told in place of the whole refusal. */
  problems?: readonly FieldProblem[];
}

/** `done`: it is so now. Otherwise why not, in the verb's own words. */
export type ActionResult =
  | { done: string }
  /** `partly`: some of what was chosen is done. */
  | { refused: string; details: readonly string[]; partly?: true };

/** `said` is what came of the button that was pressed. */
export function deskPage({ place, problems = [], ...page }: DeskPage, said?: ActionResult): Page {
  const outcome =
    problems.length > 0 ? problemSummary(problems, page.body) : said && resultNotice(said);
  const title = page.title ?? [...DAILY, ...MORE].find(([path]) => path === place)![1];
  return {
    ...page,
    title: `${title} · Desk`,
    wide: true,
    desk: true,
    nav: nav(place),
    head: html`${outcome}
    ${page.head ?? pageHead({ ...page, title })}`,
  };
}

function nav(here: Place | undefined): Markup {
  const link = ([path, name]: readonly [Place, string]) =>
    html`<li><a href="/desk${path && `/${path}`}"${
      path === here && html` aria-current="page"`
    }>${name}</a></li>`;
  const [, further] = MORE.find(([path]) => path === here) ?? [];
  return html`<nav class="desk-nav row" aria-label="Desk">
        <ul>${DAILY.map(link)}</ul>
        <details class="desk-more">
          <summary${further && html` class="here"`}>${further ?? "More"}</summary>
          <ul>${MORE.map(link)}</ul>
        </details>
        <form method="post" action="/desk/sign-out">
          <button class="plain sign-out" type="submit">Sign out</button>
        </form>
      </nav>`;
}

function resultNotice(said: ActionResult): Markup {
  if ("done" in said) return notice("good", said.done, null);
  const { refused, details } = said;
  const list = html`<ul>${details.map((detail) => html`<li>${detail}</li>`)}</ul>`;
  const title = said.partly ? "Not everything could be done." : "Nothing was changed.";
  return notice("bad", title, details.length > 1 ? list : html`<p>${refused}</p>`);
}

/** A part of a page under a heading of its own: on a slip, or between slips. */
export const block = (id: string, title: string, body: Renderable, look = "slip desk-block") =>
  html`<section class="${look}" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;

/** A name or an address that somebody else wrote; an email breaks after its sign first. */
export const theirs = (text: string): Markup =>
  html`<bdi class="theirs">${text
    .split(/(?<=@)/)
    .map((part, i) => (i === 0 ? part : html`<wbr>${part}`))}</bdi>`;

/** Words of theirs in a line of ours: between marks, so that they are never taken for the desk's. */
export const quoted = (text: string): Markup => html`<q>${theirs(text)}</q>`;

/** Longer text of theirs, with its own line breaks. */
export const theirWords = (text: string): Markup =>
  html`<blockquote class="their-words">${text}</blockquote>`;

export const code = (text: string): Markup => html`<span class="code">${text}</span>`;

/** The same page over something else; one of them is shown. */
export const tabs = (
  label: string,
  all: readonly { name: string; href: string; here: boolean }[],
): Markup => html`<nav aria-label="${label}">
    <ul class="tabs cluster">${all.map(
      ({ name, href, here }) =>
        html`<li><a href="${href}"${here && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul>
  </nav>`;
