import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from "vitest";
import { stateOf } from "../../src/core/command.ts";
import type { WebhookRow } from "../../src/core/records.ts";
import {
  countMissedWebhook,
  receiveWebhook,
  recordWebhookTry,
} from "../../src/payments/webhooks.ts";
import { startStripeService } from "../stripe/service.ts";
import { readBooks } from "../support/books.ts";
import { orderOf, readyQuote } from "../support/purchase.ts";
import { NOW, written } from "../support/rows.ts";
import { eventually, payAsBuyer, send } from "../support/shopper.ts";
import { sessionOf, webhook } from "./steps.ts";

let service: Awaited<ReturnType<typeof startStripeService>>;
beforeAll(async () => {
  service = await startStripeService();
  service.faults.webhook = () => "drop";
});
afterAll(() => service.stop());

const post = (body: Buffer, signature?: string, { baseUrl } = service) =>
  send(baseUrl, "/webhooks/stripe", {
    method: "POST",
    raw: body,
    headers: { ...(signature !== undefined && { "stripe-signature": signature }) },
  });

const signed = (
  sessionId: string,
  change: Parameters<typeof webhook>[2] = {},
  { clock, emulator } = service,
) => webhook({ clock, sandbox: emulator }, sessionId, change);

const rows = async () => (await readBooks(service.store)).webhooks;
const row = (id: string): Promise<WebhookRow> =>
  eventually(async () => (await rows()).find((one) => one.id === id && one.settled_at !== null));

/** A paid session without a webhook to the shop. */
async function paid({ baseUrl } = service) {
  const ready = await readyQuote(baseUrl);
  const { hosted } = await payAsBuyer(baseUrl, ready.reviewUrl);
  return { ...ready, sessionId: sessionOf(hosted) };
}

const ordersOf = async (quoteId: string) =>
  (await readBooks(service.store)).orders.filter((order) => order.quote_id === quoteId);

/** Holds every command until released; reports the first one. */
function holdCommits() {
  const { store } = service;
  const run = store.run;
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  store.run = async (rule, command) => {
    reached.resolve();
    await gate.promise;
    return run(rule, command);
  };
  const letGo = () => {
    store.run = run;
    gate.resolve();
  };
  return { reached: reached.promise, letGo };
}

it("a stop waits until answered webhooks are settled", async () => {
  const leaving = await startStripeService();
  leaving.faults.webhook = () => "drop";
  const { sessionId } = await paid(leaving);
  const { store } = leaving;
  const { run, close } = store;
  const order: unknown[] = [];
  const gate = Promise.withResolvers<void>();
  store.run = async (rule, command) => {
    if (rule !== receiveWebhook) await gate.promise;
    const answer = await run(rule, command);
    order.push(rule);
    return answer;
  };
  store.close = () => {
    order.push("the store is closed");
    return close();
  };
  const [body, signature] = signed(sessionId, {}, leaving);
  expect((await post(body, signature, leaving)).status).toBe(200);
  const stopped = leaving.stop();
  gate.resolve();
  await stopped;
  expect(order.at(0)).toBe(receiveWebhook);
  // Other commands of the stopping service may come between.
  expect(order).toContain(recordWebhookTry);
  expect(order.at(-1)).toBe("the store is closed");
});

