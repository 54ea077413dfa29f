/** RATE_LIMITS sets numbers, which are published and enforced (contract §14). */
import { expect, it, onTestFinished, test } from "vitest";
import { ConfigError, readConfig } from "../../src/app/config.ts";
import { LIMIT_TABLE, readRateLimits } from "../../src/core/rate-limits.ts";
import { startService } from "../support/service.ts";
import { register, send } from "../support/shopper.ts";

async function shopWith(RATE_LIMITS: string) {
  const { baseUrl, stop } = await startService({ RATE_LIMITS });
  onTestFinished(stop);
  return baseUrl;
}

const publishedAt = async (baseUrl: string) => {
  const [info, policy] = await Promise.all([
    send(baseUrl, "/agent-info"),
    send(baseUrl, "/v1/policy"),
  ]);
  // The policy names only the limits of a purchase.
  expect(info.body.rate_limits).toMatchObject(policy.body.rate_limits);
  expect(info.body.limits).toMatchObject(policy.body.limits);
  return info.body.rate_limits as Record<string, string>;
};

it("set limits are published and enforced; the others stay", async () => {
  const baseUrl = await shopWith(" feedback=2, catalog=500 ");
  const published = await publishedAt(baseUrl);
  expect(published).toMatchObject({
    feedback: "2 per hour per key",
    catalog: "500 per minute per address",
    leads: "5 per hour per key",
  });
  const catalog = await send(baseUrl, "/v1/catalog");
  expect(catalog.headers.get("ratelimit-policy")).toBe('"catalog";q=500;w=60');
  const key = await register(baseUrl);
  const say = () => send(baseUrl, "/v1/feedback", { key, body: { message: "Lovely coffee." } });
  expect([(await say()).status, (await say()).status]).toEqual([201, 201]);
  const third = await say();
  expect(third.status).toBe(429);
  expect(third.headers.get("ratelimit-policy")).toBe('"feedback";q=2;w=3600');
  expect(third.body.detail ?? third.body.message).toContain("At most 2 in 3600 seconds");
});

it("a limit over all instances can be set too", async () => {
  const baseUrl = await shopWith("register_hour=1");
  const join = () =>
    send(baseUrl, "/v1/agents/register", {
      body: { name: "Agent", contact_email: "agent@example.com" },
    });
  const first = await join();
  expect(first.body.rate_limits).toMatchObject({ quotes: "30 per minute per key" });
  expect([first.status, (await join()).status]).toEqual([201, 429]);
});

it("without limits, none are published", async () => {
  const published = await publishedAt(await shopWith("off"));
  expect(new Set(Object.values(published))).toEqual(new Set(["not limited"]));
});

test.each<[string, RegExp]>([
  ["yes", /RATE_LIMITS must be on, off, or name=number, not "yes"\. Names: register_hour, /],
  ["quote=5", /not "quote=5"/],
  ["__proto__=5", /not "__proto__=5"/],
  ["quotes=5,,", /not ""/],
  ["quotes=-1", /not "quotes=-1"/],
  ["quotes=0", /quotes from 1 to 1000000000, not 0/],
  ["quotes=9999999999", /not 9999999999/],
  ["quote_bytes=1000", /quote_bytes from 131072 to/],
])("%s is refused at the start, with the reason", (RATE_LIMITS, says) => {
  expect(() => readConfig({ RATE_LIMITS })).toThrow(ConfigError);
  expect(() => readConfig({ RATE_LIMITS })).toThrow(says);
});

test("setting some keeps the defaults of the others", () => {
  const before = structuredClone(LIMIT_TABLE);
  const read = readRateLimits("quotes=7");
  expect(read).toMatchObject({ limits: { ...before, quotes: { points: 7 } } });
  expect(LIMIT_TABLE).toEqual(before);
});
