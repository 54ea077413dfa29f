/** In-memory limits count in windows, with bounded memory and a given clock. */
import { describe, expect, test } from "vitest";
import { createLimits, memoryLimiter, RateLimited } from "../../src/agents/limits.ts";
import { addressesIn } from "../../src/app/address-ranges.ts";
import { type Cost, type LimitedCaller, readRateLimits } from "../../src/core/rate-limits.ts";

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
  limiter.giveBack("a", 1);
  expect([await take("a"), await take("a")]).toEqual([true, false]);
});

test("a point returned after its window does not exceed the limit", async () => {
  const { take, limiter, advance } = counting(1, 60);
  await take("a");
  advance(60_000);
  expect(await take("a")).toBe(true);
  limiter.giveBack("b", 1);
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

describe("a cost", () => {
  const [here, there, far] = [
    "2001:db8:1:1::/64",
    "2001:db8:1:2::/64",
    "2001:db8:2:1::/64",
  ] as const;

  function shop(setting: string, platforms: string[] = []) {
    let now = 1_000_000;
    const { limits: table } = readRateLimits(setting) as { limits: never };
    const limits = createLimits(table, { clock: () => now, isPlatform: addressesIn(platforms) });
    const charge = (cost: Cost, caller: LimitedCaller, about?: string) => {
      try {
        limits.charge(cost, caller, about === undefined ? {} : { about });
        return true;
      } catch (error) {
        if (error instanceof RateLimited) return false;
        throw error;
      }
    };
    /** How many of the costs are taken before one is refused. */
    const many = (cost: Cost, caller: (i: number) => LimitedCaller) => {
      let taken = 0;
      while (taken < 2000 && charge(cost, caller(taken))) taken++;
      return taken;
    };
    const advance = (ms: number) => {
      now += ms;
    };
    return { limits, charge, many, advance };
  }

  test.each<[string, number, (i: number) => LimitedCaller]>([
    ["a key", 5, () => ({ own: "agt_1", address: here })],
    ["an address, however many keys it has", 80, (i) => ({ own: `agt_${i}`, address: here })],
    ["an address without a key", 80, () => ({ address: here })],
    ["a network", 320, (i) => ({ own: `agt_${i}`, address: `2001:db8:1:${i}::/64` })],
    ["an IPv4 address", 80, (i) => ({ own: `agt_${i}`, address: "203.0.113.7" })],
  ])("is taken from %s", (_, most, caller) => {
    expect(shop("requests=5").many({ requests: 1 }, caller)).toBe(most);
  });

  test("is taken from all levels or from none", () => {
    const { charge, many } = shop("requests=5,messages=1");
    const own = { own: "agt_1", address: here };
    expect(charge({ messages: 1 }, own)).toBe(true);
    // The key has no letter left, so its requests, its address and its network pay nothing.
    for (let i = 0; i < 100; i++) expect(charge({ requests: 1, messages: 1 }, own)).toBe(false);
    expect(many({ requests: 1 }, () => own)).toBe(5);
    expect(many({ messages: 1 }, (i) => ({ own: `agt_2${i}`, address: here }))).toBe(15);
    expect(many({ messages: 1 }, (i) => ({ own: `agt_3${i}`, address: there }))).toBe(16);
    expect(charge({ messages: 1 }, { own: "agt_4", address: far })).toBe(true);
  });

  test("about the same buyer is taken once in a window", () => {
    const { charge, advance } = shop("buyers=2");
    const own = { own: "agt_1", address: here };
    const asked = ["a@example.com", "a@example.com", "b@example.com", "c@example.com"];
    const ask = (email: string) => charge({ buyers: 1 }, own, email);
    expect(asked.map(ask)).toEqual([true, true, true, false]);
    expect(ask("b@example.com")).toBe(true);
    expect(ask("c@example.com")).toBe(false);
    advance(86_400_000);
    expect(ask("c@example.com")).toBe(true);
  });

  test("that is forced is taken beyond the limit", () => {
    const { limits, charge } = shop("messages=1");
    const own = { own: "agt_1", address: here };
    limits.charge({ messages: 20 }, own, { forced: true });
    expect(charge({ messages: 1 }, own)).toBe(false);
    expect(charge({ messages: 1 }, { own: "agt_2", address: here })).toBe(false);
    expect(charge({ messages: 1 }, { own: "agt_2", address: there })).toBe(true);
  });

  test.each<[string, number]>([
    ["203.0.113.7", 1280],
    ["203.0.114.7", 80],
    ["2001:db8:ff:1::/64", 1280],
    ["2001:db9:ff:1::/64", 80],
    ["stdio", 80],
  ])("of a platform's published addresses: %s may take %i", (address, most) => {
    const { many } = shop("requests=5", ["203.0.113.0/24", "2001:db8:ff::/48"]);
    expect(many({ requests: 1 }, () => ({ address }))).toBe(most);
    expect(many({ requests: 1 }, () => ({ own: "agt_1", address: "203.0.113.9" }))).toBe(5);
  });
});
