import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { tables } from "../tables.ts";

/** What tables are declared with here. */
const kit = {
  table: sqliteTable,
  text: (name: string) => text(name),
  integer: (name: string) => integer(name),
  long: (name: string) => integer(name),
  index,
  uniqueIndex,
  primaryKey,
};

/**
 * SQLite's types stand for both engines: a row of ours is numbers, text and null, and the builders
 * of both say the same (store/queries/database.ts).
 */
export type Kit = typeof kit;

export const schema = tables(kit);
