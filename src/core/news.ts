import type { Bags } from "./bags.ts";

/**
 * What has changed: the id of an order with new events, of a quote, or of a purchase (`purchaseOf`) whose
 * payment has moved, or of a waitlist entry; or the bags of a bean. "" stands for anything.
 */
export type Subject = string;

export const ANYTHING: Subject = "";

/** News of a bean. It tells the bags on hand, so that a reader who needs fewer does not look again. */
export const bagsOnHand = (productId: string, onHand: number): Subject =>
  `bags ${productId} ${onHand}`;

const BAGS_ON_HAND = /^bags (\S+) (-?\d+)$/;

/** Whether the bags of a bean have changed. */
export const isAboutBags = (subject: Subject, productId: string): boolean =>
  BAGS_ON_HAND.exec(subject)?.[1] === productId;

/** Whether a change leaves too few bags for this. */
export function leavesTooFew(subject: Subject, wanted: readonly Bags[]): boolean {
  const [, productId, onHand] = BAGS_ON_HAND.exec(subject) ?? [];
  return wanted.some((bag) => bag.product_id === productId && bag.quantity > Number(onHand));
}
