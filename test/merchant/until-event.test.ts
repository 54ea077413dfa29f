import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { untilEvent } from "../../src/merchant/until-event.ts";

test("who has waited leaves nothing behind: a signal that is listened to is never freed", async () => {
  const { signal } = new AbortController();
  const store = { onOrderEvent: () => () => {} } as unknown as Parameters<
    typeof untilEvent
  >[0]["store"];
  const wait = { waitMs: 60_000, look: async () => "news", gone: () => signal };
  expect(await untilEvent({ store }, wait)).toBe("news");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
