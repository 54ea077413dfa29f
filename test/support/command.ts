import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Environment } from "../../src/app/config.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The built command, as users run it; the run builds it before its first test. */
export const COMMAND = "dist/coffee-merchant.js";

/** This process's environment without the service's settings, which a shell or Vitest may have set. */
export const INHERITED: Readonly<Record<string, string>> = (() => {
  const settings = new Set(Object.keys(Environment.shape));
  const all = Object.entries(process.env) as [string, string][];
  return Object.fromEntries(all.filter(([name]) => !settings.has(name)));
})();

/** For a service that sells the beans of the tests. */
export const CHILD_ENV: Readonly<Record<string, string>> = {
  ...INHERITED,
  CATALOG_FILE: join(ROOT, "test/support/catalog.json"),
};

/** Runs the built command in a process; a rejection carries `code` and `stderr`. */
export const runCommand = (words: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [COMMAND, ...words], {
    cwd: ROOT,
    env: { ...CHILD_ENV, ...env },
  });

/** The merchant's command line. */
export const cli = (url: string, ...words: string[]) =>
  runCommand(["merchant", ...words], { DATABASE_URL: url });

/** Copies these files and folders with their timestamps, and links the packages. */
export async function cloneInto(folder: string, parts: readonly string[]): Promise<void> {
  await promisify(execFile)("cp", ["-a", ...parts.map((part) => join(ROOT, part)), folder]);
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
}
