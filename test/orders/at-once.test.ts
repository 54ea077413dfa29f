/** Two acts on one order at once, at two instances: each is decided with the other's result. */
import { expect, test } from "vitest";
import { actsOn, eventsOf, orderedIn, TWO_SHIPMENTS, typesOf, WISH } from "../support/ordered.ts";
import { intent, openShop } from "../support/shop.ts";
import { describeEveryStore, type OpenStore } from "../support/stores.ts";

type Acts = ReturnType<typeof actsOn>;

interface Both {
  here: Acts;
  there: Acts;
  first: string;
  second: string;
  /** Version and amount left that both pages show. */
  seen: number;
  left: number;
  request: string;
}

async function atTwo(open: OpenStore, prepare: (acts: Acts, first: string) => Promise<unknown>) {
  const found = await orderedIn(open, { shipments: TWO_SHIPMENTS });
  const { shop, other, first, second } = found;
  const there = actsOn({ ...found, shop: await openShop(other, shop.clock) });
  await prepare(found, first);
  const { version: seen, refundable_minor: left, cancel_request } = await found.show();
  const request = cancel_request?.id ?? "";
  return { ...found, both: { here: found, there, first, second, seen, left, request } };
}

describeEveryStore("of two acts on one order at once", (open) => {
  test.each<[string, (acts: Acts, first: string) => Promise<unknown>, (b: Both) => unknown[]]>([
    ["requests to cancel", async () => {}, ({ here, there }) => [here.ask(), there.ask()]],
    ["labels", (acts) => acts.roast(), ({ here, there }) => [here.ship(), there.ship()]],
    [
      "corrections",
      async (acts) => [await acts.roast(), await acts.ship()],
      ({ here, there, seen }) => [here.undo(undefined, seen), there.undo(undefined, seen)],
    ],
    [
      "a cancellation and a label",
      (acts) => acts.roast(),
      ({ here, there, second }) => [here.cancelPart([second]), there.ship(second)],
    ],
    [
      "a cancellation and its request's decision",
      (acts, first) => acts.ask([first]),
      ({ here, there, first, request, seen }) => [
        here.cancelPart([first], { refund: true, seen }),
        there.accept(request, { refund: true, seen }),
      ],
    ],
    [
      "refunds of what both pages showed",
      async () => {},
      ({ here, there, second, left, seen }) => [
        here.cancelPart([second], { refund: true, seen }),
        there.refund(left, seen),
      ],
    ],
  ])("%s: one is done", async (_, prepare, acts) => {
    const { shop, orderId, show, both } = await atTwo(open, prepare);
    const ended = await Promise.allSettled(acts(both));
    const refused = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toMatchObject([{ code: expect.stringMatching(/ILLEGAL_STEP|REQUEST_OPEN/) }]);
    const sequences = (await eventsOf(shop, orderId)).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, i) => i + 1));
    const { refunds, shipments, payment } = await show();
    expect(refunds.length).toBeLessThanOrEqual(1);
    const [canceled] = shipments.filter(({ status }) => status === "CANCELED");
    for (const { amount_minor } of refunds) {
      expect(amount_minor).toBe(canceled?.paid_minor ?? payment.amount_minor);
    }
  });

  test("one key's request at both is one request, returned to both", async () => {
    const { shop, other, orderId, agentId, ask } = await orderedIn(open);
    const beside = await openShop(other, shop.clock);
    const once = intent();
    const [one, two] = await Promise.all(
      [shop, beside].map(({ merchant }) =>
        merchant.cancellations.request(orderId, WISH, agentId, once),
      ),
    );
    expect(two!.body).toEqual(one!.body);
    expect([one!.replayed, two!.replayed].sort()).toEqual([false, true]);
    expect(await typesOf(shop, orderId)).toHaveLength(3);
    await expect(ask()).rejects.toMatchObject({ code: "CANCEL_REQUEST_OPEN" });
  });
});
