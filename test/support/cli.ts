import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CHILD_ENV } from "./child-env.ts";
import { COMMAND, ROOT } from "./command.ts";

/** The merchant's command line as a process of its own; fails with `code` and `stderr` where it does. */
export const cli = (url: string, ...words: string[]) =>
  promisify(execFile)(process.execPath, [COMMAND, "merchant", ...words], {
    cwd: ROOT,
    env: { ...CHILD_ENV, DATABASE_URL: url },
  });
