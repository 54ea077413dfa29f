/** A machine whose clock differs from the provider's: the start and each refused page name it. */
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { ProviderRejected } from "../../src/payments/provider.ts";
import { canonicalRequests } from "../../src/payments/stripe/canonical.ts";
import { compareClocks } from "../../src/payments/stripe/client.ts";
import { stripeProvider } from "../../src/payments/stripe/stripe.ts";
import { BASE_URL, MINUTE, NOW, onLoopback } from "./harness.ts";

/** A provider that refuses everything, by a clock that is right while ours is `aheadMs` ahead. */
async function refusingProvider(aheadMs: number) {
  const server = createServer((_request, response) => {
    response.sendDate = false;
    const error = { type: "invalid_request_error", message: "The expires_at timestamp is wrong." };
    const headers = { Date: new Date(NOW).toUTCString(), "content-type": "application/json" };
    response.writeHead(400, headers).end(JSON.stringify({ error }));
  });
  const port = await onLoopback(server);
  return stripeProvider({
    secretKey: "rk_test_1",
    webhookSecrets: [],
    mode: "test",
    endpoint: { host: "127.0.0.1", port, protocol: "http" },
    clock: () => NOW + aheadMs,
  });
}

test.each([
  [-50 * MINUTE, "50 min behind"],
  [7 * MINUTE, "7 min ahead"],
])("a clock that is %i ms ahead is named at the start and in a refusal", async (aheadMs, says) => {
  const provider = await refusingProvider(aheadMs);
  // A refusal of an unknown object shows that the key has the permission.
  expect(await provider.checkKey()).toContain(says);
  const [{ request } = expect.unreachable()] = canonicalRequests({
    now: NOW,
    run: "1",
    baseUrl: BASE_URL,
  });
  const error = await provider.createCheckout(request).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ProviderRejected);
  expect((error as ProviderRejected).hint).toContain(says);
});

test("a clock within a minute of the provider's is no news", async () => {
  for (const aheadMs of [0, 50_000, -50_000]) {
    expect(await (await refusingProvider(aheadMs)).checkKey()).toBeNull();
  }
  const clocks = compareClocks(() => NOW);
  for (const date of [undefined, "", "yesterday"]) clocks.read(date);
  expect(clocks.problem()).toBeNull();
});
