import { randomBytes } from "node:crypto";
import type { TestProject } from "vitest/node";
import { migrateOnce } from "../../src/db/postgres/migrate.ts";
import { named, query } from "./postgres.ts";
import { createPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** `copied` is the clause of `create database` that copies the migrated template. */
    postgres: { url: string; template: string; copied: string };
  }
}

/**
 * Starts one PostgreSQL for the project, or uses TEST_DATABASE_URL, and migrates a template database
 * that every test copies.
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
  // On our own server, which syncs nothing, copying files is faster than copying through the log.
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
