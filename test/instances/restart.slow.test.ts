/** The database restarts under load, cleanly and by a crash, and no acknowledged write is lost. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { startFleet } from "../support/fleet.ts";
import { createPostgres } from "../support/postgres-server.ts";
import { newEmail, purchase } from "../support/purchase.ts";
import { eventually, quoteRequest, register, send } from "../support/shopper.ts";

/** Agents that keep requesting quotes, and retry as told. */
function load(bases: readonly string[], key: string) {
  const answered: string[] = [];
  const refused = new Set<string>();
  let over = false;
  const agent = async (i: number) => {
    for (let asked = 0; !over; asked++) {
      const body = quoteRequest({ email: newEmail() });
      const idempotencyKey = randomUUID();
      const base = bases[(i + asked) % bases.length]!;
      await eventually(async () => {
        const answer = await send(base, "/v1/quote-requests", { key, body, idempotencyKey });
        if (answer.status === 201) answered.push(answer.body.id);
        else
          refused.add(`${answer.status} ${answer.body.code} ${answer.headers.has("retry-after")}`);
        return over || answer.status === 201;
      });
      // The database restarts on the same machine.
      await delay(10);
    }
  };
  const agents = Promise.all(Array.from({ length: 6 }, (_, i) => agent(i)));
  return {
    answered,
    refused,
    /** Waits for this many more responses. */
    async more(count: number) {
      const enough = answered.length + count;
      await eventually(async () => answered.length >= enough);
    },
    async stop() {
      over = true;
      await agents;
    },
  };
}

test("no acknowledged write is lost, the only error is 503, and all recover by themselves", async () => {
  const server = await createPostgres({ durable: false });
  onTestFinished(() => server.remove());
  const fleet = await startFleet(2, { DATABASE_URL: server.url });
  onTestFinished(() => fleet.stop());
  const bases = [fleet.at(0), fleet.at(1)];
  const { key, order } = await purchase(bases[0]!);
  const quotes = load(bases, await register(bases[1]!));
  for (const how of ["fast", "crash"] as const) {
    await quotes.more(100);
    await server.stop(how);
    await server.start();
    await quotes.more(100);
  }
  await quotes.stop();
  const { queries } = fleet.instances[0]!.store;
  const kept = await queries.quotesByIds(quotes.answered);
  expect(kept).toHaveLength(quotes.answered.length);
  expect(new Set(quotes.answered).size).toBe(quotes.answered.length);
  expect([...quotes.refused]).toEqual(["503 STORE_UNAVAILABLE true"]);
  expect((await send(bases[1]!, `/v1/orders/${order.id}`, { key })).body).toEqual(order);
  for (const base of bases) expect((await send(base, "/readyz")).status).toBe(200);
}, 60_000);
