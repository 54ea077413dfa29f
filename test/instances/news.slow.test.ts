/** Readers at any instance get an order's new events. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { type Fleet, startFleet } from "../support/fleet.ts";
import { overHttp } from "../support/mcp-clients.ts";
import { purchase } from "../support/purchase.ts";
import { REAL_CLOCK } from "../support/service.ts";
import { send } from "../support/shopper.ts";

let fleet: Fleet;
beforeAll(async () => {
  // On the real clock, like streams and the command line.
  fleet = await startFleet(2, {}, REAL_CLOCK);
});
afterAll(() => fleet.stop());

const admin = (i: number) => fleet.instances[i]!.service.merchant.admin("desk");

/** Waits at an instance for the next event after the payment. */
async function waiting(i: number) {
  const { key, order } = await purchase(fleet.balancer.url);
  const began = performance.now();
  const answer = send(fleet.at(i), `/v1/orders/${order.id}/events?after=2&wait=25`, { key });
  const types = async () => {
    const { body } = await answer;
    expect(performance.now() - began).toBeLessThan(20_000);
    return body.events.map((event: { type: string }) => event.type);
  };
  return { id: order.id as string, types };
}

test("a reader gets a step made by the command line, which is another process", async () => {
  const { id, types } = await waiting(0);
  const env = { DATABASE_URL: fleet.databaseUrl, BASE_URL: fleet.balancer.url };
  const { stdout } = await runCommand(["merchant", "orders", "roast", id, "--json"], env);
  expect(JSON.parse(stdout).status).toBe("ROASTING");
  expect(await types()).toContain("order.roasting");
});

test("an agent that listens over MCP at one instance gets a step made at another", async () => {
  const { key, order } = await purchase(fleet.balancer.url);
  const uri = `coffee://orders/${order.id}`;
  const clients = await Promise.all(
    [fleet.at(0), fleet.balancer.url].map((url) => overHttp(url, "pinned", { key })),
  );
  const told = clients.map((client) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === "notifications/resources/updated") resolve(params?.uri);
    };
    return promise;
  });
  for (const client of clients) await client.listen({ resourceSubscriptions: [uri] });
  await admin(1).orders.roast({ order_id: order.id });
  expect(await Promise.all(told)).toEqual([uri, uri]);
});
