/**
 * A running shop on a disk that fills up: refused and accepted requests, and recovery. Also a database
 * file that is moved away.
 */
import fs from "node:fs";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { orderOf, readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { eventually, payAsBuyer, quoteRequest, register, send } from "../support/shopper.ts";
import { scratchFile } from "../support/stores.ts";

afterEach(() => void vi.restoreAllMocks());

const MIB = 1024 * 1024;

/** Sets the free space, after the cached reading has expired. */
function freeOnDisk(bytes: number): void {
  const found = { bsize: 1, blocks: 1e12, bavail: bytes };
  vi.spyOn(fs, "statfsSync").mockReturnValue(found as unknown as ReturnType<typeof fs.statfsSync>);
  skipped += 2000;
  vi.spyOn(performance, "now").mockImplementation(() => realNow() + skipped);
}

const realNow = performance.now.bind(performance);
let skipped = 0;

test("refuses quotes, then payments; a started payment becomes an order; quotes recover", async () => {
  const served = await startService({ DATABASE_URL: `sqlite:${await scratchFile()}` });
  onTestFinished(() => served.stop());
  const { baseUrl } = served;
  const key = await register(baseUrl);
  const { quote, reviewUrl } = await readyQuote(baseUrl, {}, key);
  const pay = await fetch(reviewUrl, { method: "POST", redirect: "manual" });
  expect(pay.status).toBe(303);
  const other = await readyQuote(baseUrl, {}, key);

  freeOnDisk(16 * MIB);
  const ready = await fetch(`${baseUrl}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: "ready", checks: { database: true } },
  ]);
  await eventually(async () => {
    const { checks } = (await send(baseUrl, "/healthz")).body;
    return checks?.room === false && checks.provider === true;
  });
  const refused = await send(baseUrl, "/v1/quote-requests", { key, body: quoteRequest() });
  expect([refused.status, refused.body.code]).toEqual([503, "STORE_UNAVAILABLE"]);
  expect((await fetch(other.reviewUrl, { method: "POST", redirect: "manual" })).status).toBe(503);
  await payAsBuyer(baseUrl, reviewUrl);
  expect((await orderOf(baseUrl, key, quote.id)).status).toBe("CONFIRMED");

  freeOnDisk(1024 * MIB);
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
  const taken = await send(baseUrl, "/v1/quote-requests", { key, body: quoteRequest() });
  expect(taken.status).toBe(201);
});
