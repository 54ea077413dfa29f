/** The emulator's API: refusals, crashes, and a clean end. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ProviderRejected } from "../../src/payments/provider.ts";
import { arrivedMinor } from "../support/sandbox-control.ts";
import { emulatorProvider } from "./emulator.ts";
import {
  cart,
  collect,
  cutPower,
  paidSession,
  stripeOf,
  VISA,
  type World,
  world,
} from "./harness.ts";

const SESSIONS = "/v1/checkout/sessions";

async function ask({ sandbox }: World, path: string, change: RequestInit = {}, headers = {}) {
  const answer = await fetch(`http://${sandbox.endpoint.host}:${sandbox.endpoint.port}${path}`, {
    ...change,
    headers: {
      authorization: `Bearer ${sandbox.apiKey}`,
      ...headers,
    },
  });
  return {
    status: answer.status,
    ...((await answer.json()) as { error?: Record<string, string> }),
  };
}

test("every call needs the key of this start", async () => {
  const w = await world();
  for (const authorization of ["", "Bearer sk_test_x", `Basic ${w.sandbox.apiKey}`]) {
    const { status, error } = await ask(w, SESSIONS, {}, { authorization });
    expect([status, error?.type]).toEqual([401, "invalid_request_error"]);
  }
  expect((await world()).sandbox.apiKey).not.toBe(w.sandbox.apiKey);
});

test("it listens on 127.0.0.1 only", async () => {
  const { port } = (await world()).sandbox.endpoint;
  await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow("fetch failed");
});

test("unknown paths, methods and parameters are refused in Stripe's shape", async () => {
  const w = await world();
  const refusals = [
    await ask(w, "/v1/customers"),
    await ask(w, SESSIONS, { method: "DELETE" }),
    await ask(w, `${SESSIONS}/cs_test_none`),
    await ask(w, `${SESSIONS}?limit=101`),
    await ask(w, `${SESSIONS}?expand[]=data.customer`),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404, 400, 400]);
  for (const { error } of refusals) {
    expect(error).toMatchObject({ type: "invalid_request_error", message: expect.any(String) });
  }
});

test.each([
  { lines: [{ ...cart().lines[0]!, unitMinor: 22.5 }] },
  { lines: Array(101).fill(cart().lines[0]) },
  { lines: [], shipping: null },
  { returnUrl: "javascript:alert(1)" },
])("a session with %j is refused", async (change) => {
  const { provider } = await world();
  await expect(provider.createCheckout(cart(change))).rejects.toBeInstanceOf(ProviderRejected);
});

test("repeating a request that a crash interrupted creates one session", async () => {
  const w = await world();
  const powerBack = cutPower(w);
  await expect(w.provider.createCheckout(cart())).rejects.toMatchObject({
    name: "ProviderUnavailable",
  });
  powerBack();
  const found = await w.provider.createCheckout(cart());
  const all = await collect(w.provider.listCheckouts(0));
  expect(all.map((s) => s.sessionId)).toEqual([found.sessionId]);
});

test("a restarted emulator finds the session of a repeated request, and its page is payable", async () => {
  const w = await world();
  const { sessionId } = await w.provider.createCheckout(cart());
  await w.sandbox.close();
  const next = await w.again();
  const provider = emulatorProvider(next, { paymentMethods: ["card", "us_bank_account"] });
  expect((await provider.createCheckout(cart())).sessionId).toBe(sessionId);
  expect(await next.buyer.pay(sessionId, VISA)).toMatchObject({ outcome: "paid" });
});

test("a closed emulator does not hold the process open", async () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const script = `
    const { startEmulator, emulatorProvider } = await import("${folder}emulator.ts");
    const { newHttpFaults } = await import("${folder}faults.ts");
    const s = await startEmulator({ baseUrl: "http://127.0.0.1:1",
      webhookUrl: "http://127.0.0.1:1/", webhookSecret: "whsec_x", clock: Date.now,
      interference: newHttpFaults({ api: ({ path }) =>
        path.endsWith("/slow") ? { kind: "timeout", ms: 60000 } : null }) });
    const provider = emulatorProvider(s, { maxNetworkRetries: 0 });
    const request = { ...${JSON.stringify(cart())}, expiresAt: Date.now() + 3_600_000 };
    const { sessionId } = await provider.createCheckout(request);
    await s.buyer.pay(sessionId, "${VISA}");
    const slow = provider.getCheckout("slow").catch(() => "given up");
    await s.close();
    process.stdout.write(await slow);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, output]).toEqual([0, "given up"]);
}, 20_000);

test("a 500 is repeated for its key; another key succeeds", async () => {
  const w = await world();
  const { sessionId, paymentRef } = await paidSession(w);
  const refund = (idempotencyKey: string) =>
    w.provider.refund(paymentRef, { idempotencyKey, refundId: "rf_1", amountMinor: 100 });
  w.control.faults.api = () => ({ kind: "error", status: 500 });
  await expect(refund("one")).rejects.toMatchObject({ failedThere: true });
  w.control.faults.api = undefined;
  await expect(refund("one")).rejects.toMatchObject({ failedThere: true });
  expect(arrivedMinor(await w.provider.getCheckout(sessionId))).toBe(0);
  await refund("two");
  expect(arrivedMinor(await w.provider.getCheckout(sessionId))).toBe(100);
});

test("a page after a session that does not exist is refused", async () => {
  const listed = stripeOf(await world()).checkout.sessions.list({
    limit: 1,
    starting_after: "cs_test_none",
  });
  await expect(listed).rejects.toMatchObject({ code: "resource_missing" });
});
