import type { Request } from "express";
import { type ListPage, placeIn, placeOf } from "../../merchant/admin-fields.ts";

/** Rows on one page of the desk's lists. */
const ROWS = 100;

/** One page of a list, and the link to the rows before it. */
export interface PageOfList<R> {
  rows: readonly R[];
  older: string | null;
}

/** Newest first; the link names the last row by its moment and id, so that none is skipped. */
export async function listPage<R extends { id: string }>(
  req: Request,
  name: string,
  list: (page: ListPage) => Promise<readonly R[]>,
  at: (row: R) => string,
): Promise<PageOfList<R>> {
  const found = await list({ before: placeIn(req.query[name]), limit: ROWS + 1 });
  const rows = found.slice(0, ROWS);
  const last = rows.at(-1);
  const more = found.length > ROWS && last !== undefined;
  return { rows, older: more ? `?${name}=${placeOf(last, at(last))}` : null };
}

/** The same for a queue, the first in turn first; the link names the last entry. */
export async function queuePage<R extends { id: string }>(
  req: Request,
  name: string,
  list: (page: { after?: string; limit: number }) => Promise<readonly R[]>,
): Promise<PageOfList<R>> {
  const asked = req.query[name];
  const after = typeof asked === "string" && /^\w{1,64}$/.test(asked) ? { after: asked } : {};
  const found = await list({ ...after, limit: ROWS + 1 });
  const rows = found.slice(0, ROWS);
  const more = found.length > ROWS;
  return { rows, older: more ? `?${name}=${rows.at(-1)!.id}` : null };
}
