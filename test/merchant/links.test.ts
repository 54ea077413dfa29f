/** The secret behind links can be replaced, which ends all links that are out (contract §15). */
import { expect, onTestFinished, test } from "vitest";
import { lastingDatabase } from "../support/lasting-database.ts";
import { readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { send } from "../support/shopper.ts";

test("after renewal and a restart, old links end, and the agent reads the new one", async () => {
  const database = await lastingDatabase();
  const start = () => startService({ DATABASE_URL: database.url });
  const before = await start();
  const { key, quote, reviewUrl } = await readyQuote(before.baseUrl);
  await before.service.merchant.admin("cli").links.renew({});
  expect((await send(before.baseUrl, new URL(reviewUrl).pathname)).status).toBe(200);
  const [act] = await before.service.merchant.admin("cli").audit.list();
  expect(act).toMatchObject({ act: "links.renew" });
  await before.stop();

  const after = await start();
  onTestFinished(after.stop);
  expect((await send(after.baseUrl, new URL(reviewUrl).pathname)).status).toBe(404);
  const body = { quote_hash: quote.quote_hash };
  const read = await send(after.baseUrl, `/v1/quotes/${quote.id}/checkout`, { key, body });
  const { pathname } = new URL(read.body.review_url);
  expect(pathname).not.toBe(new URL(reviewUrl).pathname);
  expect((await send(after.baseUrl, pathname)).status).toBe(200);
});
