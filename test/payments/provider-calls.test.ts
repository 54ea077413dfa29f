/** Strangers cost the provider hardly any calls (contract §14). */
import { expect, it } from "vitest";
import { paidPage, sessionOf, shop } from "./steps.ts";
import type { World } from "./world.ts";

/** Calls to the provider, as "METHOD path". */
function counted(world: World): string[] {
  const calls: string[] = [];
  world.control.faults.api = ({ method, path }) => {
    calls.push(`${method} ${path}`);
    return null;
  };
  return calls;
}

it("pressing pay 300 times on an open page calls the provider once in ten seconds", async () => {
  const world = await shop();
  const review = await world.quote();
  const { payments } = world.process();
  const first = await payments.pay(review);
  if (first.kind !== "redirect") throw new Error(first.kind);
  const calls = counted(world);
  const pressed = await Promise.all(Array.from({ length: 300 }, () => payments.pay(review)));
  expect(new Set(pressed.map((paying) => JSON.stringify(paying)))).toEqual(
    new Set([JSON.stringify(first)]),
  );
  expect(calls).toEqual([`GET /v1/checkout/sessions/${sessionOf(first.url)}`]);
  world.clock.advance(10_000);
  await payments.pay(review);
  expect(calls).toHaveLength(2);
});

it("60 readiness checks call the provider once in ten seconds, up or down", async () => {
  const world = await shop();
  const { payments } = world.process();
  const calls = counted(world);
  await Promise.all(Array.from({ length: 60 }, () => payments.ping()));
  expect(calls).toHaveLength(1);
  world.control.faults.api = ({ path }) => {
    calls.push(path);
    return { kind: "error", status: 503 };
  };
  world.clock.advance(10_000);
  const asked = await Promise.allSettled(Array.from({ length: 60 }, () => payments.ping()));
  expect(asked.every(({ status }) => status === "rejected")).toBe(true);
  expect(calls).toHaveLength(2);
  world.control.faults.api = undefined;
  world.clock.advance(10_000);
  await expect(payments.ping()).resolves.toBeUndefined();
});

it("during a provider outage, pay leads to the last known page", async () => {
  const world = await shop();
  const review = await world.quote();
  const first = await world.process().payments.pay(review);
  world.control.faults.api = () => ({ kind: "error", status: 503 });
  expect(await world.process().payments.pay(review)).toEqual(first);
  world.clock.advance(3 * 3_600_000);
  expect(await world.process().payments.pay(review)).not.toEqual(first);
});

it("a shared answer never settles a payment", async () => {
  const world = await shop();
  const review = await world.quote();
  const process = world.process();
  await process.payments.pay(review);
  const page = await paidPage(world, review);
  await process.payments.pay(review);
  await process.settlements.settleSession(page);
  expect((await world.again(review)).state.status).toBe("PAID");
  expect(await process.payments.pay(review)).toEqual({ kind: "look" });
});
