import type { Client } from "@modelcontextprotocol/client";
import { pino } from "pino";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { unavailable } from "../../src/db/store.ts";
import { orderWatch } from "../../src/mcp/order-watch.ts";
import { lastingDatabase } from "../support/lasting-database.ts";
import { call, overHttp, overPipes, type Result, startStdio } from "../support/mcp-clients.ts";
import { purchase } from "../support/purchase.ts";
import { REAL_CLOCK, startService } from "../support/service.ts";
import { eventually, register, send } from "../support/shopper.ts";

const served = await startService({}, REAL_CLOCK);
afterAll(() => served.stop());
const key = await register(served.baseUrl);
const stranger = await register(served.baseUrl);
const orderId = await order(served.baseUrl, key);

describe("an agent that listens to its order", () => {
  test("is notified over HTTP of a new event, and reads it", async () => {
    const client = await overHttp(served.baseUrl, "pinned", { key });
    const heard = listening(client);
    const uri = `coffee://orders/${orderId}`;
    const subscription = await client.listen({ resourceSubscriptions: [uri] });
    expect(subscription.honoredFilter.resourceSubscriptions).toEqual([uri]);
    await disturb();
    expect(await heard.next()).toBe(uri);
    await subscription.close();
  });

  test("loses its stream once its key is revoked", async () => {
    const own = await register(served.baseUrl);
    const id = await order(served.baseUrl, own);
    const [ours, other] = await Promise.all(
      [own, key].map((one) => overHttp(served.baseUrl, "pinned", { key: one })),
    );
    const heard = listening(ours!);
    const still = listening(other!);
    const subscription = await ours!.listen({
      resourceSubscriptions: [`coffee://orders/${id}`],
    });
    await other!.listen({ resourceSubscriptions: [`coffee://orders/${orderId}`] });
    const { agents, admin } = served.service.merchant;
    const { id: agentId } = await agents.authenticate(own);
    await admin("cli").keys.revoke({ agent_id: agentId });
    await admin("cli").orders.roast({ order_id: id });
    await subscription.closed;
    expect(heard.count()).toBe(0);
    await disturb();
    expect(await still.next()).toBe(`coffee://orders/${orderId}`);
  });

  test("is notified over stdio in both eras", async () => {
    for (const kind of ["pinned", "legacy", "sdk-1.x"] as const) {
      const client = await overPipes(startStdio(served.service, key), kind);
      const heard = listening(client);
      const uri = `coffee://orders/${orderId}`;
      if (kind === "pinned") await client.listen({ resourceSubscriptions: [uri] });
      else await client.subscribeResource({ uri });
      await disturb();
      expect(await heard.next(), kind).toBe(uri);
      await client.close();
    }
  });

  test("is notified once of each later event, and never of earlier ones", async () => {
    const client = await overPipes(startStdio(served.service, key), "legacy");
    const heard = listening(client);
    await client.subscribeResource({ uri: `coffee://orders/${orderId}` });
    await disturb();
    await heard.next();
    await disturb();
    await heard.next();
    await call(client, "get_order", { order_id: orderId });
    expect(heard.count()).toBe(2);
  });

  test("gets no notification after it unsubscribes", async () => {
    const client = await overPipes(startStdio(served.service, key), "legacy");
    const heard = listening(client);
    const uri = `coffee://orders/${orderId}`;
    await client.subscribeResource({ uri });
    await client.unsubscribeResource({ uri });
    await disturb();
    await call(client, "get_order", { order_id: orderId });
    expect(heard.count()).toBe(0);
  });
});

/** An order with one stream: its notifications, and a way to add events. */
async function following(
  authenticate: (apiKey: string) => ReturnType<typeof served.service.merchant.agents.authenticate>,
) {
  const { agents, orders } = served.service.merchant;
  let notify: (orderId: string) => void = () => {};
  const onEvent: typeof orders.onEvent = (listener) => {
    notify = listener;
    return () => {};
  };
  const merchant = { agents: { ...agents, authenticate }, orders: { ...orders, onEvent } };
  const told: string[] = [];
  const log = pino({ level: "silent" });
  const watch = orderWatch({ merchant: merchant as never, log }, (uri) => told.push(uri));
  const uri = `coffee://orders/${orderId}`;
  await watch.follow([uri], key);
  return { uri, told, notify: () => notify(""), failed: vi.spyOn(log, "warn") };
}

test("an update during a database outage is sent afterwards", async () => {
  let away = false;
  const { uri, told, notify, failed } = await following(async (apiKey) => {
    if (away) throw unavailable(new Error("away"));
    return served.service.merchant.agents.authenticate(apiKey);
  });
  await disturb();
  away = true;
  notify();
  await vi.waitFor(() => expect(failed).toHaveBeenCalled());
  away = false;
  notify();
  await vi.waitFor(() => expect(told).toEqual([uri]));
});

test("a failed look does not repeat a notification that another look sent", async () => {
  const { agents } = served.service.merchant;
  const answers: PromiseWithResolvers<void>[] = [];
  const { uri, told, notify, failed } = await following(async (apiKey) => {
    const answer = Promise.withResolvers<void>();
    // The first read belongs to the subscription; two looks wait.
    if ([2, 3].includes(answers.push(answer))) await answer.promise;
    return agents.authenticate(apiKey);
  });
  await disturb();
  notify();
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  await disturb();
  notify();
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers[2]!.resolve();
  await vi.waitFor(() => expect(told).toEqual([uri]));
  answers[1]!.reject(new Error("away"));
  await vi.waitFor(() => expect(failed).toHaveBeenCalled());
  notify();
  await disturb();
  expect([answers.length, told]).toEqual([3, [uri]]);
  notify();
  await vi.waitFor(() => expect(told).toEqual([uri, uri]));
});

