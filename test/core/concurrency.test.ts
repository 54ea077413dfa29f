import { getEventListeners } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { untilNews } from "../../src/core/concurrency.ts";
import { newAgent, openShop, quoteFor, settleAs, startPaying } from "../support/shop.ts";
import { usualStore } from "../support/stores.ts";

test("a finished wait removes its listener, because a signal with listeners is never freed", async () => {
  const { signal } = new AbortController();
  const store = { onNews: () => () => {} } as unknown as Parameters<typeof untilNews>[0]["store"];
  const concerns = () => true;
  const wait = { waitMs: 60_000, look: async () => "news", concerns, gone: () => signal };
  expect(await untilNews({ store }, wait)).toBe("news");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a new order wakes only the readers that wait for it", async () => {
  const { store } = await usualStore();
  onTestFinished(() => store.close());
  // Without "any order may have changed", which wakes all readers.
  const onNews = vi.fn<typeof store.onNews>((listener) =>
    store.onNews((id) => id !== "" && listener(id)),
  );
  const shop = await openShop({ ...store, onNews });
  const agentId = await newAgent(shop);
  const emails = Array.from({ length: 20 }, (_, i) => `buyer${i}@example.com`);
  const quotes = await Promise.all(emails.map((email) => quoteFor(shop, { agentId, email })));
  const begun = await startPaying(shop, quotes[0]!.id);
  const looks = vi.spyOn(store.queries, "orderOfQuote");
  const reads = vi.spyOn(store.queries, "order");
  const leaving = new AbortController();
  const waits = quotes.map(({ id }) =>
    shop.merchant.orders.ofQuote(id, agentId, 60_000, () => leaving.signal).catch(() => null),
  );
  await vi.waitFor(() => expect(onNews).toHaveBeenCalledTimes(quotes.length));
  looks.mockClear();
  await settleAs(shop, begun, "paid");
  expect(await waits[0]).toMatchObject({ quote_id: quotes[0]!.id });
  expect(reads).not.toHaveBeenCalled();
  expect(new Set(looks.mock.calls.flat())).toEqual(new Set([quotes[0]!.id]));
  leaving.abort();
  expect(await Promise.all(waits.slice(1))).toEqual(Array(19).fill(null));
});
