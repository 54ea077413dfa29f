/** Strangers can make any number of quotes under one mailbox. Its owner is erased all the same. */
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../src/db/postgres/postgres-store.ts";
import { openSqlite } from "../../src/db/sqlite/sqlite-store.ts";
import { allRows } from "../support/all-rows.ts";
import { strangersQuotes } from "../support/many-quotes.ts";
import { freshPostgres } from "../support/postgres.ts";
import { newAgent, openShop } from "../support/shop.ts";
import { databaseFile } from "../support/stores.ts";

const QUOTES = 20_000;
const EMAIL = "ada.lovelace+tea@gmail.com";

test.each([
  ["SQLite", async () => openSqlite({ file: await databaseFile() })],
  ["PostgreSQL", async () => openPostgres({ url: await freshPostgres() })],
])(
  `%s exports and erases ${QUOTES} quotes while others write`,
  async (_, open) => {
    const store = await open();
    onTestFinished(() => store.close());
    const shop = await openShop(store);
    await strangersQuotes(shop, QUOTES);
    const { customers } = shop.admin;
    expect((await customers.export({ email: EMAIL })).quotes).toHaveLength(QUOTES);

    let done = false;
    const erasing = customers.erase({ email: EMAIL }).finally(() => {
      done = true;
    });
    let others = 0;
    for (; !done; others++) await newAgent(shop);
    expect(await erasing).toMatchObject({ quotes: QUOTES, under_way: 0 });
    // Other writers wait for one step of the erasure at most.
    expect(others).toBeGreaterThan(QUOTES / 200);
    const quotes = await allRows(store, "quotes");
    expect(quotes.filter((row) => JSON.stringify(row).includes("lovelace"))).toEqual([]);
    expect(await allRows(store, "settings")).not.toContainEqual(
      expect.objectContaining({ name: expect.stringMatching(/^erasing:/) }),
    );
  },
  300_000,
);
