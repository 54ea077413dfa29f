import { bigint } from "drizzle-orm/pg-core";

/** Milliseconds and cents: beyond 32 bits, within 2^53. */
export const long = (name: string) => bigint(name, { mode: "number" });
