import type { Admin } from "../merchant/merchant.ts";

export type StockLine = Awaited<ReturnType<Admin["stock"]["list"]>>[number];
export type WantedBags = Awaited<ReturnType<Admin["waitlist"]["wanted"]>>[number];

/** Bags that the waitlist asks for. */
export const wantedOf = (wanted: readonly WantedBags[], productId: string): number =>
  wanted.find((bean) => bean.product_id === productId)?.bags ?? 0;

/** Beans with few free bags, or that somebody waits for. */
export async function beansToRestock({ stock, waitlist }: Pick<Admin, "stock" | "waitlist">) {
  const [all, wanted] = await Promise.all([stock.list(), waitlist.wanted()]);
  const low = all.filter((row) => row.low || wantedOf(wanted, row.product_id) > 0);
  return { low, wanted };
}
