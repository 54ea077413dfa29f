/** The service as processes: it ends politely, and two of them share one database (contract §16). */
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LastingDatabase, lastingDatabase } from "../support/lasting-database.ts";
import { type Process, startProcess } from "../support/process.ts";
import { form, purchase, readyQuote } from "../support/purchase.ts";
import { eventually, quoteRequest, register, send } from "../support/shopper.ts";

let database: LastingDatabase;
const running: Process[] = [];

beforeAll(async () => {
  database = await lastingDatabase();
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.end("SIGKILL")));
});

async function start(more: Record<string, string> = {}): Promise<Process> {
  const started = await startProcess({ DATABASE_URL: database.url, ...more });
  running.push(started);
  return started;
}

it("a start reports a new shop, because a typo in DATABASE_URL would lose the orders", async () => {
  const { url } = await lastingDatabase();
  for (const says of [true, undefined]) {
    const shop = await start({ DATABASE_URL: url });
    const line = await eventually(
      async () => /^.*open for business.*(?=\n)/m.exec(shop.log())?.[0],
    );
    expect(JSON.parse(line).new_shop).toBe(says);
    await shop.end("SIGTERM");
  }
});

describe("SIGTERM", () => {
  it("lets requests under way finish, ends waiting readers at once, and exits 0", async () => {
    const shop = await start();
    const bought = await purchase(shop.baseUrl);
    const { reviewUrl } = await readyQuote(shop.baseUrl);
    await send(shop.baseUrl, reviewUrl, form({}));
    // Both take their time: the page looks for a payment for about two seconds, the reader waits.
    const page = send(shop.baseUrl, `${reviewUrl}?from=checkout`);
    const path = `/v1/orders/${bought.order.id}/events?after=2&wait=25`;
    const waiting = send(shop.baseUrl, path, { key: bought.key });
    // An idle connection delays nothing.
    const silent = connect(Number(new URL(shop.baseUrl).port), "127.0.0.1");
    await once(silent, "connect");
    // On connections that were opened later: by then those have arrived.
    for (let i = 0; i < 3; i++) await send(shop.baseUrl, "/healthz");
    const began = performance.now();
    const ended = shop.end("SIGTERM");
    expect((await page).status).toBe(200);
    expect(await waiting).toMatchObject({ status: 200, body: { events: [], next_after: 2 } });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(5000);
    await expect(send(shop.baseUrl, "/healthz")).rejects.toThrow();
  });
});

describe("SIGTERM, with time to drain", () => {
  it("reports that it is draining and keeps serving until a load balancer has removed it", async () => {
    const shop = await start({ DRAIN_SECONDS: "2" });
    const key = await register(shop.baseUrl);
    const ended = shop.end("SIGTERM");
    await eventually(async () => (await send(shop.baseUrl, "/readyz")).status === 503);
    const quote = await send(shop.baseUrl, "/v1/quote-requests", { key, body: quoteRequest() });
    expect(quote.status).toBe(201);
    expect(quote.headers.get("connection")).toBe("close");
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});
