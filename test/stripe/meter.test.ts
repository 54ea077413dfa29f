import { describe, expect, it } from "vitest";
import {
  createMeter,
  type MeterShare,
  RATES,
  stripeClient,
} from "../../src/payments/stripe/client.ts";
import { world } from "./harness.ts";

const RATE = { all: { perSecond: 20, kept: 8 }, each: { perSecond: 10, kept: 4 } };

function metered(rates = RATE) {
  const time = { now: 0 };
  const clock = () => time.now;
  const wait = async (ms: number) => {
    time.now += ms;
  };
  const meter = createMeter(rates, { clock, wait });
  const taken = async (share: MeterShare, kind: string, calls: number) => {
    const all = await Promise.allSettled(
      Array.from({ length: calls }, () => meter.take(share, kind)),
    );
    return all.filter(({ status }) => status === "fulfilled").length;
  };
  return { meter, time, taken };
}

describe("calls to the provider", () => {
  it("stay below its limits, all together and of each kind", () => {
    for (const [mode, limit] of [
      ["live", 100],
      ["test", 25],
    ] as const) {
      expect(RATES[mode]!.all.perSecond).toBeLessThan(limit);
      expect(RATES[mode]!.each.perSecond).toBeLessThan(25);
    }
  });

  it("of buyers wait for their turn and never use the share kept for settling", async () => {
    const { meter, time, taken } = metered();
    // Six at once, then ten a second for the five seconds that one waits.
    expect(await taken("buyers", "checkout", 300)).toBe(56);
    const before = time.now;
    for (let call = 0; call < 4; call++) await meter.take("settling", "checkout");
    for (let call = 0; call < 4; call++) await meter.take("settling", "refunds");
    expect(time.now).toBe(before);
  });

  it("of settling wait for their turn within the rate", async () => {
    const { meter, time } = metered();
    for (let call = 0; call < 50; call++) await meter.take("settling", "checkout");
    // Ten at once, then ten a second.
    expect(time.now).toBeGreaterThanOrEqual(3_900);
    expect(time.now).toBeLessThan(4_200);
  });

  it("come back with time, up to a second's worth", async () => {
    const { meter, time } = metered();
    const waited = async (calls: number) => {
      const before = time.now;
      for (let call = 0; call < calls; call++) await meter.take("buyers", "checkout");
      return time.now - before;
    };
    expect(await waited(6)).toBe(0);
    time.now += 200;
    expect(await waited(2)).toBe(0);
    time.now += 3_600_000;
    expect(await waited(6)).toBe(0);
    expect(await waited(1)).toBe(100);
  });

  it("are counted one by one, including pages of a list", async () => {
    const { sandbox } = await world();
    const kinds: [MeterShare, string][] = [];
    const meter = {
      take: async (share: MeterShare, kind: string) => {
        kinds.push([share, kind]);
      },
    };
    const stripe = stripeClient(
      {
        secretKey: sandbox.apiKey,
        webhookSecrets: [],
        mode: "test",
        endpoint: sandbox.endpoint,
      },
      { metering: { meter, share: "settling" } },
    );
    await stripe.checkout.sessions.list({ limit: 1 });
    await stripe.refunds.list({ payment_intent: "pi_none" });
    expect(kinds).toEqual([
      ["settling", "checkout"],
      ["settling", "refunds"],
    ]);
  });
});
