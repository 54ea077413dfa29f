/** Imports that still go upward. This list only shrinks. */
export const KNOWN_UPWARD: readonly string[] = [
  "src/catalog/admin-stock.ts → src/waitlist/queue-heads.ts",
  "src/catalog/edit-catalog.ts → src/waitlist/offer-free-stock.ts",
  "src/catalog/stock.ts → src/waitlist/offer-free-stock.ts",
  "src/desk/order.ts → src/shop/pages/order-states.ts",
  "src/desk/shipment.ts → src/shop/pages/order-slip.ts",
];

/** Files that still stand in an import cycle. This list only shrinks. */
export const KNOWN_CYCLES: readonly string[] = [];
