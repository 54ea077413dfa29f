/** What goes into the roaster together: bags per bean over the orders that wait, most first. */
export interface RoastLine {
  product_id: string;
  name: string;
  bags: number;
  orders: number;
}

export function roastSheet(
  orders: readonly { items: readonly { product_id: string; name: string; quantity: number }[] }[],
): RoastLine[] {
  const lines = new Map<string, RoastLine>();
  for (const { items } of orders) {
    for (const { product_id, name, quantity } of items) {
      const line = lines.get(product_id) ?? { product_id, name, bags: 0, orders: 0 };
      lines.set(product_id, { ...line, bags: line.bags + quantity, orders: line.orders + 1 });
    }
  }
  return [...lines.values()].sort((a, b) => b.bags - a.bags || (a.name < b.name ? -1 : 1));
}
