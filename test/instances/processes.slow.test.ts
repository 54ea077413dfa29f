/** Other instances finish a purchase whose instance was killed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fleet, startFleet } from "../support/fleet.ts";
import type { Process } from "../support/process.ts";
import { form, orderOf, readyQuote } from "../support/purchase.ts";
import { payAt, persist, quoteRequest, register, send } from "../support/shopper.ts";

let fleet: Fleet;
let other: Process;
beforeAll(async () => {
  fleet = await startFleet(0);
  [, other] = await Promise.all([fleet.spawn(), fleet.spawn()]);
});
afterAll(() => fleet.stop());

const PATIENCE_MS = 12_000;

/** Presses pay until the hosted page opens, and returns its URL. */
const press = async (base: string, reviewUrl: string): Promise<string> => {
  const pressed = await persist(() => send("", from(base, reviewUrl), form({})), PATIENCE_MS);
  expect(pressed.headers.get("location")).toContain("/sandbox/");
  return pressed.headers.get("location") ?? "";
};

const from = (base: string, link: string) => base + new URL(link).pathname;

test("after a kill between or during any steps, the others continue from there", async () => {
  const doomed = await fleet.spawn();
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
  const hosted = await press(fleet.balancer.url, reviewUrl);
  await persist(() => payAt(hosted), PATIENCE_MS);
  const order = await orderOf(other.baseUrl, key, quote.id);
  expect(order.payment).toMatchObject({ status: "PAID", refunded_minor: 0 });
  const { body } = await send(fleet.balancer.url, "/v1/orders", { key });
  expect(body.orders).toHaveLength(1);
});
