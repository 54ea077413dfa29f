import type { Merchant } from "../merchant/merchant.ts";

const ORDER_URI = "coffee://orders/";

/** Orders one stream may follow: each costs a read when it is asked for. */
const MOST_ORDERS = 100;

/** An order as the log had it when it was last looked at. */
interface Watched {
  streams: number;
  sequence: number;
}

export interface OrderWatch {
  /**
   * Of the addresses asked for, those of orders that the key has made; watched from now on, until
   * `stop`. What another key owns and what never was are left out alike.
   */
  follow(uris: readonly string[], apiKey: string | undefined): Promise<Following>;
  close(): void;
}

export interface Following {
  uris: string[];
  stop(): void;
}

/**
 * Tells of orders with new events (CONTRACT §6). The store's bell is a hint, and may mean any order:
 * only what the log confirms is told, once for each step forward.
 */
export function orderWatch({ agents, context }: Merchant, tell: (uri: string) => void): OrderWatch {
  const { store, log } = context;
  const watched = new Map<string, Watched>();
  let silence: (() => void) | null = null;

  async function look(orderId: string): Promise<void> {
    const order = await store.queries.order(orderId);
    const known = watched.get(orderId);
    if (!order || !known || order.last_sequence <= known.sequence) return;
    known.sequence = order.last_sequence;
    tell(ORDER_URI + orderId);
  }

  function ring(orderId: string): void {
    const ids = orderId === "" ? [...watched.keys()] : watched.has(orderId) ? [orderId] : [];
    for (const id of ids) {
      look(id).catch((error: unknown) => log.warn({ error }, "an order could not be looked at"));
    }
  }

  function release(ids: readonly string[]): void {
    for (const id of ids) {
      const known = watched.get(id);
      if (known && --known.streams === 0) watched.delete(id);
    }
    if (watched.size > 0) return;
    silence?.();
    silence = null;
  }

  return {
    async follow(uris, apiKey) {
      const ids = [...new Set(uris)].slice(0, MOST_ORDERS).flatMap(orderIdOf);
      if (ids.length === 0 || apiKey === undefined) return { uris: [], stop() {} };
      const agent = await agents.authenticate(apiKey);
      silence ??= store.onOrderEvent(ring);
      const orders = await Promise.all(ids.map((id) => store.queries.order(id)));
      const own = orders.flatMap((order) => (order?.agent_id === agent.id ? [order] : []));
      for (const { id, last_sequence } of own) {
        const known = watched.get(id);
        if (known) known.streams++;
        else watched.set(id, { streams: 1, sequence: last_sequence });
      }
      let open = true;
      return {
        uris: own.map(({ id }) => ORDER_URI + id),
        stop() {
          if (open) release(own.map(({ id }) => id));
          open = false;
        },
      };
    },
    close() {
      silence?.();
      silence = null;
      watched.clear();
    },
  };
}

const orderIdOf = (uri: string): string[] =>
  uri.startsWith(ORDER_URI) ? [uri.slice(ORDER_URI.length)] : [];
