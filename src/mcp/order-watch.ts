import type { OrderRow } from "../domain/shared/records.ts";
import type { Service } from "../operations/perform.ts";
import { isRefused } from "./caller.ts";

const ORDER_URI = "coffee://orders/";

/** Orders one stream may follow: each costs a read when it is asked for. */
const MOST_ORDERS = 100;

export interface OrderWatch {
  /**
   * Of the addresses asked for, those of orders that the key has made; watched from now on, until
   * `stop`. What another key owns and what never was are left out alike. Where the key turns out to
   * be revoked meanwhile, nothing more is told and `ended` is called, once.
   */
  follow(
    uris: readonly string[],
    apiKey: string | undefined,
    ended?: () => void,
  ): Promise<OrderSubscription>;
  close(): void;
}

export interface OrderSubscription {
  uris: string[];
  stop(): void;
}

/**
 * Tells of orders with new events (contract §6). The store's notification is a hint, and may mean any order:
 * only what the log confirms is told, once for each step forward.
 */
export function orderWatch(
  { merchant: { agents, orders }, log }: Pick<Service, "merchant" | "log">,
  tell: (uri: string) => void,
): OrderWatch {
  const watched = new FollowedOrders();
  const unsubscribe = orders.onEvent((notified) => {
    for (const id of watched.meant(notified)) {
      look(id).catch((error: unknown) => log.warn({ error }, "an order could not be looked at"));
    }
  });

  async function look(orderId: string): Promise<void> {
    const sequence = await orders.newestEvent(orderId);
    if (sequence === undefined || !watched.moved(orderId, sequence)) return;
    // All who follow one order have the one key that made it; they may listen as long as it is good.
    const [any] = watched.followers(orderId);
    if (!any) return;
    if (await isRefused(agents.authenticate(any.apiKey))) {
      for (const follower of watched.followers(orderId)) follower.end();
    } else tell(ORDER_URI + orderId);
  }

  return {
    async follow(uris, apiKey, ended = () => {}) {
      const ids = [...new Set(uris)].slice(0, MOST_ORDERS).flatMap(orderIdOf);
      if (ids.length === 0 || apiKey === undefined) return NOTHING;
      const agent = await agents.authenticate(apiKey);
      const own = await orders.ownedBy(agent.id, ids);
      const stop = () => {
        for (const { id } of own) watched.remove(id, follower);
      };
      const end = () => {
        stop();
        ended();
      };
      const follower = { apiKey, end };
      for (const order of own) watched.add(order, follower);
      return { uris: own.map(({ id }) => ORDER_URI + id), stop };
    },
    close: unsubscribe,
  };
}

/** One stream, and how it comes to its end. */
interface OrderStream {
  apiKey: string;
  end(): void;
}

/** The orders that streams follow, each as the log had it when it was last looked at. */
class FollowedOrders {
  readonly #orders = new Map<string, { followers: Set<OrderStream>; sequence: number }>();

  add({ id, last_sequence: sequence }: OrderRow, follower: OrderStream): void {
    const known = this.#orders.get(id);
    if (known) known.followers.add(follower);
    else this.#orders.set(id, { followers: new Set([follower]), sequence });
  }

  remove(id: string, follower: OrderStream): void {
    const known = this.#orders.get(id);
    known?.followers.delete(follower);
    if (known?.followers.size === 0) this.#orders.delete(id);
  }

  followers(id: string): OrderStream[] {
    return [...(this.#orders.get(id)?.followers ?? [])];
  }

  /** "" means any order. */
  meant(notified: string): string[] {
    return [...this.#orders.keys()].filter((id) => notified === "" || notified === id);
  }

  /** Whether the log has gone on; true once for each look that finds it so. */
  moved(id: string, sequence: number): boolean {
    const known = this.#orders.get(id);
    if (!known || sequence <= known.sequence) return false;
    known.sequence = sequence;
    return true;
  }
}

const NOTHING: OrderSubscription = { uris: [], stop() {} };

const orderIdOf = (uri: string): string[] =>
  uri.startsWith(ORDER_URI) ? [uri.slice(ORDER_URI.length)] : [];
