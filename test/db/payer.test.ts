/** Whoever causes a command pays for the bytes and letters that it writes, whichever tables they go to. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { insert, type Rule, update, type Write } from "../../src/core/command.ts";
import { MerchantError } from "../../src/core/errors.ts";
import { paidBy } from "../../src/core/payer.ts";
import { ROOM } from "../../src/core/policy.ts";
import { decideAll, type Job, promiseReply } from "../../src/db/decide.ts";
import type { Store } from "../../src/db/store.ts";
import { usualStore } from "../support/stores.ts";

let store: Store;
beforeAll(async () => {
  ({ store } = (await usualStore()) as { store: Store });
});

const writing = (room?: number): Rule<Write[], null> => ({
  reads: () => [],
  decide: (writes) => ({ reply: null, writes, ...(room !== undefined && { room }) }),
});
const offer = writing(ROOM.offers_bytes);
const payment = writing(ROOM.payments_bytes);
const settlement = writing();

let ids = 0;
const newId = () => `fb_${ids++}`.padEnd(20, "x");
const feedback = (message: string, id = newId()) =>
  insert("feedback", { id, agent_id: "agt_1", order_id: null, message, created_at: 1 } as never);

/** Bytes of the letter and the desk's task that a message causes. */
const OVERHEAD = { least: 100, most: 400 };

test("in bytes of UTF-8, with the rows that follow from it, and in letters", async () => {
  const payer = vi.fn();
  await paidBy(payer, () => store.run(offer, [feedback("é".repeat(1000)), feedback("")]));
  expect(payer).toHaveBeenCalledTimes(1);
  const [[{ bytes, messages }, forced]] = payer.mock.calls as [[Record<string, number>, boolean]];
  expect(bytes! - 2000).toBeGreaterThan(OVERHEAD.least);
  expect(bytes! - 2000).toBeLessThan(2 * OVERHEAD.most);
  expect([messages, forced]).toEqual([2, false]);
});

test("in the values of an update", async () => {
  const setting = insert("settings", { name: "payer.test", value: "" });
  await store.run(settlement, [setting]);
  const payer = vi.fn();
  const change = update("settings", { name: "payer.test" }, { value: "v".repeat(500) });
  await paidBy(payer, () => store.run(settlement, [change]));
  expect(payer).toHaveBeenCalledExactlyOnceWith({ bytes: 500, messages: 0 }, true);
});

describe("whoever has nothing left", () => {
  const broke = () => {
    throw new MerchantError("RATE_LIMITED", "Nothing is left.");
  };
  const poor = (_: unknown, forced: boolean) => {
    if (!forced) broke();
  };

  test("gets no offer, and nothing is stored", async () => {
    const id = newId();
    const refused = paidBy(poor, () => store.run(offer, [feedback("No.", id)]));
    await expect(refused).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await store.queries.feedback(id)).toBeUndefined();
  });

  test.each([
    ["a payment", payment],
    ["a settlement", settlement],
  ])("can go on with %s", async (_, rule) => {
    const id = newId();
    await paidBy(poor, () => store.run(rule, [feedback("Yes.", id)]));
    expect(await store.queries.feedback(id)).toMatchObject({ message: "Yes." });
  });

  test("gets a reply that writes nothing", async () => {
    await expect(paidBy(poor, () => store.run(offer, []))).resolves.toBeNull();
  });
});

test("nobody pays for a background job", async () => {
  const payer = vi.fn();
  paidBy(payer, () => null);
  await store.run(offer, [feedback("Yes.")]);
  expect(payer).not.toHaveBeenCalled();
});

test("a command that is decided again, after a lost race, is paid once", () => {
  const payer = vi.fn();
  const jobs: Job[] = [];
  void paidBy(payer, () => promiseReply(offer, [feedback("Yes.")], (job) => jobs.push(job)));
  for (let i = 0; i < 3; i++) {
    const deciding = decideAll(jobs, () => true);
    while (!deciding.next().done);
  }
  expect(payer).toHaveBeenCalledTimes(1);
});
