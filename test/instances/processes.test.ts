/** Other instances finish a purchase whose instance was killed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Balancer, startBalancer } from "../support/fleet.ts";
import { freePort } from "../support/loopback.ts";
import { freshPostgres } from "../support/postgres.ts";
import { type Process, startProcess } from "../support/process.ts";
import { form, orderOf, readyQuote } from "../support/purchase.ts";
import { persist, quoteRequest, register, send } from "../support/shopper.ts";

let balancer: Balancer;
let databaseUrl: string;
const running: Process[] = [];
const VISA = "4242424242424242";

beforeAll(async () => {
  balancer = await startBalancer();
  databaseUrl = await freshPostgres();
  await Promise.all([join(), join()]);
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.end("SIGKILL")));
  await balancer.close();
});

async function join(): Promise<Process> {
  const instance = await startProcess({
    PORT: await freePort(),
    DATABASE_URL: databaseUrl,
    BASE_URL: balancer.url,
    TRUST_PROXY: "1",
  });
  running.push(instance);
  balancer.targets.push(instance.baseUrl);
  return instance;
}

const PATIENCE_MS = 12_000;

/** Presses pay until the hosted page opens, and returns its URL. */
const press = async (base: string, reviewUrl: string): Promise<string> => {
  const pressed = await persist(() => send("", from(base, reviewUrl), form({})), PATIENCE_MS);
  expect(pressed.headers.get("location")).toContain("/sandbox/");
  return pressed.headers.get("location") ?? "";
};

const from = (base: string, link: string) => base + new URL(link).pathname;

test("after a kill between or during any steps, the others continue from there", async () => {
  const [, other] = running as [Process, Process];
  const doomed = await join();
  const key = await register(doomed.baseUrl);
  const { quote, reviewUrl } = await readyQuote(doomed.baseUrl, {}, key);
  const pressing = send("", from(doomed.baseUrl, reviewUrl), form({})).catch(() => null);
  const asking = send(doomed.baseUrl, "/v1/quote-requests", {
    key,
    body: quoteRequest(),
    idempotencyKey: "during",
  }).catch(() => null);
  await doomed.end("SIGKILL");
  await Promise.all([pressing, asking]);
  const request = { key, body: quoteRequest(), idempotencyKey: "during" };
  const ask = () => send(other.baseUrl, "/v1/quote-requests", request);
  const again = await persist(ask, PATIENCE_MS);
  expect(again.status).toBe(201);
  // The dead instance is still in the balancer, which notices by itself.
  const hosted = await press(balancer.url, reviewUrl);
  await persist(() => send("", `${hosted}/pay`, form({ card: VISA })), PATIENCE_MS);
  const order = await orderOf(other.baseUrl, key, quote.id);
  expect(order.payment).toMatchObject({ status: "PAID", refunded_minor: 0 });
  const { body } = await send(balancer.url, "/v1/orders", { key });
  expect(body.orders).toHaveLength(1);
});
