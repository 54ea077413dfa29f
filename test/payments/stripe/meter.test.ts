import { describe, expect, it, onTestFinished } from "vitest";
import {
  createMeter,
  type MeterShare,
  RATES,
  stripeClient,
} from "../../../src/payments/stripe/client.ts";
import { stripeProvider } from "../../../src/payments/stripe/stripe.ts";
import { form, readyQuote } from "../../support/purchase.ts";
import { serveTest } from "../../support/service.ts";
import { register, send } from "../../support/shopper.ts";
import { BASE_URL, NOW, SECRET, world } from "./harness.ts";

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
      { meter, share: "settling" },
    );
    await stripe.checkout.sessions.list({ limit: 1 });
    await stripe.refunds.list({ payment_intent: "pi_none" });
    expect(kinds).toEqual([
      ["settling", "checkout"],
      ["settling", "refunds"],
    ]);
  });
});

describe("130 links pressed from one address, and 40 more from one /48", () => {
  it("do not keep 16 other buyers from paying", async () => {
    const { sandbox } = await world();
    const provider = () =>
      stripeProvider({
        secretKey: sandbox.apiKey,
        webhookSecrets: [SECRET],
        mode: "test",
        endpoint: sandbox.endpoint,
        extraCheckoutOrigins: [BASE_URL],
        maxNetworkRetries: 0,
      });
    const shop = await serveTest(
      { RATE_LIMITS: "register_hour=1000,key=10000,quotes=1000,checkout=1000", TRUST_PROXY: "1" },
      { provider, clock: () => NOW },
    );
    onTestFinished(() => shop.stop());
    const keys = await Promise.all(Array.from({ length: 5 }, () => register(shop.baseUrl)));
    const links = (number: number) =>
      Promise.all(
        Array.from({ length: number }, (_, i) =>
          readyQuote(shop.baseUrl, { discount_code: "FIRSTBAG" }, keys[i % keys.length]),
        ),
      );
    const [one, wide, honest] = [await links(130), await links(40), await links(16)];
    const press = (from: string, url: string) => {
      const { headers, ...sent } = form({});
      const forwarded = { ...headers, "x-forwarded-for": from };
      return send(shop.baseUrl, url, { ...sent, headers: forwarded });
    };
    const flood = one.map(({ reviewUrl }) => press("198.51.100.1", reviewUrl));
    const wider = wide.map(({ reviewUrl }, i) => press(`2001:db8:b000:${i + 1}::1`, reviewUrl));
    const presses = honest.map(({ reviewUrl }, i) => press(`192.0.2.${i + 1}`, reviewUrl));
    const led = (await Promise.all(presses)).map(({ headers }) => headers.get("location"));
    expect(led.map((url) => URL.parse(url ?? "")?.origin)).toEqual(led.map(() => BASE_URL));
    const refused = (await Promise.all(flood)).filter(({ status }) => status === 429);
    expect(refused).toHaveLength(100);
    await Promise.all(wider);
  });
});