test("events written by another process are sent too, such as the merchant's command line", async () => {
  const database = await lastingDatabase();
  const env = { DATABASE_URL: database.url };
  const here = await startService(env, REAL_CLOCK);
  const there = await startService(env, REAL_CLOCK);
  onTestFinished(async () => {
    await Promise.all([here.stop(), there.stop()]);
  });
  const itsKey = await register(here.baseUrl);
  const id = await order(here.baseUrl, itsKey);
  const uri = `coffee://orders/${id}`;
  const http = await overHttp(here.baseUrl, "pinned", { key: itsKey });
  await http.listen({ resourceSubscriptions: [uri] });
  const piped = await overPipes(startStdio(here.service, itsKey), "legacy");
  await piped.subscribeResource({ uri });
  const heard = [listening(http), listening(piped)];
  await there.service.merchant.admin("cli").orders.roast({ order_id: id });
  for (const one of heard) expect(await one.next()).toBe(uri);
});

test("a caller has a limited number of streams at once", async () => {
  const client = await overHttp(served.baseUrl, "pinned", { key });
  const filter = { resourceSubscriptions: [`coffee://orders/${orderId}`] };
  const streams = await Promise.all(Array.from({ length: 32 }, () => client.listen(filter)));
  await expect(client.listen(filter)).rejects.toThrow();
  const other = await overHttp(served.baseUrl, "pinned", { key: stranger });
  await (await other.listen(filter)).close();
  await streams.pop()?.close();
  streams.push(await eventually(() => client.listen(filter).catch(() => undefined)));
  await Promise.all(streams.map((stream) => stream.close()));
});

describe("an order of another key", () => {
  test("cannot be followed over HTTP: it is left out like a missing one", async () => {
    const client = await overHttp(served.baseUrl, "pinned", { key: stranger });
    const uris = [`coffee://orders/${orderId}`, "coffee://orders/ord_none", "coffee://catalog"];
    const subscription = await client.listen({ resourceSubscriptions: uris });
    expect(subscription.honoredFilter.resourceSubscriptions ?? []).toEqual([]);
  });

  test("cannot be followed without a key", async () => {
    const client = await overHttp(served.baseUrl, "pinned");
    const subscription = await client.listen({
      resourceSubscriptions: [`coffee://orders/${orderId}`],
    });
    expect(subscription.honoredFilter.resourceSubscriptions ?? []).toEqual([]);
  });

  test("cannot be followed over stdio, in either era", async () => {
    const modern = await overPipes(startStdio(served.service, stranger), "pinned");
    const uri = `coffee://orders/${orderId}`;
    const subscription = await modern.listen({ resourceSubscriptions: [uri] });
    expect(subscription.honoredFilter.resourceSubscriptions ?? []).toEqual([]);
    const old = await overPipes(startStdio(served.service, stranger), "sdk-1.x");
    const refusal = (one: string) =>
      old.subscribeResource({ uri: one }).then(
        () => "subscribed",
        (error: Result) => [error.code, error.message.replaceAll(one, "")],
      );
    expect(await refusal(uri)).toEqual(await refusal("coffee://orders/ord_none"));
    expect(await refusal(uri)).toEqual([-32602, expect.any(String)]);
  });
});

test("subscribing is advertised only where it works, and lists never promise to change", async () => {
  const modern = await overHttp(served.baseUrl, "pinned");
  const old = await overHttp(served.baseUrl, "sdk-1.x");
  const piped = await overPipes(startStdio(served.service), "sdk-1.x");
  expect(modern.getServerCapabilities()?.resources?.subscribe).toBe(true);
  expect(piped.getServerCapabilities()?.resources?.subscribe).toBe(true);
  expect(old.getServerCapabilities()?.resources?.subscribe).toBeUndefined();
  for (const client of [modern, old, piped]) {
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    });
  }
});

test("stopping the service ends open streams soon, with a final message", async () => {
  const other = await startService({}, REAL_CLOCK);
  const itsKey = await register(other.baseUrl);
  const client = await overHttp(other.baseUrl, "pinned", { key: itsKey });
  const bought = await order(other.baseUrl, itsKey);
  const uris = [`coffee://orders/${bought}`];
  const subscription = await client.listen({ resourceSubscriptions: uris });
  await other.stop();
  expect(await subscription.closed).toBe("graceful");
});

/** URIs of notifications, in order. */
function listening(client: Client) {
  const told: string[] = [];
  let count = 0;
  let wake = () => {};
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method !== "notifications/resources/updated") return;
    told.push(String(params?.uri));
    count++;
    wake();
  };
  return {
    count: () => count,
    async next(): Promise<string> {
      while (told.length === 0) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        await promise;
      }
      return told.shift() ?? "";
    },
  };
}

let open: string | null = null;

/** Adds an event to the order: a cancel request, then its refusal, and so on. */
async function disturb(): Promise<void> {
  if (open === null) {
    const body = { reason_code: "OTHER" };
    const path = `/v1/orders/${orderId}/cancel-requests`;
    open = (await send(served.baseUrl, path, { body, key })).body.id as string;
    return;
  }
  await served.service.merchant
    .admin("desk")
    .cancellations.decline({ request_id: open, reason: "It is roasted." });
  open = null;
}

/** Buys through every step of a buyer. */
async function order(baseUrl: string, key: string): Promise<string> {
  return (await purchase(baseUrl, {}, key)).order.id;
}
