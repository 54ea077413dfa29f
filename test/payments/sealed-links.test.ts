/** No table stores a readable review link, not even the sandbox's (contract §5). */
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { newId } from "../../src/core/ids.ts";
import { sealedLinks } from "../../src/payments/sandbox/sealed-links.ts";
import { dump, lastingDatabase } from "../support/lasting-database.ts";
import { readyQuote } from "../support/purchase.ts";
import { startService } from "../support/service.ts";
import { payAsBuyer } from "../support/shopper.ts";

test("after a sandbox payment no table holds the link, and it still returns the buyer", async () => {
  const database = await lastingDatabase();
  const shop = await startService({ DATABASE_URL: database.url });
  onTestFinished(async () => {
    await shop.stop();
    await database.remove();
  });
  const { reviewUrl } = await readyQuote(shop.baseUrl);
  const token = new URL(reviewUrl).pathname.split("/").at(-1)!;
  const { hosted, after } = await payAsBuyer(shop.baseUrl, reviewUrl);
  expect(after.headers.get("location")).toBe(`${reviewUrl}?from=checkout`);
  expect((await fetch(`${shop.baseUrl}${new URL(hosted).pathname}`)).status).toBe(200);
  await shop.sandbox!.idle();
  const { sandbox, ...others } = await dump(database.url);
  expect(JSON.stringify(sandbox)).toContain("/review/sealed.");
  expect(JSON.stringify({ sandbox, others })).not.toContain(token);
});

test.each([
  { link: "that names its quote", name: `${newId("qte", 0)}.` },
  { link: "of an older version", name: "" },
])("a sealed link $link is opened by the same secret only, byte for byte", ({ name }) => {
  const mine = sealedLinks(randomBytes(32));
  const token = `${name}${randomBytes(24).toString("base64url")}`;
  const text = JSON.stringify({
    success_url: `https://coffee.example/review/${token}?from=checkout`,
    cancel_url: `https://coffee.example/review/${token}/canceled/pay_1`,
    body: JSON.stringify({ url: `/review/${token}` }),
    other: "/review/short, /reviews, /review/",
  });
  const sealed = mine.seal(text);
  expect(sealed).not.toContain(token);
  expect(sealed).toContain("/review/short, /reviews, /review/");
  expect(mine.unseal(sealed)).toBe(text);
  expect(mine.unseal(text)).toBe(text);
  expect(() => sealedLinks(randomBytes(32)).unseal(sealed)).toThrow();
});
