import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TABLE_NAMES } from "../../src/core/records.ts";
import { cloneInto } from "../support/command.ts";
import { type Process, startProcess } from "../support/process.ts";
import { scratchFolder } from "../support/scratch-folder.ts";

export interface NewerVersion {
  folder: string;
  /** Starts an instance as a process. */
  start(env: { DATABASE_URL: string; [name: string]: string }): Promise<Process>;
  remove(): Promise<void>;
}

/** Changes that a next release may make to a table while the older one runs: additions only. */
const ADDITIONS = [
  ...TABLE_NAMES.flatMap((table) => [
    `ALTER TABLE "${table}" ADD COLUMN "added_text" text;`,
    `ALTER TABLE "${table}" ADD COLUMN "added_count" integer NOT NULL DEFAULT 0;`,
    `CREATE INDEX "${table}_added" ON "${table}" ("added_text");`,
  ]),
  'CREATE TABLE "added" ("id" text PRIMARY KEY NOT NULL);',
].join("\n--> statement-breakpoint\n");

/** This version with one more migration, which stands for the next release. */
export async function newerVersion(): Promise<NewerVersion> {
  const folder = await scratchFolder("newer");
  await cloneInto(folder, ["dist", "src", "resources", "docs", "drizzle", "package.json"]);
  for (const engine of ["sqlite", "postgres"]) await addMigration(join(folder, "drizzle", engine));
  const running: Promise<Process>[] = [];
  return {
    folder,
    async start(env) {
      const started = startProcess(env, { cwd: folder });
      running.push(started);
      return started;
    },
    async remove() {
      await Promise.all(running.map((one) => one.then((it) => it.end("SIGKILL")).catch(() => {})));
    },
  };
}

async function addMigration(folder: string): Promise<void> {
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8"));
  const { idx, when, ...last } = journal.entries.at(-1);
  const tag = "9999_added";
  journal.entries.push({ ...last, idx: idx + 1, when: when + 1, tag });
  await writeFile(file, JSON.stringify(journal));
  await writeFile(join(folder, `${tag}.sql`), ADDITIONS);
}
