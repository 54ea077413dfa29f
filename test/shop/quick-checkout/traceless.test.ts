import { afterAll, expect, test } from "vitest";
import { dump, lastingDatabase } from "../../support/lasting-database.ts";
import { newEmail } from "../../support/purchase.ts";
import { startService } from "../../support/service.ts";
import { send } from "../../support/shopper.ts";
import { BROWSER, cartPage, openLink, submit } from "./checkout.ts";

const LINK = "items=kenya-nyeri:2,rwanda-huye:1&discount_code=FIRSTBAG&gift_note=Enjoy";

const database = await lastingDatabase();
const shop = await startService({ DATABASE_URL: database.url });
afterAll(() => shop.stop());

/** All rows, except counters of requests. */
const rows = async () => {
  const { rate_limits: _, ...rest } = await dump(database.url);
  return rest;
};

/** Robots that open links. */
const ROBOTS: Record<string, Record<string, string>> = {
  "a browser that prefetches": { ...BROWSER, "sec-purpose": "prefetch", purpose: "prefetch" },
  "a chat's link preview": { "user-agent": "Slackbot-LinkExpanding 1.0", accept: "*/*" },
};

test.each(Object.entries(ROBOTS))("%s leaves no trace", async (_name, headers) => {
  const before = await rows();
  const opened = await openLink(shop.baseUrl, LINK, headers);
  expect(opened.status).toBe(200);
  expect(await rows()).toEqual(before);
});

test("HEAD leaves no trace", async () => {
  const before = await rows();
  const head = await send(shop.baseUrl, `/v1/quick-checkout?${LINK}`, { method: "HEAD" });
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: "" });
  expect(await rows()).toEqual(before);
});

test("opening a page a hundred times leaves no trace", async () => {
  const page = await cartPage(shop.baseUrl, LINK);
  const before = await rows();
  const shown = await Promise.all(
    Array.from({ length: 100 }, () => send(shop.baseUrl, page, { headers: BROWSER })),
  );
  expect(shown.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(await rows()).toEqual(before);
});

test("robots can open the review page, too", async () => {
  const sent = await submit(shop.baseUrl, await cartPage(shop.baseUrl, LINK), {
    email: newEmail(),
  });
  const review = sent.headers.get("location") ?? "";
  const before = await rows();
  for (const headers of Object.values(ROBOTS)) {
    expect((await send(shop.baseUrl, review, { headers })).status).toBe(200);
  }
  expect((await send(shop.baseUrl, review, { method: "HEAD" })).status).toBe(200);
  expect(await rows()).toEqual(before);
});

test("a form with mistakes leaves no trace, and a correct one makes one quote", async () => {
  const page = await cartPage(shop.baseUrl, LINK);
  const before = await rows();
  await submit(shop.baseUrl, page, { postal_code: "1" });
  expect(await rows()).toEqual(before);
  await submit(shop.baseUrl, page, { email: newEmail() });
  expect((await rows()).quotes).toHaveLength((before.quotes?.length ?? 0) + 1);
});
