import type { Service } from "../api/perform.ts";
import { openCounts } from "../core/concurrency.ts";
import { MerchantError } from "../core/errors.ts";
import { field, VISIBLE_ASCII } from "../core/fields.ts";
import type { OrderId } from "../core/ids.ts";
import { ANYTHING } from "../core/news.ts";
import { LIMITS } from "../core/policy.ts";
import { isRefused } from "./caller.ts";

const ORDER_URI = "coffee://orders/";

/** Orders of one stream. Following each costs a read. */
const MOST_ORDERS = 100;

interface OrderStream {
  apiKey: string;
  end(): void;
}

interface FollowedOrder {
  followers: Set<OrderStream>;
  /** Newest event at the last read of the log. */
  sequence: number;
}

export type OrderWatch = ReturnType<typeof orderWatch>;

/**
 * Notifies of orders with new events (contract §6). The store's notification is only a hint, so each update
 * is confirmed in the log and sent once.
 */
export function orderWatch(
  { merchant: { agents, orders }, log }: Pick<Service, "merchant" | "log">,
  tell: (uri: string) => void,
) {
  const followed = new Map<string, FollowedOrder>();
  const unsubscribe = orders.onEvent((notified) => {
    for (const id of followed.keys()) {
      if (notified !== ANYTHING && notified !== id) continue;
      look(id).catch((error: unknown) => log.warn({ error }, "an order could not be looked at"));
    }
  });

  async function look(orderId: OrderId): Promise<void> {
    const sequence = (await orders.newestEvent(orderId)) ?? 0;
    const untold = () => {
      const order = followed.get(orderId);
      return order && sequence > order.sequence ? order : undefined;
    };
    const [any] = untold()?.followers ?? [];
    if (!any) return;
    // All followers of an order have its key, and may listen while it is valid.
    const refused = await isRefused(agents.authenticate(any.apiKey));
    // A concurrent look may have sent it.
    const order = untold();
    if (!order) return;
    order.sequence = sequence;
    if (refused) {
      for (const follower of [...order.followers]) follower.end();
    } else tell(ORDER_URI + orderId);
  }

  function leave(orderId: OrderId, follower: OrderStream): void {
    const order = followed.get(orderId);
    order?.followers.delete(follower);
    if (order?.followers.size === 0) followed.delete(orderId);
  }

  return {
    /**
     * Watches the orders of this key among these URIs until `stop`, and returns their URIs. Foreign and
     * missing orders are left out. After the key is revoked, calls `ended` once and sends nothing more.
     */
    async follow(uris: readonly string[], apiKey: string | undefined, ended = () => {}) {
      const ids = [...new Set(uris)].slice(0, MOST_ORDERS).flatMap(orderIdOf);
      if (ids.length === 0 || apiKey === undefined) return { uris: [], stop() {} };
      const agent = await agents.authenticate(apiKey);
      const own = await orders.ownedBy(agent.id, ids);
      const stop = () => {
        for (const { id } of own) leave(id, follower);
      };
      const end = () => {
        stop();
        ended();
      };
      const follower: OrderStream = { apiKey, end };
      for (const { id, last_sequence: sequence } of own) {
        const order = followed.get(id) ?? { followers: new Set(), sequence };
        order.followers.add(follower);
        followed.set(id, order);
      }
      return { uris: own.map(({ id }) => ORDER_URI + id), stop };
    },
    close: unsubscribe,
  };
}

const orderIdOf = (uri: string): string[] =>
  uri.startsWith(ORDER_URI) && VISIBLE_ASCII.test(uri) ? [uri.slice(ORDER_URI.length)] : [];

/** The part of a `subscriptions/listen` request that names what to listen to. */
interface ListenRequest {
  method: "subscriptions/listen";
  params: { notifications: { resourceSubscriptions: string[] } };
}

/** A listen request, whose response stays open. The SDK may still refuse it. */
export const wantsStream = (message: unknown): boolean =>
  field(message, "method") === "subscriptions/listen";

/** The SDK limits streams in total; without this, one caller could take all of them. */
export function openStreams() {
  const enter = openCounts(LIMITS.mcp_streams);
  return (who: string): (() => void) => {
    const leave = enter(who);
    if (leave) return leave;
    const why = `${LIMITS.mcp_streams} streams are open. End one, or listen to several orders in one.`;
    throw new MerchantError("RATE_LIMITED", why, { retryAfter: 10 });
  };
}

/** The SDK refuses an incomplete listen request itself. */
export function isListen(message: unknown): message is ListenRequest {
  const uris = field(field(field(message, "params"), "notifications"), "resourceSubscriptions");
  const named = Array.isArray(uris) && uris.every((uri) => typeof uri === "string");
  return wantsStream(message) && named;
}

/** Narrows the request to orders of this key, because the SDK authorizes no URI. */
export async function authorizeSubscriptions<M extends ListenRequest>(
  message: M,
  watch: OrderWatch,
  apiKey: string | undefined,
  ended?: () => void,
): Promise<{ message: M; stop: () => void }> {
  const { notifications } = message.params;
  const { uris, stop } = await watch.follow(notifications.resourceSubscriptions, apiKey, ended);
  const params = {
    ...message.params,
    notifications: { ...notifications, resourceSubscriptions: uris },
  };
  return { message: { ...message, params }, stop };
}
