import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrateOnce } from "../../src/db/postgres/migrate.ts";
import { named, query } from "./postgres.ts";
import { createPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** `copied` is what makes a database of the migrated one. */
    postgres: { url: string; template: string; copied: string };
  }
}

/**
 * One PostgreSQL for the whole run: the one that TEST_DATABASE_URL names, or a new one from npm. It
 * holds one migrated database, of which every test gets a copy.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? null : await createPostgres({ durable: false });
  const url = given ?? server!.url;
  const template = `merchant_test_${randomBytes(6).toString("hex")}`;
  try {
    await query(url, `create database ${template}`);
    await migrateOnce(named(url, template));
  } catch (error) {
    await server?.remove();
    throw error;
  }
  // Our own server writes copies of files to no disk. Through its log, as is usual, they cost half more;
  // but with a disk it would wait for one, and before version 15 there was no choice.
  const copied = `template ${template} ${server ? "strategy file_copy" : ""}`;
  project.provide("postgres", { url, template, copied });
  return async () => {
    if (server) return server.remove();
    const rows = await query(
      url,
      `select datname as name from pg_database where datname like '${template}%'`,
    );
    for (const { name } of rows) await query(url, `drop database if exists "${name}" with (force)`);
  };
}
