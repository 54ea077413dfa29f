/** All parts of the service read a DATABASE_URL alike. */
import { expect, test } from "vitest";
import { openStore, readDatabaseUrl } from "../../src/db/database-url.ts";

test.each([
  ["sqlite:./data/merchant.db", "./data/merchant.db"],
  ["sqlite:/var/lib/merchant.db", "/var/lib/merchant.db"],
  ["sqlite://data/merchant.db", "data/merchant.db"],
  ["sqlite:///var/lib/merchant.db", "/var/lib/merchant.db"],
  ["sqlite::memory:", ":memory:"],
  ["sqlite://:memory:", ":memory:"],
])("%s is the file %s", (text, file) => {
  expect(readDatabaseUrl(text)).toEqual({ engine: "sqlite", file });
});

test.each([
  "postgres://u:p@db:5432/shop",
  "postgres://u:p%23w@db/shop",
  "postgres://u:p@/shop?host=/run/postgresql",
  "postgresql://db/shop?sslmode=require",
])("%s is a server", (url) => expect(readDatabaseUrl(url)).toEqual({ engine: "postgres", url }));

test.each([
  "",
  "sqlite:",
  "sqlite://",
  "mysql://x",
  "postgres:shop",
  "postgres://a,b/shop",
  "postgres://u:p#w@db/shop",
  "postgres://u:p/w@db/shop",
  "postgres://db:none/shop",
  "./merchant.db",
])("%j is refused", async (text) => {
  expect(readDatabaseUrl(text)).toBeNull();
  await expect(openStore(text, {})).rejects.toThrow(/sqlite:<file> or postgres/);
});
