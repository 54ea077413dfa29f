/** In-memory limits count in windows, with bounded memory and a given clock. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { memoryLimiter } from "../../src/agents/limits.ts";

function counting(points: number, seconds: number, most?: number) {
  let now = 1_000_000;
  const clock = () => now;
  const limiter = memoryLimiter(
    { points, seconds },
    { clock, ...(most !== undefined && { most }) },
  );
  const take = async (subject: string, wanted = 1) =>
    (await limiter.consume(subject, wanted)).allowed;
  return {
    limiter,
    take,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

test("a window starts with the first use, and refusals do not extend it", async () => {
  const { take, advance, limiter } = counting(2, 60);
  expect([await take("a"), await take("a"), await take("a")]).toEqual([true, true, false]);
  expect(await take("b")).toBe(true);
  advance(59_999);
  expect(await limiter.consume("a", 1)).toEqual({ allowed: false, remaining: 0, resetMs: 1 });
  advance(1);
  expect(await limiter.consume("a", 1)).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
});

test("points are taken together or not at all", async () => {
  const { take, limiter } = counting(10, 60);
  expect([await take("a", 8), await take("a", 3), await take("a", 2)]).toEqual([true, false, true]);
  await limiter.undo("a");
  expect([await take("a"), await take("a")]).toEqual([true, false]);
});

test("a point returned after its window does not exceed the limit", async () => {
  const { take, limiter, advance } = counting(1, 60);
  await take("a");
  advance(60_000);
  expect(await take("a")).toBe(true);
  await limiter.undo("b");
  expect(await take("a")).toBe(false);
});

test("a clock that is set back locks nobody out", async () => {
  const { take, advance } = counting(1, 60);
  await take("a");
  advance(-3_600_000);
  expect(await take("a")).toBe(true);
});

test("memory is bounded against strangers, and the newest subjects count", async () => {
  const { take } = counting(1, 60, 100);
  await take("me");
  for (let i = 0; i < 99; i++) await take(`early-${i}`);
  expect(await take("me")).toBe(false);
  for (let i = 0; i < 100; i++) await take(`stranger-${i}`);
  for (let i = 0; i < 100; i++) expect(await take(`stranger-${i}`)).toBe(false);
  expect(await take("me")).toBe(true);
});

test("ten times the remembered subjects cost a few megabytes at most", async () => {
  const { limiter } = counting(5, 60);
  const before = heapInUse();
  for (let i = 0; i < 200_000; i++) await limiter.consume(`2001:db8:${i}::/64`, 1);
  expect(heapInUse() - before).toBeLessThan(100_000_000);
});

/** Reachable bytes, after a collection. */
function heapInUse(): number {
  setFlagsFromString("--expose_gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  return process.memoryUsage().heapUsed;
}
