/**
 * The tables of SQLite. The twin for the other engine must say the same, and so must
 * domain/records.ts and the migrations in drizzle/sqlite; a test compares them all.
 */
export * from "./tables/desk.ts";
export * from "./tables/orders.ts";
export * from "./tables/quotes.ts";
