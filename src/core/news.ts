import type { Bags } from "./bags.ts";

/**
 * What has changed: the id of an order with new events, of a quote, or of a purchase (`purchaseOf`) whose
 * payment has moved; or a bean with fewer bags. "" stands for anything.
 */
export type Subject = string;

export const ANYTHING: Subject = "";

/** It carries the bags on hand, so that only those who need more look. */
export const bagsOnHand = (productId: string, onHand: number): Subject =>
  `bags ${productId} ${onHand}`;

const BAGS_ON_HAND = /^bags (\S+) (-?\d+)$/;

/** Whether a change leaves too few bags for this. */
export function leavesTooFew(subject: Subject, wanted: readonly Bags[]): boolean {
  const [, productId, onHand] = BAGS_ON_HAND.exec(subject) ?? [];
  return wanted.some((bag) => bag.product_id === productId && bag.quantity > Number(onHand));
}
