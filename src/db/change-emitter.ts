import type { Write } from "../core/command.ts";
import { CATALOG_VERSION_SETTING } from "../core/policy.ts";

type OrderListener = (orderId: string) => void;
type CatalogListener = () => void;

/** Says that something may have changed. A hint, never the change: listeners read the database. */
export class ChangeEmitter {
  readonly #orders = new Set<OrderListener>();
  readonly #catalog = new Set<CatalogListener>();

  onOrderEvent(listener: OrderListener): () => void {
    this.#orders.add(listener);
    return () => this.#orders.delete(listener);
  }

  onCatalogChange(listener: CatalogListener): () => void {
    this.#catalog.add(listener);
    return () => this.#catalog.delete(listener);
  }

  orderHasEvents(orderId: string): void {
    for (const listener of this.#orders) tell(() => listener(orderId));
  }

  catalogChanged(): void {
    for (const listener of this.#catalog) tell(listener);
  }

  /** Something changed, and it is not known what: "" stands for any order. */
  anythingChanged(): void {
    this.orderHasEvents("");
    this.catalogChanged();
  }

  /** What these committed writes changed, once each. */
  committed(writes: readonly Write[]): void {
    if (this.#orders.size > 0) {
      for (const orderId of ordersWithEvents(writes)) this.orderHasEvents(orderId);
    }
    if (changesCatalog(writes)) this.catalogChanged();
  }
}

/**
 * What a listener throws does not reach its teller: that one has just committed, and would
 * take commands that are done for failed ones, and do them again. As diagnostics channels do it.
 */
function tell(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
}

export const ordersWithEvents = (writes: readonly Write[]): Set<string> =>
  new Set(
    writes.flatMap((w) => (w.op === "insert" && w.table === "events" ? [w.row.order_id] : [])),
  );

/** Whatever changes what is sold counts up the catalog's version. */
export const changesCatalog = (writes: readonly Write[]): boolean =>
  writes.some(
    (w) =>
      w.table === "settings" &&
      (w.op === "insert" ? w.row : w.key).name === CATALOG_VERSION_SETTING,
  );
