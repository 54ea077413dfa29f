import type { Kit } from "../sqlite/kit.ts";
import { catalogTables } from "./catalog.ts";
import { deskTables } from "./desk.ts";
import { orderTables } from "./orders.ts";
import { paymentTables } from "./payments.ts";
import { quoteTables } from "./quotes.ts";

/**
 * Every table, declared once for both engines. Its columns are those of domain/shared/records.ts and
 * of the migrations in drizzle/; a test compares them all.
 */
export const tables = (kit: Kit) => ({
  ...quoteTables(kit),
  ...orderTables(kit),
  ...paymentTables(kit),
  ...catalogTables(kit),
  ...deskTables(kit),
});
