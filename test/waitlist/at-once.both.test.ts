/** The waitlist at two instances at once. */
import { expect, it } from "vitest";
import { countRows } from "../support/all-rows.ts";
import { WAITLISTED } from "../support/catalog.ts";
import { join, waiting, waitlisted } from "../support/queue.ts";
import { newAgent, openShop } from "../support/shop.ts";
import { describeEveryStore, type OpenStore } from "../support/stores.ts";

const HOURS_48 = 48 * 3_600_000;

describeEveryStore("a waitlist at two instances", (open) => {
  const atTwo = async (open: OpenStore, ...quantities: number[]) => {
    const found = await waiting(open, ...quantities);
    const beside = await openShop(found.other, found.shop.clock);
    return { ...found, beside, agentId: await newAgent(found.shop) };
  };

  it("offers a bag once", async () => {
    const { shop, beside, look } = await atTwo(open, 2, 2);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 2 });
    shop.clock.advance(HOURS_48);
    const runs = await Promise.all(
      [shop, beside].map(({ merchant }) => merchant.housekeeping.run()),
    );
    expect(runs.reduce((n, { offered }) => n + offered, 0)).toBe(1);
    expect(await look()).toEqual(["EXPIRED", "OFFERED"]);
    expect(await waitlisted(shop)).toEqual({ on_hand: 2, held: 2 });
  });

  it("has one entry of two joins, and every position once", async () => {
    const { shop, beside, agentId } = await atTwo(open);
    const both = await Promise.all([
      join(shop, agentId, 1, "one@example.com"),
      join(beside, agentId, 1, "one@example.com"),
    ]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(await countRows(shop.store, "waitlist")).toBe(1);
    const entries = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        join(i % 2 ? shop : beside, agentId, 1, `buyer${i}@example.com`),
      ),
    );
    const positions = entries.map(({ position }) => position!).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
    const now = await Promise.all(entries.map(({ id }) => shop.merchant.waitlist.get(id, agentId)));
    expect(now.map(({ position }) => position)).toEqual(entries.map(({ position }) => position));
  });
});