describe("a webhook is answered", () => {
  it("200 after it is committed, and settled later", async () => {
    const { key, quote, sessionId } = await paid();
    const [body, signature] = signed(sessionId, { id: "evt_commit" });
    const { reached, letGo } = holdCommits();
    let answered = false;
    const sending = post(body, signature).finally(() => {
      answered = true;
    });
    await reached;
    // An answer that did not wait would be here by now, since another whole request is done.
    expect((await send(service.baseUrl, "/healthz")).status).toBe(200);
    expect(answered).toBe(false);
    letGo();
    expect((await sending).status).toBe(200);
    expect(await orderOf(service.baseUrl, key, quote.id)).toMatchObject({ status: "CONFIRMED" });
    expect(await row("evt_commit")).toMatchObject({ session_id: sessionId, error: null, tries: 1 });
  });

  it("with a failure if it cannot be stored, so that the provider retries", async () => {
    const { quote, sessionId } = await paid();
    const { store } = service;
    const { run } = store;
    const [body, signature] = signed(sessionId, { id: "evt_again" });
    store.run = () => Promise.reject(new Error("the disk is full"));
    expect((await post(body, signature)).status).toBeGreaterThanOrEqual(500);
    store.run = run;
    expect(await ordersOf(quote.id)).toEqual([]);
    expect((await post(body, signature)).status).toBe(200);
    await row("evt_again");
    expect(await ordersOf(quote.id)).toHaveLength(1);
  });

  test.each<[string, (signature: string) => string | undefined]>([
    ["no account's", () => undefined],
    ["somebody else's", (signature) => signature.replace(/v1=.{8}/, "v1=00000000")],
    ["an old", (signature) => signature.replace(/t=\d+/, "t=1")],
  ])("400 under %s signature, and nothing is stored", async (_, change) => {
    const { quote, sessionId } = await paid();
    const [body, signature] = signed(sessionId);
    const before = (await rows()).length;
    expect((await post(body, change(signature))).status).toBe(400);
    expect((await post(Buffer.from(`${body} `), signature)).status).toBe(400);
    expect(await rows()).toHaveLength(before);
    expect(await ordersOf(quote.id)).toEqual([]);
  });
});

describe("a slow webhook", () => {
  /** Sends the beginning of a body. `closed` and `answers` tell what happened to it. */
  function slow(headers: string, { baseUrl } = service) {
    const { hostname, port, host } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const slowly = { closed: false, answer: "" };
    socket.on("error", () => {});
    socket.on("close", () => {
      slowly.closed = true;
    });
    socket.on("data", (part) => {
      slowly.answer += part;
    });
    socket.write(
      `POST /webhooks/stripe HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9000\r\n${headers}\r\n{`,
    );
    return slowly;
  }

  it("is cut off if more than 16 others begin, and the provider's are taken", async () => {
    const { sessionId } = await paid();
    const slowly = Array.from({ length: 20 }, () => slow("Stripe-Signature: t=1,v1=00\r\n"));
    const cut = () => slowly.filter(({ closed }) => closed).length;
    await eventually(async () => cut() === 4);
    const [body, signature] = signed(sessionId, { id: "evt_beside_slow" });
    expect((await post(body, signature)).status).toBe(200);
    await row("evt_beside_slow");
    expect(cut()).toBe(5);
  });

  it("counts as an open request of its address", async () => {
    const few = await startStripeService({ MAX_CONNECTIONS: "16", TRUST_PROXY: "1" });
    onTestFinished(() => few.stop());
    const headers = "Stripe-Signature: t=1,v1=00\r\nX-Forwarded-For: 192.0.2.1\r\n";
    const slowly = Array.from({ length: 5 }, () => slow(headers, few));
    const answers = () => slowly.map(({ answer }) => answer.slice(0, 12)).filter(Boolean);
    await eventually(async () => answers().length > 0);
    expect(answers()).toEqual(["HTTP/1.1 429"]);
  });

  it("is refused before its body if it has no signature", async () => {
    const unsigned = slow("");
    await eventually(async () => unsigned.answer.startsWith("HTTP/1.1 400"));
  });
});

test("a webhook that fails for three days is an incident, and is not tried again", async () => {
  const { store } = service;
  const event = { id: "evt_fails", type: "charge.updated", livemode: false, apiVersion: null };
  const ids = { sessionId: null, paymentRef: "pi_none" };
  const now = service.clock.now();
  await store.run(receiveWebhook, { now, event: { ...event, ...ids }, ignored: false });
  const incidents = async () =>
    (await store.queries.allIncidents()).filter(({ subject }) => subject === event.id);
  const fails = { now, id: event.id, outcome: "later", error: "ProviderUnavailable" } as const;
  for (let tries = 1; tries < 84; tries++) {
    await store.run(recordWebhookTry, { ...fails, incidentId: "inc_fails" });
  }
  expect(await incidents()).toEqual([]);
  await store.run(recordWebhookTry, { ...fails, incidentId: "inc_fails" });
  expect(await incidents()).toMatchObject([{ kind: "WEBHOOK_UNSETTLED" }]);
  const stored = (await rows()).find(({ id }) => id === event.id);
  expect(stored).toMatchObject({ tries: 84, try_at: null, settled_at: null });
});

