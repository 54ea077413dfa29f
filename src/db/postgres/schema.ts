import {
  bigint,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { type Kit, tables } from "../tables.ts";

export const schema = tables({
  table: pgTable,
  text: (name: string) => text(name),
  integer: (name: string) => integer(name),
  /** Milliseconds and cents: beyond 32 bits, within 2^53. */
  long: (name: string) => bigint(name, { mode: "number" }),
  index,
  uniqueIndex,
  primaryKey,
} as unknown as Kit);
