import type { Request } from "express";
import { type ListPage, placeIn, placeOf } from "../../merchant/admin-fields.ts";

/** Rows on one page of the desk's lists. */
const ROWS = 100;

/** One page of a list, and the link to the rows before it. */
export interface PageOfList<R> {
  rows: readonly R[];
  older: string | null;
}

type Row = { id: string } & ({ created_at: string } | { at: string });

/** Newest first; the link names the last row by its moment and id, so that none is skipped. */
export async function listPage<R extends Row>(
  req: Request,
  name: string,
  list: (page: ListPage) => Promise<readonly R[]>,
): Promise<PageOfList<R>> {
  const found = await list({ before: placeIn(req.query[name]), limit: ROWS + 1 });
  return pageOf(found, name, (row) => placeOf(row, "at" in row ? row.at : row.created_at));
}

/** The same for a queue, the first in turn first; the link names the last entry. */
export async function queuePage<R extends { id: string }>(
  req: Request,
  name: string,
  list: (page: { after?: string; limit: number }) => Promise<readonly R[]>,
): Promise<PageOfList<R>> {
  const asked = req.query[name];
  const after = typeof asked === "string" && /^\w{1,64}$/.test(asked) ? { after: asked } : {};
  return pageOf(await list({ ...after, limit: ROWS + 1 }), name, (row) => row.id);
}

/** One row more than a page takes was asked for: it says whether there are others. */
function pageOf<R>(found: readonly R[], name: string, place: (row: R) => string): PageOfList<R> {
  const rows = found.slice(0, ROWS);
  return { rows, older: found.length > ROWS ? `?${name}=${place(rows.at(-1)!)}` : null };
}
