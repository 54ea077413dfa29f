import type { Request } from "express";
import { type ListPage, type ListRow, placeIn, placeOf } from "../core/admin-verb.ts";
import { MOST_COUNTED } from "../core/policy.ts";
import type { AuditEntry } from "../merchant/audit-log.ts";
import type { Kinds, ListColumn } from "../merchant/list-columns.ts";
import { beanCell } from "../web/bean-view.ts";
import { shopMoment } from "../web/format.ts";
import { html, type Markup, type Renderable } from "../web/html.ts";
import { block, code, type DeskPage, theirs } from "./frame.ts";
import { chips, orderLink, statusChip, warning } from "./order-parts.ts";

export interface Column<R> {
  name: string;
  cell: (row: R) => Renderable;
  /** Amounts and counts stand under each other. */
  number?: true;
}

/**
 * A table on a desktop, a card for each row on a phone. The first column names the row. `short`: rows
 * are many and their values short, so that on a phone a row is a line or two. `dense`: a line on a desktop, too.
 */
export function records<R>(
  caption: string,
  rows: readonly R[],
  columns: readonly Column<R>[],
  look?: "short" | "dense",
): Markup {
  const [first, ...rest] = columns as [Column<R>, ...Column<R>[]];
  const numeric = (column: Column<R>) => (column.number ? html` class="number"` : null);
  return html`<div class="room"><table class="records${look && ` records-short`}${look === "dense" && " records-dense"}">
    <caption class="unseen">${caption}</caption>
    <thead><tr>${columns.map((c) => html`<th scope="col"${numeric(c)}>${c.name}</th>`)}</tr></thead>
    <tbody>
      ${rows.map(
        (row) => html`<tr>
        <th scope="row">${first.cell(row)}</th>
        ${rest.map((c) => html`<td data-name="${c.name}"${numeric(c)}>${c.cell(row)}</td>`)}
      </tr>`,
      )}
    </tbody>
  </table></div>`;
}

/** Columns that the command line shows too. */
export const shared = <R>(columns: readonly ListColumn<R>[]): Column<R>[] =>
  columns.map(({ title, kind, of, warn }) => ({
    name: title,
    cell: (row) => {
      const value = of(row);
      if (value === null) return null;
      const shown = (CELLS[kind] as (value: unknown) => Renderable)(value);
      return warn?.(row) ? warning(shown) : shown;
    },
    ...(kind === "number" && { number: true }),
  }));

const CELLS: { [K in keyof Kinds]: (value: NonNullable<Kinds[K]>) => Renderable } = {
  // The provider's ids are long words.
  text: (text) => html`<span class="breakable">${text}</span>`,
  number: (number) => number,
  moment: (at) => html`<span class="moment">${shopMoment(at)}</span>`,
  id: code,
  name: theirs,
  order: (order) =>
    order.number || order.id.startsWith("ord_") ? orderLink(order) : code(order.id),
  bean: ({ product_id, name }) =>
    beanCell({ product_id, name: name ?? `${product_id}, not in the catalog` }),
  status: (status) => statusChip(status),
  words: (words) => html`<div class="cluster">${chips(words)}</div>`,
  act: actSentence,
};

/** The sentence, with a link at the name of what it is about. */
function actSentence({ sentence, about }: AuditEntry): Markup {
  const at = about ? sentence.indexOf(about.name) : -1;
  if (!about || at < 0) return html`<span class="breakable">${sentence}</span>`;
  const [before, after] = [sentence.slice(0, at), sentence.slice(at + about.name.length)];
  const { kind, id, name } = about;
  const page = kind === "agent" ? "agents" : `${kind === "order" ? "orders" : "catalog"}/${id}`;
  const link = html`<a href="/desk/${page}">${kind === "agent" ? theirs(name) : name}</a>`;
  return html`<span class="breakable">${before}${link}${after}</span>`;
}

/** A titled table of tasks. If not all are shown, a link to all or a note says so. */
export function section<R>(
  [id, title, caption]: readonly [id: string, title: string, caption: string],
  rows: readonly R[],
  columns: readonly Column<R>[],
  { count = rows.length, all, short }: { count?: number; all?: string; short?: true } = {},
): Markup | null {
  if (rows.length === 0) return null;
  const more = `And ${count < MOST_COUNTED ? count - rows.length : "many"} more, once some of these are handled.`;
  const rest = all ? html`<a href="${all}">All ${count}</a>` : more;
  return block(
    id,
    title,
    html`${records(caption, rows, columns, short && "short")} ${count > rows.length && html`<p>${rest}</p>`}`,
    "desk-block",
  );
}

/** Rows on one page of the desk's lists. */
const ROWS = 100;

/** One page of a list, and the link to the next older page. */
export interface PageOfList<R> {
  rows: readonly R[];
  older: string | null;
}

/** Newest first. The link names the last row by time and id, so that no row is skipped. */
export async function newestFirst<R extends ListRow>(
  req: Request,
  list: (page: ListPage) => Promise<readonly R[]>,
  name = "before",
): Promise<PageOfList<R>> {
  const found = await list({ before: placeIn(req.query[name]), limit: ROWS + 1 });
  return pageOf(found, name, placeOf);
}

/** A queue in its order. The link names the last entry. */
export async function firstInTurn<R extends { id: string }>(
  req: Request,
  list: (page: { after?: string; limit: number }) => Promise<readonly R[]>,
): Promise<PageOfList<R>> {
  const asked = req.query.after;
  const after = typeof asked === "string" && /^\w{1,64}$/.test(asked) ? { after: asked } : {};
  return pageOf(await list({ ...after, limit: ROWS + 1 }), "after", (row) => row.id);
}

/** `found` has one row more than a page if there are others. */
function pageOf<R>(found: readonly R[], name: string, place: (row: R) => string): PageOfList<R> {
  const rows = found.slice(0, ROWS);
  return { rows, older: found.length > ROWS ? `?${name}=${place(rows.at(-1)!)}` : null };
}

/** A page with one list; `empty` stands in place of no rows. */
interface ListLook<R> extends Omit<DeskPage, "body"> {
  caption: string;
  empty: string;
  columns: readonly Column<R>[];
  short?: true;
  /** Label of the link to the rest. */
  rest?: string;
  /** Below the list. */
  foot?: Markup;
}

export function listPage<R>(list: PageOfList<R>, page: ListLook<R>): DeskPage {
  const { caption, empty, columns, short, rest, foot, ...about } = page;
  const { rows } = list;
  return {
    ...about,
    body: html`${rows.length > 0 ? records(caption, rows, columns, short && "short") : html`<p>${empty}</p>`}
    ${older(list, rest)}
    ${foot}`,
  };
}

/** Link to the rest of a list, if there is more. */
export const older = (list: PageOfList<unknown>, word = "Older"): Markup | null =>
  list.older === null
    ? null
    : html`<p><a class="button quiet" href="${list.older}">${word}</a></p>`;
