import { expect, test } from "vitest";
import { verifyStripe } from "../../src/payments/verify.ts";
import { BASE_URL, collect, world } from "./harness.ts";

async function verify(change: object = {}) {
  const w = await world();
  const { apiKey, apiHost, apiPort, clock } = w.sandbox;
  const lines: string[] = [];
  const target = { secretKey: apiKey, host: apiHost, port: apiPort, protocol: "http" as const };
  const origins = { extraCheckoutOrigins: [BASE_URL] };
  const right = await verifyStripe({ ...target, ...origins, clock, ...change }, (line) => {
    lines.push(line);
  });
  return { right, text: lines.join("\n"), apiKey, ...w };
}

test("every canonical session is created, compared, ended and listed in a table", async () => {
  const { right, text, provider, apiKey } = await verify();
  expect(text).toMatch(/24 addresses +\$768\.00 {2}the same, ended/);
  expect(text).toContain("All 6 are right.");
  expect(text).not.toContain(apiKey);
  expect(right).toBe(true);
  const left = await collect(provider.listCheckouts(0));
  expect(left).toHaveLength(6);
  expect(left.filter((session) => session.status !== "expired")).toEqual([]);
});

test("what Stripe would not charge as agreed is named, and fails", async () => {
  const { right, text } = await verify({ extraCheckoutOrigins: [] });
  expect(text).toContain("ProviderRejected: The provider would not charge what was agreed");
  expect(text).toContain("6 of 6 are wrong.");
  expect(right).toBe(false);
});

test.each([undefined, "", "sk_live_x", "rk_live_x", "pk_test_x", "whsec_x"])(
  "the key %s is refused and nothing is sent",
  async (secretKey) => {
    const { right, text, provider } = await verify({ secretKey });
    expect(right).toBe(false);
    expect(text).toMatch(/must be a test key/);
    expect(await collect(provider.listCheckouts(0))).toEqual([]);
  },
);
