import type { Request } from "express";
import { type ListPage, type ListRow, placeIn, placeOf } from "../core/admin-verb.ts";
import { html, type Markup } from "../web/html.ts";
import { type Column, type DeskPage, records } from "./frame.ts";

/** Rows on one page of the desk's lists. */
const ROWS = 100;

/** One page of a list, and the link to the rows before it. */
export interface PageOfList<R> {
  rows: readonly R[];
  older: string | null;
}

/** Newest first; the link names the last row by its moment and id, so that none is skipped. */
export async function newestFirst<R extends ListRow>(
  req: Request,
  list: (page: ListPage) => Promise<readonly R[]>,
  name = "before",
): Promise<PageOfList<R>> {
  const found = await list({ before: placeIn(req.query[name]), limit: ROWS + 1 });
  return pageOf(found, name, placeOf);
}

/** The same for a queue, the first in turn first; the link names the last entry. */
export async function firstInTurn<R extends { id: string }>(
  req: Request,
  list: (page: { after?: string; limit: number }) => Promise<readonly R[]>,
): Promise<PageOfList<R>> {
  const asked = req.query.after;
  const after = typeof asked === "string" && /^\w{1,64}$/.test(asked) ? { after: asked } : {};
  return pageOf(await list({ ...after, limit: ROWS + 1 }), "after", (row) => row.id);
}

/** One row more than a page takes was asked for: it says whether there are others. */
function pageOf<R>(found: readonly R[], name: string, place: (row: R) => string): PageOfList<R> {
  const rows = found.slice(0, ROWS);
  return { rows, older: found.length > ROWS ? `?${name}=${place(rows.at(-1)!)}` : null };
}

/** A page that is a list: what each row says, and what it says where there is none. */
interface ListLook<R> extends Omit<DeskPage, "body"> {
  caption: string;
  empty: string;
  columns: readonly Column<R>[];
  /** As in `records`. */
  short?: true;
  /** What the link to the rest says. */
  rest?: string;
  /** Below the list. */
  foot?: Markup;
}

export function listPage<R>(list: PageOfList<R>, page: ListLook<R>): DeskPage {
  const { caption, empty, columns, short, rest, foot, ...about } = page;
  const { rows } = list;
  return {
    ...about,
    body: html`${rows.length > 0 ? records(caption, rows, columns, short) : html`<p>${empty}</p>`}
    ${older(list, rest)}
    ${foot}`,
  };
}

/** To the rest of a list, where there is some. */
export const older = (list: PageOfList<unknown>, word = "Older"): Markup | null =>
  list.older === null
    ? null
    : html`<p><a class="button quiet" href="${list.older}">${word}</a></p>`;
