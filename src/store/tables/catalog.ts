/** What is sold, and how many bags there are. Columns: domain/shared/records.ts. */
import type { Kit } from "../sqlite/kit.ts";

const beans = ({ table, text, integer, long }: Kit) =>
  table("beans", {
    product_id: text("product_id").primaryKey(),
    position: integer("position").notNull(),
    published: text("published"),
    on_sale: integer("on_sale").notNull(),
    draft: text("draft"),
    changed_at: long("changed_at").notNull(),
  });

const stock = ({ table, text, integer }: Kit) =>
  table("stock", {
    product_id: text("product_id").primaryKey(),
    on_hand: integer("on_hand").notNull(),
    held: integer("held").notNull(),
    low_at: integer("low_at"),
    catalog_version: integer("catalog_version").notNull().default(0),
  });

export const catalogTables = (kit: Kit) => ({
  beans: beans(kit),
  stock: stock(kit),
});
