import { sum } from "../core/money.ts";
import { MOST_COUNTED } from "../core/policy.ts";
import { type FieldProblem, problemSummary } from "../web/form-parts.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { type Page, pageHead } from "../web/layout.ts";
import { notice } from "../web/parts.ts";

/** Pages of a working day, in its order. */
const DAILY = [
  ["", "Today"],
  ["orders", "Orders"],
  ["roast", "Roast"],
  ["ship", "Ship"],
  ["deliver", "Deliver"],
  ["stock", "Stock"],
  ["messages", "Messages"],
] as const;

/** Pages for now and then. */
const MORE = [
  ["catalog", "Catalog"],
  ["waitlist", "Waitlist"],
  ["agents", "Agents"],
  ["sales", "Sales"],
  ["shop", "Shop"],
  ["mail", "Mail"],
  ["incidents", "Incidents"],
  ["log", "Log"],
] as const;

export type Place = (typeof DAILY | typeof MORE)[number][0];

/** A page of the desk without the frame that all pages share. */
export interface DeskPage extends Omit<Page, "title"> {
  /** Place in the navigation, if it has one. */
  place?: Place;
  /** Default: the name of the place. */
  title?: string;
  /** Problems of the page's form by field, shown instead of the refusal. */
  problems?: readonly FieldProblem[];
  status?: number;
}

/** Outcome of a button: a result, or the verb's refusal. */
export type ActionResult =
  | { done: string }
  /** `partly`: some of the chosen rows are done. */
  | { refused: string; details: readonly string[]; partly?: true };

/** What waits at a place. */
export type Counts = Readonly<Partial<Record<Place, number>>>;

/** `said` is the outcome of the pressed button. */
export function deskPage(
  { place, problems = [], status: _, ...page }: DeskPage,
  said?: ActionResult,
  counts: Counts = {},
): Page {
  const outcome =
    problems.length > 0 ? problemSummary(problems, page.body) : said && resultNotice(said);
  const title = page.title ?? [...DAILY, ...MORE].find(([path]) => path === place)![1];
  return {
    ...page,
    title: `${title} · Desk`,
    wide: true,
    desk: true,
    nav: nav(place, counts),
    head: html`${outcome}
    ${page.head ?? pageHead({ ...page, title })}`,
  };
}

function nav(here: Place | undefined, counts: Counts): Markup {
  const link = ([path, name]: readonly [Place, string]) => {
    return html`<li><a href="/desk${path && `/${path}`}"${
      path === here && html` aria-current="page"`
    }>${name}${countOf(counts[path])}</a></li>`;
  };
  const rare = html`<ul class="desk-rare">${MORE.map(link)}
          <li><form method="post" action="/desk/sign-out">
            <button class="plain sign-out" type="submit">Sign out</button>
          </form></li></ul>`;
  const isRare = MORE.some(([path]) => path === here);
  const waiting = sum(MORE.map(([path]) => counts[path] ?? 0));
  return html`<nav class="desk-nav row" aria-label="Desk">
        <ul class="desk-daily">${DAILY.map(link)}</ul>
        ${isRare ? rare : html`<details class="desk-more"><summary>More${countOf(waiting)}</summary>${rare}</details>`}
      </nav>`;
}

const countOf = (count = 0): Renderable =>
  count > 0 &&
  html` <span class="count">${count < MOST_COUNTED ? count : `${MOST_COUNTED - 1}+`}</span>`;

function resultNotice(said: ActionResult): Markup {
  if ("done" in said) return notice("good", said.done, null);
  const { refused, details } = said;
  const list = html`<ul>${details.map((detail) => html`<li>${detail}</li>`)}</ul>`;
  const title = said.partly ? "Not everything could be done." : "Nothing was changed.";
  return notice("bad", title, details.length > 1 ? list : html`<p>${refused}</p>`);
}

/** A section under its own heading. */
export const block = (id: string, title: string, body: Renderable, look = "slip desk-block") =>
  html`<section class="${look}" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${body}
  </section>`;

/** A name or address that a stranger wrote. An email breaks after its @ first. */
export const theirs = (text: string): Markup =>
  html`<bdi class="theirs">${text
    .split(/(?<=@)/)
    .map((part, i) => (i === 0 ? part : html`<wbr>${part}`))}</bdi>`;

/** A stranger's words inside our line, in quotation marks so that nobody takes them for ours. */
export const quoted = (text: string): Markup => html`<q>${theirs(text)}</q>`;

/** A stranger's longer text, with its line breaks. */
export const theirWords = (text: string): Markup =>
  html`<blockquote class="their-words">${text}</blockquote>`;

export const code = (text: string): Markup => html`<span class="code">${text}</span>`;

/** Links to the same page over other rows. */
export const tabs = (
  label: string,
  all: readonly { name: string; href: string; here: boolean }[],
): Markup => html`<nav aria-label="${label}">
    <ul class="tabs cluster">${all.map(
      ({ name, href, here }) =>
        html`<li><a href="${href}"${here && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul>
  </nav>`;
