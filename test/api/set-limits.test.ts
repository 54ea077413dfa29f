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
  const baseUrl = await shopWith(" messages=2, requests=500 ");
  const published = await publishedAt(baseUrl);
  expect(published).toMatchObject({
    messages: "2 letters per day per key, 32 per address, 128 per network",
    requests: "500 per minute per key, 8000 per address, 32000 per network",
    buyers: "32 buyers per day per key, 512 per address, 2048 per network",
  });
  const catalog = await send(baseUrl, "/v1/catalog");
  expect(catalog.headers.get("ratelimit-policy")).toBe('"requests";q=8000;w=60');
  const key = await register(baseUrl);
  const say = () => send(baseUrl, "/v1/feedback", { key, body: { message: "Lovely coffee." } });
  expect([(await say()).status, (await say()).status]).toEqual([201, 201]);
  const third = await say();
  expect(third.status).toBe(429);
  expect(third.headers.get("ratelimit-policy")).toBe('"messages";q=2;w=86400');
  expect(third.body.detail ?? third.body.message).toContain("At most 2 letters in 86400 seconds");
});

it("without limits, none are published", async () => {
  const published = await publishedAt(await shopWith("off"));
  expect(new Set(Object.values(published))).toEqual(new Set(["not limited"]));
});

test.each<[string, RegExp]>([
  ["yes", /RATE_LIMITS must be on, off, or name=number, not "yes"\. Names: requests, /],
  ["quote=5", /not "quote=5"/],
  ["__proto__=5", /not "__proto__=5"/],
  ["buyers=5,,", /not ""/],
  ["buyers=-1", /not "buyers=-1"/],
  ["buyers=0", /buyers from 1 to 1000000000, not 0/],
  ["buyers=9999999999", /not 9999999999/],
  ["bytes=1000", /bytes from 524288 to/],
])("%s is refused at the start, with the reason", (RATE_LIMITS, says) => {
  expect(() => readConfig({ RATE_LIMITS })).toThrow(ConfigError);
  expect(() => readConfig({ RATE_LIMITS })).toThrow(says);
});

test("setting some keeps the defaults of the others", () => {
  const before = structuredClone(LIMIT_TABLE);
  const read = readRateLimits("buyers=7");
  expect(read).toMatchObject({ limits: { ...before, buyers: { ...before.buyers, points: 7 } } });
  expect(LIMIT_TABLE).toEqual(before);
});
