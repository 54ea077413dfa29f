import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./command.ts";

/** These files and folders of the project, as they are to the parts of a second, and its packages. */
export async function cloneInto(folder: string, parts: readonly string[]): Promise<void> {
  await promisify(execFile)("cp", ["-a", ...parts.map((part) => join(ROOT, part)), folder]);
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
}
