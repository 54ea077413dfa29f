import type { Write } from "../domain/shared/command.ts";

type Listener = (orderId: string) => void;

/** Says that an order may have new events. A hint, never the events: listeners read the log. */
export class OrderEventEmitter {
  readonly #listeners = new Set<Listener>();

  /** Whether there are listeners; without them there is no need to look for news. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(orderId: string): void {
    for (const listener of this.#listeners) listener(orderId);
  }

  /** Something changed, and it is not known where: "" stands for any order. */
  emitForAny(): void {
    this.emit("");
  }

  /** Rings once for every order that got events by these committed writes. */
  emitFor(writes: readonly Write[]): void {
    if (!this.hasListeners) return;
    for (const orderId of ordersWithEvents(writes)) this.emit(orderId);
  }
}

export const ordersWithEvents = (writes: readonly Write[]): Set<string> =>
  new Set(
    writes.flatMap((w) => (w.op === "insert" && w.table === "events" ? [w.row.order_id] : [])),
  );
