import type { OrderWatch } from "./order-watch.ts";

/** The part of a `subscriptions/listen` request that names what to listen to. */
interface Listen {
  method: "subscriptions/listen";
  params: { notifications: { resourceSubscriptions: string[] } };
}

/** A stranger's message may be anything; what is not a whole listen request the SDK refuses itself. */
export function isListen(message: unknown): message is Listen {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: unknown };
  if (method !== "subscriptions/listen") return false;
  const { notifications } = (params ?? {}) as { notifications?: unknown };
  const { resourceSubscriptions: uris } = (notifications ?? {}) as {
    resourceSubscriptions?: unknown;
  };
  return Array.isArray(uris) && uris.every((uri) => typeof uri === "string");
}

/**
 * The same request for only what this key may follow: the SDK authorises no address, and
 * its acknowledgement then names what is left.
 */
export async function narrowed<M extends Listen>(
  message: M,
  watch: OrderWatch,
  apiKey: string | undefined,
): Promise<{ message: M; stop: () => void }> {
  const { notifications } = message.params;
  const { uris, stop } = await watch.follow(notifications.resourceSubscriptions, apiKey);
  const params = {
    ...message.params,
    notifications: { ...notifications, resourceSubscriptions: uris },
  };
  return { message: { ...message, params }, stop };
}
