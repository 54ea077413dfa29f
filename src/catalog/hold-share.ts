import { type Bags, bags, bagsOf, freeBags, type Short, shortOf } from "../core/bags.ts";
import { MerchantError, type NextStep, type Problem } from "../core/errors.ts";
import { step } from "../core/next-step.ts";
import { HOLD_SHARE } from "../core/policy.ts";
import type { StockRow, WaitlistRow } from "../core/records.ts";
import type { Product } from "./catalog.ts";

/** A bean with more bags than one buyer may ever hold unpaid, and the most possible. */
export interface OverShare {
  product_id: string;
  most: number;
}

interface ShareOf {
  stock: readonly StockRow[];
  /** The buyer's own waitlist offers, whose bags do not count. */
  offers?: readonly WaitlistRow[];
}

/** Bags that may be held unpaid (contract §14). */
export const share = (count: number, percent: number = HOLD_SHARE.address_percent): number =>
  Math.max(HOLD_SHARE.small_order_bags, Math.floor((count * percent) / 100));

/** Bags of a bean that one buyer keeps without money: as a customer, and from one client network. */
interface KeptBags {
  customer: number;
  network: number;
}

/**
 * Whether this many more bags may be kept without money, by an unpaid payment or a waitlist offer. When
 * all buyers together have used their share, only small orders may keep the rest.
 */
export function mayKeep(
  row: Pick<StockRow, "on_hand" | "held">,
  wanted: number,
  { customer, network }: KeptBags,
): boolean {
  const within = (kept: number, percent: number) =>
    kept + wanted <= share(freeBags(row) + kept, percent);
  const isSmall = Math.max(customer, network) + wanted <= HOLD_SHARE.small_order_bags;
  return (
    within(customer, HOLD_SHARE.customer_percent) &&
    within(network, HOLD_SHARE.address_percent) &&
    (isSmall || row.held + wanted <= share(row.on_hand, HOLD_SHARE.all_percent))
  );
}

/** Bags of a bean on hand, held or not. */
export const onHand = (stock: readonly StockRow[], productId: string): number =>
  stock.find((row) => row.product_id === productId)?.on_hand ?? 0;

/** Beans over the share even if nobody else held any. */
export function overShare(wanted: readonly Bags[], { stock, offers = [] }: ShareOf): OverShare[] {
  return wanted.flatMap(({ product_id, quantity }) => {
    const most = share(onHand(stock, product_id)) + bagsOf(offers, product_id);
    return quantity > most ? [{ product_id, most }] : [];
  });
}

type Left = Pick<Short, "product_id" | "available">;

/** Short beans with more free bags than one order can have. */
export const overWhatIsLeft = (short: readonly Left[], offers: readonly Bags[] = []) =>
  short.flatMap(({ product_id, available }): OverShare[] => {
    const own = bagsOf(offers, product_id);
    const most = share(available - own) + own;
    return most < available ? [{ product_id, most }] : [];
  });

/** Short beans, and the most that one order can have of those and of others (contract §5). */
export function shortAndOver(wanted: readonly Bags[], { stock, offers = [] }: ShareOf) {
  // Available to this buyer: free bags, and those held by its own waitlist offers.
  const own = offers.filter((entry) => entry.attempt_id === null);
  const short = shortOf(wanted, stock, own);
  const isShort = (line: Bags) => short.some(({ product_id }) => product_id === line.product_id);
  const there = wanted.filter((line) => !isShort(line));
  return { short, overLeft: overWhatIsLeft(short, own), over: overShare(there, { stock, offers }) };
}

/** `, at most 19 in one order`, or nothing if one order can have them all. */
export function inOneOrder(productId: string, over: readonly OverShare[]): string {
  const one = over.find(({ product_id }) => product_id === productId);
  return one ? `, at most ${one.most} in one order` : "";
}

/** `at most 20 bags of Ethiopia Guji and at most 4 bags of Panama Boquete Geisha` */
export const mostInWords = (
  over: readonly OverShare[],
  nameOf: (productId: string) => string,
): string =>
  over
    .map(({ product_id, most }) => `at most ${bags(most)} of ${nameOf(product_id)}`)
    .join(" and ");

export const tooManyText = (most: string): string =>
  `One order can have ${most} now, so that some are left for others. Order more once that is paid.`;

/** A bean with more bags than one order can have now. */
export interface TooMany {
  product: Product;
  /** Too few bags are in stock, or one order may not take so many (contract §5). */
  code: "OUT_OF_STOCK" | "LIMIT_EXCEEDED";
  /** Says how many are possible. */
  text: string;
}

export function tooManyOf(
  { short, overLeft, over }: ReturnType<typeof shortAndOver>,
  bean: (productId: string) => Product,
): TooMany[] {
  const few = short.map(({ product_id, available }): TooMany => {
    const product = bean(product_id);
    const only = `has only ${available} left${inOneOrder(product_id, overLeft)}`;
    const text = `${product.name_to_use_with_humans} ${available === 0 ? "is sold out" : only}.`;
    return { product, code: "OUT_OF_STOCK", text };
  });
  const many = over.map((one): TooMany => {
    const product = bean(one.product_id);
    const most = mostInWords([one], () => product.name_to_use_with_humans);
    return { product, code: "LIMIT_EXCEEDED", text: tooManyText(most) };
  });
  return [...few, ...many];
}

export const tooManyProblems = (beans: readonly TooMany[], pointer: string): Problem[] =>
  beans.map(({ code, text }) => ({ pointer, code, detail: text }));

export const outOfStock = (beans: readonly TooMany[], pointer: string, ...more: NextStep[]) =>
  new MerchantError(
    "OUT_OF_STOCK",
    "There are not enough bags. Take fewer or choose another bean.",
    {
      problems: tooManyProblems(beans, pointer),
      next: [step("get_catalog", "Choose another bean, or take fewer bags."), ...more],
    },
  );
