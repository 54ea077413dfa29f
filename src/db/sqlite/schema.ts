import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { tables } from "../tables.ts";

export const schema = tables({
  table: sqliteTable,
  text: (name) => text(name),
  integer: (name) => integer(name),
  long: (name) => integer(name),
  index,
  uniqueIndex,
  primaryKey,
});
