import { MerchantError } from "../core/errors.ts";
import { field } from "../core/fields.ts";
import { openCounts } from "../core/open-counts.ts";
import { LIMITS } from "../core/policy.ts";
import type { OrderWatch } from "./order-watch.ts";

/** The part of a `subscriptions/listen` request that names what to listen to. */
interface ListenRequest {
  method: "subscriptions/listen";
  params: { notifications: { resourceSubscriptions: string[] } };
}

/** Whether the answer stays open; the message may be anything, and the SDK may yet refuse it. */
export const wantsStream = (message: unknown): boolean =>
  field(message, "method") === "subscriptions/listen";

/** The SDK holds so many streams in all: without this, one caller could have them all. */
export function openStreams() {
  const enter = openCounts(LIMITS.mcp_streams);
  return (who: string): (() => void) => {
    const leave = enter(who);
    if (leave) return leave;
    const why = `${LIMITS.mcp_streams} streams are open. End one, or listen to several orders in one.`;
    throw new MerchantError("RATE_LIMITED", why, { retryAfter: 10 });
  };
}

/** A stranger's message may be anything; what is not a whole listen request the SDK refuses itself. */
export function isListen(message: unknown): message is ListenRequest {
  const uris = field(field(field(message, "params"), "notifications"), "resourceSubscriptions");
  const named = Array.isArray(uris) && uris.every((uri) => typeof uri === "string");
  return wantsStream(message) && named;
}

/**
 * The same request for only what this key may follow: the SDK authorises no address, and
 * its acknowledgement then names what is left.
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
