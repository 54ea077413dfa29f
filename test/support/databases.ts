import { describe, inject } from "vitest";
import { freshPostgres } from "./postgres.ts";
import { databaseFile } from "./stores.ts";

const DATABASES = [
  { name: "SQLite", url: async () => `sqlite:${await databaseFile()}` },
  { name: "PostgreSQL", url: freshPostgres },
];

/** For tests of the whole service: each call of `databaseUrl` is a new, empty database. */
export function describeEachDatabase(
  name: string,
  tests: (databaseUrl: () => Promise<string>) => void,
): void {
  describe.each(inject("fast") ? DATABASES.slice(0, 1) : DATABASES)(
    `${name}, on $name`,
    ({ url }) => tests(url),
  );
}
