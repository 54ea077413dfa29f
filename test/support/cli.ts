import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CHILD_ENV } from "./child-env.ts";
import { COMMAND, ROOT } from "./command.ts";

/** The command as a process of its own; fails with `code` and `stderr` where it does. */
export const runCommand = (words: readonly string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [COMMAND, ...words], {
    cwd: ROOT,
    env: { ...CHILD_ENV, ...env },
  });

/** The merchant's command line. */
export const cli = (url: string, ...words: string[]) =>
  runCommand(["merchant", ...words], { DATABASE_URL: url });
