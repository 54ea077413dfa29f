import { describe, expect, it } from "vitest";
import type { WaitlistEntry } from "../../src/waitlist/waitlist.ts";
import { EXCLUSIVE, STOCKED, WAITLISTED } from "../support/catalog.ts";
import { confirmed, join, leave, waiting, waitlisted } from "../support/queue.ts";
import { intent, newAgent } from "../support/shop.ts";
import { openUsual } from "../support/stores.ts";

describe("the waitlist", () => {
  it("positions start at 1, and no time is promised", async () => {
    const { shop, look } = await waiting(openUsual, 2, 1);
    expect(await look()).toEqual([1, 2]);
    const entry = await join(shop, await newAgent(shop), 3, "third@example.com");
    expect(entry).toMatchObject({ status: "WAITING", position: 3, eta: null, quantity: 3 });
    expect(entry).not.toHaveProperty("offer_expires_at");
  });

  it("a shop that sends no email sends nobody to one", async () => {
    const { shop } = await waiting(openUsual);
    const entry = await join(shop, await newAgent(shop), 1);
    expect(JSON.stringify(entry.next)).not.toMatch(/e-?mail|letter|button/i);
  });

  it("only a waitlist bean has a waitlist", async () => {
    const { shop } = await waiting(openUsual);
    const agentId = await newAgent(shop);
    for (const bean of [STOCKED, EXCLUSIVE])
      await expect(join(shop, agentId, 1, "buyer@example.com", bean)).rejects.toMatchObject({
        code: "WAITLIST_NOT_OFFERED",
      });
  });

  it("joining again under any spelling is the same entry with the new quantity", async () => {
    const { shop, queue } = await waiting(openUsual, 1, 1);
    const { id, agentId } = queue[0]!;
    const again = await join(shop, agentId, 2, "Buyer+again@example.com");
    expect(again).toMatchObject({ id, position: 1, quantity: 2 });
    const other = await join(shop, agentId, 2, "other@example.com");
    expect(other).toMatchObject({ position: 3 });
    const left = await leave(shop, id, agentId);
    expect(await leave(shop, id, agentId)).toEqual(left);
    expect(await join(shop, agentId, 2)).toMatchObject({ position: 3 });
  });

  it("another key that joins for the same buyer learns nothing, and the buyer has one place", async () => {
    const { shop, look, queue } = await waiting(openUsual, 2, 1);
    const [stranger, second] = [await newAgent(shop), await newAgent(shop)];
    const request = (email: string) => ({ product_id: WAITLISTED, quantity: 1, buyer: { email } });
    const { waitlist } = shop.merchant;
    const known = await waitlist.join(request("BUYER+x@example.com"), stranger, intent());
    const unknown = await waitlist.join(request("nobody@example.com"), second, intent());
    const shape = ({ id: _, position: __, buyer: ___, ...entry }: WaitlistEntry) => ({
      ...entry,
      ...{ created_at: 0, status_url: "", next: entry.next.map(({ why }) => why) },
    });
    expect(shape(known.body)).toEqual(shape(unknown.body));
    expect([known.body.position, unknown.body.position]).toEqual([3, 4]);
    expect(await look()).toEqual([1, 2]);
    // The buyer chooses, and keeps the earliest of the places.
    await confirmed(shop, known.body.id);
    expect(await look()).toEqual(["LEFT", 2]);
    expect(await waitlist.get(known.body.id, stranger)).toMatchObject({ position: 1 });
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 9 });
    expect(await waitlisted(shop)).toEqual({ on_hand: 9, held: 2 });
    expect(queue).toHaveLength(2);
  });

  it("only more bags than are in stock can be waited for", async () => {
    const { shop } = await waiting(openUsual);
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 5 });
    const agentId = await newAgent(shop);
    await expect(join(shop, agentId, 5)).rejects.toMatchObject({
      code: "IN_STOCK",
      status: 409,
      message: expect.stringMatching(/\b5 bags of Rwanda Huye, enough for 5\b/),
    });
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 1 });
    await expect(join(shop, agentId, 1)).rejects.toMatchObject({
      message: expect.stringContaining("1 bag of Rwanda Huye"),
    });
    await shop.admin.stock.set({ product_id: WAITLISTED, on_hand: 5 });
    expect(await shop.merchant.housekeeping.run()).toEqual({ expired: 0, offered: 0 });
    await expect(join(shop, agentId, 6)).resolves.toMatchObject({ position: 1 });
    // A smaller number would be held at once, without money.
    await expect(join(shop, agentId, 5)).rejects.toMatchObject({ code: "IN_STOCK" });
    expect(await waitlisted(shop)).toEqual({ on_hand: 5, held: 0 });
  });

  it("another key's entry is NOT_FOUND", async () => {
    const { shop, queue } = await waiting(openUsual, 1);
    const stranger = await newAgent(shop);
    const { id } = queue[0]!;
    const foreign = await shop.merchant.waitlist.get(id, stranger).catch((error) => error);
    const never = await shop.merchant.waitlist.get("wl_none", stranger).catch((error) => error);
    expect(foreign).toMatchObject({ code: "NOT_FOUND" });
    expect(foreign.message).toBe(never.message);
    await expect(leave(shop, id, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("the merchant's waitlist", () => {
  it("shows live entries in turn, and ended ones when asked", async () => {
    const { shop } = await waiting(openUsual);
    const agentId = await newAgent(shop);
    const first = await join(shop, agentId, 1, "a@example.com");
    await join(shop, agentId, 2, "b@example.com");
    await leave(shop, first.id, agentId);
    expect(await shop.admin.waitlist.list()).toMatchObject([
      { buyer: { email: "b@example.com" }, position: 1 },
    ]);
    expect(await shop.admin.waitlist.history()).toHaveLength(2);
  });
});
