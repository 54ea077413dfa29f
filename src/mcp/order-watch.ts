import type { Service } from "../api/perform.ts";
import { openCounts } from "../core/concurrency.ts";
import { MerchantError } from "../core/errors.ts";
import { field, VISIBLE_ASCII } from "../core/fields.ts";
import { LIMITS } from "../core/policy.ts";
import { isRefused } from "./caller.ts";

const ORDER_URI = "coffee://orders/";

/** Orders one stream may follow: each costs a read when it is asked for. */
const MOST_ORDERS = 100;

/** One stream, and how it comes to its end. */
interface OrderStream {
  apiKey: string;
  end(): void;
}

interface FollowedOrder {
  followers: Set<OrderStream>;
  /** Of the newest event in its log when that was last looked at. */
  sequence: number;
}

export type OrderWatch = ReturnType<typeof orderWatch>;

/**
 * Tells of orders with new events (contract §6). The store's notification is a hint, and may mean any order:
 * only what the log confirms is told, once for each step forward.
 */
export function orderWatch(
  { merchant: { agents, orders }, log }: Pick<Service, "merchant" | "log">,
  tell: (uri: string) => void,
) {
  const followed = new Map<string, FollowedOrder>();
  const unsubscribe = orders.onEvent((notified) => {
    // "" means any order.
    for (const id of followed.keys()) {
      if (notified !== "" && notified !== id) continue;
      look(id).catch((error: unknown) => log.warn({ error }, "an order could not be looked at"));
    }
  });

  async function look(orderId: string): Promise<void> {
    const sequence = (await orders.newestEvent(orderId)) ?? 0;
    const untold = () => {
      const order = followed.get(orderId);
      return order && sequence > order.sequence ? order : undefined;
    };
    const [any] = untold()?.followers ?? [];
    if (!any) return;
    // All who follow one order have the one key that made it; they may listen as long as it is good.
    const refused = await isRefused(agents.authenticate(any.apiKey));
    // Another look may have told of it meanwhile.
    const order = untold();
    if (!order) return;
    order.sequence = sequence;
    if (refused) {
      for (const follower of [...order.followers]) follower.end();
    } else tell(ORDER_URI + orderId);
  }

  function leave(orderId: string, follower: OrderStream): void {
    const order = followed.get(orderId);
    order?.followers.delete(follower);
    if (order?.followers.size === 0) followed.delete(orderId);
  }

  return {
    /**
     * Of the addresses asked for, those of orders that the key has made; watched from now on, until
     * `stop`. What another key owns and what never was are left out alike. Where the key turns out to
     * be revoked meanwhile, nothing more is told and `ended` is called, once.
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

/** Whether the response stays open. The SDK may still refuse the message. */
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

/** The message may be anything. The SDK refuses an incomplete listen request itself. */
export function isListen(message: unknown): message is ListenRequest {
  const uris = field(field(field(message, "params"), "notifications"), "resourceSubscriptions");
  const named = Array.isArray(uris) && uris.every((uri) => typeof uri === "string");
  return wantsStream(message) && named;
}

/**
 * Narrows the request to orders of this key: the SDK authorizes no address. Its acknowledgment then names
 * the ones that are left.
 */
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
