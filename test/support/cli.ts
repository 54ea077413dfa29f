import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CHILD_ENV } from "./child-env.ts";

/** The merchant's command line as a process of its own; fails with `code` and `stderr` where it does. */
export const cli = (url: string, ...words: string[]) =>
  promisify(execFile)(process.execPath, ["src/cli.ts", ...words], {
    env: { ...CHILD_ENV, DATABASE_URL: url },
  });
