import {
  bigint,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { Kit } from "../sqlite/schema.ts";
import { tables } from "../tables.ts";

/** What tables are declared with here. */
const kit = {
  table: pgTable,
  text: (name: string) => text(name),
  integer: (name: string) => integer(name),
  /** Milliseconds and cents: beyond 32 bits, within 2^53. */
  long: (name: string) => bigint(name, { mode: "number" }),
  index,
  uniqueIndex,
  primaryKey,
} as unknown as Kit;

export const schema = tables(kit);
