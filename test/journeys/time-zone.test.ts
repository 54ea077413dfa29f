/** People read times by the shop's clock, agents by UTC. */
import { expect, onTestFinished, test } from "vitest";
import { lastingDatabase } from "../support/lasting-database.ts";
import { startProcess } from "../support/process.ts";
import { readyQuote } from "../support/purchase.ts";

test("TIME_ZONE is the clock of the pages, and the wire stays UTC", async () => {
  const database = await lastingDatabase();
  const shop = await startProcess({ DATABASE_URL: database.url, TIME_ZONE: "America/Chicago" });
  onTestFinished(() => shop.signal("SIGKILL"));
  const { quote, reviewUrl } = await readyQuote(shop.baseUrl);
  const page = await (await fetch(reviewUrl)).text();
  const [, shown = ""] = /<time datetime="[^"]+">([^<]+)</.exec(page) ?? [];
  expect(shown).toMatch(/\s[AP]M C[SD]T$/);
  expect(Date.parse(shown.replace(/\u00a0/g, " "))).toBe(
    Math.floor(Date.parse(quote.terms.expires_at) / 60_000) * 60_000,
  );
  expect(quote.terms.expires_at).toMatch(/Z$/);
});
