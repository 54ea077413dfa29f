import type { OrderStatus } from "../core/records.ts";

/** What the merchant can look for in the orders, each with the statuses that it means. */
export const ORDER_VIEWS = {
  roast: ["CONFIRMED"],
  ship: ["ROASTING", "PARTIALLY_SHIPPED"],
  underway: ["SHIPPED"],
  done: ["COMPLETED"],
  canceled: ["CANCELED"],
} as const satisfies Record<string, readonly OrderStatus[]>;

export type OrderViewName = keyof typeof ORDER_VIEWS;