describe("repeated and reordered webhooks make one order", () => {
  it("twenty at once, under one id and under twenty", async () => {
    const { key, quote, sessionId } = await paid();
    const same = Array.from({ length: 20 }, () => signed(sessionId, { id: "evt_storm" }));
    const others = Array.from({ length: 20 }, (_, i) =>
      signed(sessionId, { id: `evt_storm_${i}` }),
    );
    const answers = await Promise.all([...same, ...others].map(([b, s]) => post(b, s)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const order = await orderOf(service.baseUrl, key, quote.id);
    await eventually(async () =>
      (await rows()).every((one) => !one.id.startsWith("evt_storm") || one.settled_at !== null),
    );
    expect((await rows()).filter((one) => one.id.startsWith("evt_storm"))).toHaveLength(21);
    expect(await ordersOf(quote.id)).toHaveLength(1);
    const log = await send(service.baseUrl, `/v1/orders/${order.id}/events`, { key });
    expect(log.body.events).toHaveLength(2);
  });

  it("the end before the start, both days late", async () => {
    const { quote, sessionId } = await paid();
    service.clock.advance(3 * 86_400_000);
    for (const type of ["expired", "async_payment_failed", "completed"]) {
      const id = `evt_late_${type}`;
      const [body, signature] = signed(sessionId, { id, type: `checkout.session.${type}` });
      expect((await post(body, signature)).status).toBe(200);
      await row(id);
      expect(await ordersOf(quote.id)).toHaveLength(1);
    }
  });
});

describe("a webhook that is not ours is stored and changes nothing", () => {
  it("of live mode in a shop of another mode", async () => {
    const { quote, sessionId } = await paid();
    const [body, signature] = signed(sessionId, { id: "evt_live", livemode: true });
    expect((await post(body, signature)).status).toBe(200);
    expect(await row("evt_live")).toMatchObject({ livemode: 1, error: "IGNORED: of another mode" });
    await service.service.merchant.webhooks.processDue({ early: true });
    expect(await ordersOf(quote.id)).toEqual([]);
  });

  it("of a session that the provider does not know, which is not requested again", async () => {
    const [body, signature] = signed("cs_test_of_another_shop", { id: "evt_foreign" });
    expect((await post(body, signature)).status).toBe(200);
    expect(await row("evt_foreign")).toMatchObject({ try_at: null, error: "ProviderRejected" });
  });

  it("of a type that we did not subscribe to", async () => {
    const [body, signature] = signed("cs_test_1", { id: "evt_kind", type: "customer.created" });
    expect((await post(body, signature)).status).toBe(200);
    expect(await row("evt_kind")).toMatchObject({ session_id: null, error: null });
  });
});

test.each([
  ["none before", null, null, 1, false],
  ["two before, and no webhook since", 2, NOW - 2, 3, true],
  ["one before, and no webhook ever", 1, null, 2, false],
  ["two before, and a webhook since", 2, NOW, 1, false],
])("a payment found by asking, with %s", (_, before, lastAt, count, isTold) => {
  const value = JSON.stringify({ at: NOW - 1, count: before });
  const settings = before === null ? [] : [{ name: "webhooks_missed", value }];
  const command = { now: NOW, attemptId: "pay_1", lastAt, incidentId: "inc_1" } as const;
  const { writes } = countMissedWebhook.decide(command, stateOf({ settings }));
  const [counted] = written(writes, "settings");
  expect(JSON.parse(String(counted?.value))).toEqual({ at: NOW, count });
  const incidents = isTold ? [{ kind: "WEBHOOKS_MISSING", subject: "pay_1" }] : [];
  expect(written(writes, "incidents")).toMatchObject(incidents);
});
